//! Four boards at a time in AVX2, as most x86 processors since 2013 have it.

use core::arch::x86_64::{
    __m256i, _mm_add_epi64, _mm_extract_epi64, _mm256_add_epi8, _mm256_and_si256, _mm256_andnot_si256,
    _mm256_blendv_epi8, _mm256_castsi256_pd, _mm256_castsi256_si128, _mm256_cmpeq_epi8, _mm256_cmpeq_epi64,
    _mm256_extracti128_si256, _mm256_loadu_si256, _mm256_movemask_pd, _mm256_or_si256, _mm256_sad_epu8,
    _mm256_set1_epi8, _mm256_set1_epi32, _mm256_set1_epi64x, _mm256_setr_epi8, _mm256_setr_epi64x,
    _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_sllv_epi64, _mm256_srli_epi16, _mm256_srlv_epi64,
    _mm256_storeu_si256, _mm256_sub_epi64, _pdep_u64,
};

use super::{Lanes, gather};
use crate::bitboard::Bitboard;
use crate::vector::block::{LANES, Octet};
use crate::vector::groups::Group;

/// The sets of four boards: low words, high words.
///
/// May be named only where [`Avx2::is_available`] has said yes.
#[derive(Clone, Copy)]
pub(in crate::vector) struct Avx2(__m256i, __m256i);

impl Avx2 {
    /// Says whether this machine has every instruction that is used here.
    pub(in crate::vector) fn is_available() -> bool {
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
    }

    /// Reverses the bits of each number; a function and not a closure, which would not be inlined
    /// and then lack the instructions.
    #[inline(always)]
    fn reverse(words: __m256i) -> __m256i {
        // SAFETY: see below.
        unsafe {
            let nibbles = _mm256_setr_epi8(
                0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15, 0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7,
                15,
            );
            let bytes = _mm256_setr_epi8(
                7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10,
                9, 8,
            );
            let low = _mm256_set1_epi8(15);
            let words = _mm256_shuffle_epi8(words, bytes);
            let lower = _mm256_shuffle_epi8(nibbles, _mm256_and_si256(words, low));
            let upper = _mm256_shuffle_epi8(nibbles, _mm256_and_si256(_mm256_srli_epi16::<4>(words), low));
            // A nibble fits in the upper half of its byte, so no bit crosses into the next.
            _mm256_or_si256(_mm256_sllv_epi64(lower, _mm256_set1_epi64x(4)), upper)
        }
    }

    /// Counts the bits of each byte.
    #[inline(always)]
    fn count_bytes(words: __m256i) -> __m256i {
        // SAFETY: see below.
        unsafe {
            let nibbles = _mm256_setr_epi8(
                0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
            );
            let low = _mm256_set1_epi8(15);
            let lower = _mm256_shuffle_epi8(nibbles, _mm256_and_si256(words, low));
            let upper = _mm256_shuffle_epi8(nibbles, _mm256_and_si256(_mm256_srli_epi16::<4>(words), low));
            _mm256_add_epi8(lower, upper)
        }
    }

    /// Spreads the low four bits to four numbers, all ones or all zeros.
    #[inline(always)]
    fn spread(boards: u8) -> __m256i {
        // SAFETY: see below.
        unsafe {
            let bits = _mm256_setr_epi64x(1, 2, 4, 8);
            _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x(boards.into()), bits), bits)
        }
    }
}

// SAFETY (of every block below): the instructions are there, since the type is named only behind
// `is_available`; loads and stores are unaligned ones of 32 bytes within the array, since `at` is
// 0 or 4.
impl Lanes for Avx2 {
    const COUNT: usize = 4;
    type Words = __m256i;

    #[inline(always)]
    fn load(octet: &Octet, at: usize) -> Self {
        let (lo, hi) = (&octet.lo[at..][..4], &octet.hi[at..][..4]);
        // SAFETY: see above.
        unsafe { Self(_mm256_loadu_si256(lo.as_ptr().cast()), _mm256_loadu_si256(hi.as_ptr().cast())) }
    }

    #[inline(always)]
    fn store(self, octet: &mut Octet, at: usize) {
        let (lo, hi) = (&mut octet.lo[at..][..4], &mut octet.hi[at..][..4]);
        // SAFETY: see above.
        unsafe {
            _mm256_storeu_si256(lo.as_mut_ptr().cast(), self.0);
            _mm256_storeu_si256(hi.as_mut_ptr().cast(), self.1);
        }
    }

    #[inline(always)]
    fn splat(set: Bitboard) -> Self {
        // SAFETY: see above.
        unsafe { Self(_mm256_set1_epi64x(set.0 as i64), _mm256_set1_epi64x((set.0 >> 64) as i64)) }
    }

    #[inline(always)]
    fn squares(numbers: &[u64; LANES], at: usize) -> Self {
        let numbers = &numbers[at..][..4];
        // SAFETY: see above.
        unsafe {
            let (one, numbers) = (_mm256_set1_epi64x(1), _mm256_loadu_si256(numbers.as_ptr().cast()));
            let above = _mm256_sub_epi64(numbers, _mm256_set1_epi64x(64));
            // A count of 64 or more, below zero included, gives no bit.
            Self(_mm256_sllv_epi64(one, numbers), _mm256_sllv_epi64(one, above))
        }
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: see above.
        unsafe { Self(_mm256_and_si256(self.0, other.0), _mm256_and_si256(self.1, other.1)) }
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: see above.
        unsafe { Self(_mm256_or_si256(self.0, other.0), _mm256_or_si256(self.1, other.1)) }
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        // SAFETY: see above.
        unsafe { Self(_mm256_andnot_si256(other.0, self.0), _mm256_andnot_si256(other.1, self.1)) }
    }

    #[inline(always)]
    fn up(self, by: u32) -> Self {
        // SAFETY: see above.
        unsafe {
            let (by, rest) = (_mm256_set1_epi64x(by.into()), _mm256_set1_epi64x((64 - by).into()));
            let carried = _mm256_srlv_epi64(self.0, rest);
            Self(_mm256_sllv_epi64(self.0, by), _mm256_or_si256(_mm256_sllv_epi64(self.1, by), carried))
        }
    }

    #[inline(always)]
    fn down(self, by: u32) -> Self {
        // SAFETY: see above.
        unsafe {
            let (by, rest) = (_mm256_set1_epi64x(by.into()), _mm256_set1_epi64x((64 - by).into()));
            let carried = _mm256_sllv_epi64(self.1, rest);
            Self(_mm256_or_si256(_mm256_srlv_epi64(self.0, by), carried), _mm256_srlv_epi64(self.1, by))
        }
    }

    #[inline(always)]
    fn up_within(self, by: u32) -> Self {
        // SAFETY: see above.
        unsafe {
            let by = _mm256_set1_epi64x(by.into());
            Self(_mm256_sllv_epi64(self.0, by), _mm256_sllv_epi64(self.1, by))
        }
    }

    #[inline(always)]
    fn down_within(self, by: u32) -> Self {
        // SAFETY: see above.
        unsafe {
            let by = _mm256_set1_epi64x(by.into());
            Self(_mm256_srlv_epi64(self.0, by), _mm256_srlv_epi64(self.1, by))
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
            let (from, rest) = (_mm256_set1_epi64x(from.into()), _mm256_set1_epi64x((64 - from).into()));
            Self(_mm256_or_si256(self.0, _mm256_sllv_epi64(self.1, from)), _mm256_srlv_epi64(self.1, rest))
        }
    }

    #[inline(always)]
    fn back(self, downs: &[u64; LANES], ups: &[u64; LANES], at: usize) -> Self {
        let (downs, ups) = (&downs[at..][..4], &ups[at..][..4]);
        // SAFETY: see above.
        unsafe {
            let (down, up) = (_mm256_loadu_si256(downs.as_ptr().cast()), _mm256_loadu_si256(ups.as_ptr().cast()));
            let word = _mm256_set1_epi64x(64);
            // A count of 64 carries nothing over.
            let carried = _mm256_sllv_epi64(self.1, _mm256_sub_epi64(word, down));
            let lo = _mm256_or_si256(_mm256_srlv_epi64(self.0, down), carried);
            let hi = _mm256_srlv_epi64(self.1, down);
            let carried = _mm256_srlv_epi64(lo, _mm256_sub_epi64(word, up));
            Self(_mm256_sllv_epi64(lo, up), _mm256_or_si256(_mm256_sllv_epi64(hi, up), carried))
        }
    }

    #[inline(always)]
    fn reversed(self) -> Self {
        Self(Self::reverse(self.1), Self::reverse(self.0))
    }

    #[inline(always)]
    fn on(self, boards: u8, other: Self) -> Self {
        let boards = Self::spread(boards);
        // SAFETY: see above.
        unsafe { Self(_mm256_blendv_epi8(other.0, self.0, boards), _mm256_blendv_epi8(other.1, self.1, boards)) }
    }

    #[inline(always)]
    fn only_on(self, boards: u8) -> Self {
        let boards = Self::spread(boards);
        // SAFETY: see above.
        unsafe { Self(_mm256_and_si256(self.0, boards), _mm256_and_si256(self.1, boards)) }
    }

    #[inline(always)]
    fn present(self) -> u8 {
        // SAFETY: see above.
        unsafe {
            let empty = _mm256_cmpeq_epi64(_mm256_or_si256(self.0, self.1), _mm256_setzero_si256());
            !_mm256_movemask_pd(_mm256_castsi256_pd(empty)) as u8 & 15
        }
    }

    #[inline(always)]
    fn no_words() -> __m256i {
        // SAFETY: see above.
        unsafe { _mm256_setzero_si256() }
    }

    #[inline(always)]
    fn mark(words: __m256i, set: Self, bit: u32) -> __m256i {
        // SAFETY: see above.
        unsafe {
            let empty = _mm256_cmpeq_epi64(_mm256_or_si256(set.0, set.1), _mm256_setzero_si256());
            _mm256_or_si256(words, _mm256_andnot_si256(empty, _mm256_set1_epi64x((1u64 << bit) as i64)))
        }
    }

    #[inline(always)]
    fn store_words(words: __m256i, out: &mut [u16; LANES], at: usize) {
        let mut wide = [0u64; 4];
        // SAFETY: see above.
        unsafe { _mm256_storeu_si256(wide.as_mut_ptr().cast(), words) }
        for (out, word) in out[at..].iter_mut().zip(wide) {
            *out = word as u16;
        }
    }

    #[inline(always)]
    fn expand(word: u64, out: &mut [u8; 64]) {
        // SAFETY: see above.
        unsafe {
            let bits = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
            let bytes = _mm256_setr_epi8(
                0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3,
            );
            for (half, out) in [word as u32, (word >> 32) as u32].into_iter().zip(out.as_chunks_mut::<32>().0) {
                let spread = _mm256_shuffle_epi8(_mm256_set1_epi32(half as i32), bytes);
                let set = _mm256_cmpeq_epi8(_mm256_and_si256(spread, bits), bits);
                _mm256_storeu_si256(out.as_mut_ptr().cast(), _mm256_and_si256(set, _mm256_set1_epi8(1)));
            }
        }
    }

    #[inline(always)]
    fn count_squares(sets: &[Self]) -> u64 {
        // SAFETY: see above.
        unsafe {
            // Byte by byte: eight sets come to 128 at most.
            let mut bytes = _mm256_setzero_si256();
            for set in sets {
                let both = _mm256_add_epi8(Self::count_bytes(set.0), Self::count_bytes(set.1));
                bytes = _mm256_add_epi8(bytes, both);
            }
            let sums = _mm256_sad_epu8(bytes, _mm256_setzero_si256());
            let half = _mm_add_epi64(_mm256_castsi256_si128(sums), _mm256_extracti128_si256::<1>(sums));
            (_mm_extract_epi64::<0>(half) + _mm_extract_epi64::<1>(half)) as u64
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
