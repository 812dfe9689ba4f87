//! Eight boards at a time in AVX-512, as processors from Ice Lake and Zen 4 on have it.

use core::arch::x86_64::{
    __m512i, _mm_storeu_si128, _mm512_add_epi64, _mm512_and_si512, _mm512_andnot_si512, _mm512_cvtepi64_epi16,
    _mm512_gf2p8affine_epi64_epi8, _mm512_loadu_si512, _mm512_mask_blend_epi64, _mm512_mask_or_epi64,
    _mm512_maskz_loadu_epi64, _mm512_maskz_mov_epi64, _mm512_maskz_set1_epi8, _mm512_or_si512, _mm512_popcnt_epi64,
    _mm512_reduce_add_epi64, _mm512_set1_epi64, _mm512_setzero_si512, _mm512_shldv_epi64, _mm512_shrdv_epi64,
    _mm512_shuffle_epi8, _mm512_sllv_epi64, _mm512_srlv_epi64, _mm512_storeu_si512, _mm512_sub_epi64,
    _mm512_test_epi64_mask, _pdep_u64,
};

use super::{Lanes, gather};
use crate::bitboard::Bitboard;
use crate::vector::block::{LANES, Octet};
use crate::vector::groups::Group;

/// The sets of eight boards: low words, high words.
///
/// May be named only where [`Avx512::is_available`] has said yes.
#[derive(Clone, Copy)]
pub(in crate::vector) struct Avx512(__m512i, __m512i);

impl Avx512 {
    /// Says whether this machine has every instruction that is used here.
    pub(in crate::vector) fn is_available() -> bool {
        is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vbmi2")
            && is_x86_feature_detected!("avx512vpopcntdq")
            && is_x86_feature_detected!("gfni")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
    }
}

// SAFETY (of every block below): the instructions are there, since the type is named only behind
// `is_available`; loads and stores are unaligned ones of 64 bytes within the array they are given.
impl Lanes for Avx512 {
    const COUNT: usize = 8;
    type Words = __m512i;

    #[inline(always)]
    fn load(octet: &Octet, _at: usize) -> Self {
        // SAFETY: see above.
        unsafe { Self(_mm512_loadu_si512(octet.lo.as_ptr().cast()), _mm512_loadu_si512(octet.hi.as_ptr().cast())) }
    }

    #[inline(always)]
    fn store(self, octet: &mut Octet, _at: usize) {
        // SAFETY: see above.
        unsafe {
            _mm512_storeu_si512(octet.lo.as_mut_ptr().cast(), self.0);
            _mm512_storeu_si512(octet.hi.as_mut_ptr().cast(), self.1);
        }
    }

    #[inline(always)]
    fn splat(set: Bitboard) -> Self {
        // SAFETY: see above.
        unsafe { Self(_mm512_set1_epi64(set.0 as i64), _mm512_set1_epi64((set.0 >> 64) as i64)) }
    }

    #[inline(always)]
    fn squares(numbers: &[u64; LANES], _at: usize) -> Self {
        // SAFETY: see above.
        unsafe {
            let (one, numbers) = (_mm512_set1_epi64(1), _mm512_loadu_si512(numbers.as_ptr().cast()));
            let above = _mm512_sub_epi64(numbers, _mm512_set1_epi64(64));
            // A count of 64 or more, below zero included, gives no bit.
            Self(_mm512_sllv_epi64(one, numbers), _mm512_sllv_epi64(one, above))
        }
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: see above.
        unsafe { Self(_mm512_and_si512(self.0, other.0), _mm512_and_si512(self.1, other.1)) }
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: see above.
        unsafe { Self(_mm512_or_si512(self.0, other.0), _mm512_or_si512(self.1, other.1)) }
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        // SAFETY: see above.
        unsafe { Self(_mm512_andnot_si512(other.0, self.0), _mm512_andnot_si512(other.1, self.1)) }
    }

    #[inline(always)]
    fn up(self, by: u32) -> Self {
        // SAFETY: see above.
        unsafe {
            let by = _mm512_set1_epi64(by.into());
            Self(_mm512_sllv_epi64(self.0, by), _mm512_shldv_epi64(self.1, self.0, by))
        }
    }

    #[inline(always)]
    fn down(self, by: u32) -> Self {
        // SAFETY: see above.
        unsafe {
            let by = _mm512_set1_epi64(by.into());
            Self(_mm512_shrdv_epi64(self.0, self.1, by), _mm512_srlv_epi64(self.1, by))
        }
    }

    #[inline(always)]
    fn up_within(self, by: u32) -> Self {
        // SAFETY: see above.
        unsafe {
            let by = _mm512_set1_epi64(by.into());
            Self(_mm512_sllv_epi64(self.0, by), _mm512_sllv_epi64(self.1, by))
        }
    }

    #[inline(always)]
    fn down_within(self, by: u32) -> Self {
        // SAFETY: see above.
        unsafe {
            let by = _mm512_set1_epi64(by.into());
            Self(_mm512_srlv_epi64(self.0, by), _mm512_srlv_epi64(self.1, by))
        }
    }

    #[inline(always)]
    fn split(self, from: u32) -> Self {
        Self(self.0, self.down(from).0)
    }

    #[inline(always)]
    fn joined(self, from: u32) -> Self {
        // SAFETY: see above.
        unsafe {
            let (from, rest) = (_mm512_set1_epi64(from.into()), _mm512_set1_epi64((64 - from).into()));
            Self(_mm512_or_si512(self.0, _mm512_sllv_epi64(self.1, from)), _mm512_srlv_epi64(self.1, rest))
        }
    }

    #[inline(always)]
    fn back(self, downs: &[u64; LANES], ups: &[u64; LANES], _at: usize) -> Self {
        // SAFETY: see above.
        unsafe {
            let (down, up) = (_mm512_loadu_si512(downs.as_ptr().cast()), _mm512_loadu_si512(ups.as_ptr().cast()));
            let (lo, hi) = (_mm512_shrdv_epi64(self.0, self.1, down), _mm512_srlv_epi64(self.1, down));
            Self(_mm512_sllv_epi64(lo, up), _mm512_shldv_epi64(hi, lo, up))
        }
    }

    #[inline(always)]
    fn reversed(self) -> Self {
        // SAFETY: see above.
        unsafe {
            // The matrix with ones on its other diagonal reverses the bits of a byte.
            let matrix = _mm512_set1_epi64(0x8040_2010_0804_0201_u64 as i64);
            let bytes = [_mm512_set1_epi64(0x0001_0203_0405_0607), _mm512_set1_epi64(0x0808_0808_0808_0808)];
            let odd = _mm512_mask_or_epi64(bytes[0], 0b1010_1010, bytes[0], bytes[1]);
            let reverse = |words| _mm512_shuffle_epi8(_mm512_gf2p8affine_epi64_epi8::<0>(words, matrix), odd);
            Self(reverse(self.1), reverse(self.0))
        }
    }

    #[inline(always)]
    fn on(self, boards: u8, other: Self) -> Self {
        // SAFETY: see above.
        unsafe {
            Self(_mm512_mask_blend_epi64(boards, other.0, self.0), _mm512_mask_blend_epi64(boards, other.1, self.1))
        }
    }

    #[inline(always)]
    fn only_on(self, boards: u8) -> Self {
        // SAFETY: see above.
        unsafe { Self(_mm512_maskz_mov_epi64(boards, self.0), _mm512_maskz_mov_epi64(boards, self.1)) }
    }

    #[inline(always)]
    fn present(self) -> u8 {
        // SAFETY: see above.
        unsafe {
            let any = _mm512_or_si512(self.0, self.1);
            _mm512_test_epi64_mask(any, any)
        }
    }

    #[inline(always)]
    fn no_words() -> __m512i {
        // SAFETY: see above.
        unsafe { _mm512_setzero_si512() }
    }

    #[inline(always)]
    fn mark(words: __m512i, set: Self, bit: u32) -> __m512i {
        // SAFETY: see above.
        unsafe { _mm512_mask_or_epi64(words, set.present(), words, _mm512_set1_epi64((1u64 << bit) as i64)) }
    }

    #[inline(always)]
    fn store_words(words: __m512i, out: &mut [u16; LANES], _at: usize) {
        // SAFETY: see above.
        unsafe { _mm_storeu_si128(out.as_mut_ptr().cast(), _mm512_cvtepi64_epi16(words)) }
    }

    #[inline(always)]
    fn expand(word: u64, out: &mut [u8; 64]) {
        // SAFETY: see above.
        unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), _mm512_maskz_set1_epi8(word, 1)) }
    }

    #[inline(always)]
    fn used(mask: &[u64]) -> u64 {
        let (chunks, rest) = mask.as_chunks::<8>();
        let mut used = 0;
        for (index, chunk) in chunks.iter().enumerate() {
            // SAFETY: see above.
            let words = unsafe {
                let words = _mm512_loadu_si512(chunk.as_ptr().cast());
                _mm512_test_epi64_mask(words, words)
            };
            used |= u64::from(words) << (index * 8 % 64);
        }
        // SAFETY: see above; the mask keeps the load within the rest.
        let words = unsafe {
            let words = _mm512_maskz_loadu_epi64(((1u16 << rest.len()) - 1) as u8, rest.as_ptr().cast());
            _mm512_test_epi64_mask(words, words)
        };
        used | u64::from(words) << (chunks.len() * 8 % 64)
    }

    #[inline(always)]
    fn count(mask: &[u64]) -> u32 {
        let (chunks, rest) = mask.as_chunks::<8>();
        // SAFETY: see above; the mask keeps the load within the rest.
        unsafe {
            let last = _mm512_maskz_loadu_epi64(((1u16 << rest.len()) - 1) as u8, rest.as_ptr().cast());
            let mut count = _mm512_popcnt_epi64(last);
            for chunk in chunks {
                let words = _mm512_popcnt_epi64(_mm512_loadu_si512(chunk.as_ptr().cast()));
                count = _mm512_add_epi64(count, words);
            }
            _mm512_reduce_add_epi64(count) as u32
        }
    }

    #[inline(always)]
    fn count_squares(sets: &[Self]) -> u64 {
        // SAFETY: see above.
        unsafe {
            let mut count = _mm512_setzero_si512();
            for set in sets {
                count = _mm512_add_epi64(count, _mm512_popcnt_epi64(set.0));
                count = _mm512_add_epi64(count, _mm512_popcnt_epi64(set.1));
            }
            _mm512_reduce_add_epi64(count) as u64
        }
    }

    #[inline(always)]
    fn nth_bit(word: u64, n: u32) -> u32 {
        // SAFETY: see above.
        unsafe { _pdep_u64(1 << n, word).trailing_zeros() }
    }

    #[inline(always)]
    fn add_actions(group: &Group, origins: [u64; 2], mask: &mut [u64]) {
        // SAFETY: see above.
        unsafe { gather(group, origins, mask) }
    }
}
