//! Two boards at a time in SSE2, which every x86-64 processor has.

use core::arch::x86_64::{
    __m128i, _mm_and_si128, _mm_andnot_si128, _mm_castsi128_pd, _mm_cmpeq_epi32, _mm_cvtsi32_si128, _mm_loadu_si128,
    _mm_movemask_pd, _mm_or_si128, _mm_set_epi64x, _mm_set1_epi8, _mm_set1_epi32, _mm_set1_epi64x, _mm_setzero_si128,
    _mm_shuffle_epi32, _mm_shufflehi_epi16, _mm_shufflelo_epi16, _mm_sll_epi64, _mm_slli_epi16, _mm_srl_epi64,
    _mm_srli_epi16, _mm_storeu_si128,
};

use super::Lanes;
use crate::bitboard::Bitboard;
use crate::vector::block::{LANES, Octet};

/// The sets of two boards: low words, high words.
#[derive(Clone, Copy)]
pub(in crate::vector) struct Sse2(__m128i, __m128i);

impl Sse2 {
    /// Spreads the low two bits to two numbers, all ones or all zeros.
    #[inline(always)]
    fn spread(boards: u8) -> __m128i {
        const MASKS: [[u64; 2]; 4] = [[0, 0], [u64::MAX, 0], [0, u64::MAX], [u64::MAX, u64::MAX]];
        // SAFETY: see below.
        unsafe { _mm_loadu_si128(MASKS[usize::from(boards & 3)].as_ptr().cast()) }
    }

    /// Reverses the bits of each number.
    #[inline(always)]
    fn reverse(words: __m128i) -> __m128i {
        // SAFETY: see below.
        unsafe {
            let swap = |words, mask: i8| {
                (_mm_and_si128(words, _mm_set1_epi8(mask)), _mm_andnot_si128(_mm_set1_epi8(mask), words))
            };
            let (even, odd) = swap(words, 0x55);
            let words = _mm_or_si128(_mm_slli_epi16::<1>(even), _mm_srli_epi16::<1>(odd));
            let (even, odd) = swap(words, 0x33);
            let words = _mm_or_si128(_mm_slli_epi16::<2>(even), _mm_srli_epi16::<2>(odd));
            let (even, odd) = swap(words, 0x0F);
            let words = _mm_or_si128(_mm_slli_epi16::<4>(even), _mm_srli_epi16::<4>(odd));
            let words = _mm_or_si128(_mm_slli_epi16::<8>(words), _mm_srli_epi16::<8>(words));
            _mm_shufflehi_epi16::<0b00_01_10_11>(_mm_shufflelo_epi16::<0b00_01_10_11>(words))
        }
    }

    /// Gives all ones for each of two numbers that is zero.
    #[inline(always)]
    fn zeros(words: __m128i) -> __m128i {
        // SAFETY: see below.
        unsafe {
            let zero = _mm_cmpeq_epi32(words, _mm_setzero_si128());
            _mm_and_si128(zero, _mm_shuffle_epi32::<0b10_11_00_01>(zero))
        }
    }
}

// SAFETY (of every block above and below): SSE2 is part of x86-64; loads and stores are unaligned
// ones of 16 bytes within the array, since `at` is even.
impl Lanes for Sse2 {
    const COUNT: usize = 2;
    type Words = __m128i;

    #[inline(always)]
    fn load(octet: &Octet, at: usize) -> Self {
        let (lo, hi) = (&octet.lo[at..][..2], &octet.hi[at..][..2]);
        // SAFETY: see above.
        unsafe { Self(_mm_loadu_si128(lo.as_ptr().cast()), _mm_loadu_si128(hi.as_ptr().cast())) }
    }

    #[inline(always)]
    fn store(self, octet: &mut Octet, at: usize) {
        let (lo, hi) = (&mut octet.lo[at..][..2], &mut octet.hi[at..][..2]);
        // SAFETY: see above.
        unsafe {
            _mm_storeu_si128(lo.as_mut_ptr().cast(), self.0);
            _mm_storeu_si128(hi.as_mut_ptr().cast(), self.1);
        }
    }

    #[inline(always)]
    fn splat(set: Bitboard) -> Self {
        // SAFETY: see above.
        unsafe { Self(_mm_set1_epi64x(set.0 as i64), _mm_set1_epi64x((set.0 >> 64) as i64)) }
    }

    #[inline(always)]
    fn squares(numbers: &[u64; LANES], at: usize) -> Self {
        let (first, second) = (numbers[at], numbers[at + 1]);
        let lo = [u64::from(first < 64) << (first & 63), u64::from(second < 64) << (second & 63)];
        let hi = [u64::from(first >> 6 == 1) << (first & 63), u64::from(second >> 6 == 1) << (second & 63)];
        // SAFETY: see above.
        unsafe { Self(_mm_set_epi64x(lo[1] as i64, lo[0] as i64), _mm_set_epi64x(hi[1] as i64, hi[0] as i64)) }
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: see above.
        unsafe { Self(_mm_and_si128(self.0, other.0), _mm_and_si128(self.1, other.1)) }
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: see above.
        unsafe { Self(_mm_or_si128(self.0, other.0), _mm_or_si128(self.1, other.1)) }
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        // SAFETY: see above.
        unsafe { Self(_mm_andnot_si128(other.0, self.0), _mm_andnot_si128(other.1, self.1)) }
    }

    #[inline(always)]
    fn up(self, by: u32) -> Self {
        // SAFETY: see above.
        unsafe {
            let (by, rest) = (_mm_cvtsi32_si128(by as i32), _mm_cvtsi32_si128(64 - by as i32));
            let carried = _mm_srl_epi64(self.0, rest);
            Self(_mm_sll_epi64(self.0, by), _mm_or_si128(_mm_sll_epi64(self.1, by), carried))
        }
    }

    #[inline(always)]
    fn down(self, by: u32) -> Self {
        // SAFETY: see above.
        unsafe {
            let (by, rest) = (_mm_cvtsi32_si128(by as i32), _mm_cvtsi32_si128(64 - by as i32));
            let carried = _mm_sll_epi64(self.1, rest);
            Self(_mm_or_si128(_mm_srl_epi64(self.0, by), carried), _mm_srl_epi64(self.1, by))
        }
    }

    #[inline(always)]
    fn up_within(self, by: u32) -> Self {
        // SAFETY: see above.
        unsafe {
            let by = _mm_cvtsi32_si128(by as i32);
            Self(_mm_sll_epi64(self.0, by), _mm_sll_epi64(self.1, by))
        }
    }

    #[inline(always)]
    fn down_within(self, by: u32) -> Self {
        // SAFETY: see above.
        unsafe {
            let by = _mm_cvtsi32_si128(by as i32);
            Self(_mm_srl_epi64(self.0, by), _mm_srl_epi64(self.1, by))
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
            let (from, rest) = (_mm_cvtsi32_si128(from as i32), _mm_cvtsi32_si128(64 - from as i32));
            Self(_mm_or_si128(self.0, _mm_sll_epi64(self.1, from)), _mm_srl_epi64(self.1, rest))
        }
    }

    #[inline(always)]
    fn back(self, downs: &[u64; LANES], ups: &[u64; LANES], at: usize) -> Self {
        let (mut lo, mut hi) = ([0u64; 2], [0u64; 2]);
        // SAFETY: see above.
        unsafe {
            _mm_storeu_si128(lo.as_mut_ptr().cast(), self.0);
            _mm_storeu_si128(hi.as_mut_ptr().cast(), self.1);
        }
        for lane in 0..2 {
            let set = u128::from(lo[lane]) | u128::from(hi[lane]) << 64;
            let set = set >> (downs[at + lane] & 63) << (ups[at + lane] & 63);
            (lo[lane], hi[lane]) = (set as u64, (set >> 64) as u64);
        }
        // SAFETY: see above.
        unsafe { Self(_mm_set_epi64x(lo[1] as i64, lo[0] as i64), _mm_set_epi64x(hi[1] as i64, hi[0] as i64)) }
    }

    #[inline(always)]
    fn reversed(self) -> Self {
        Self(Self::reverse(self.1), Self::reverse(self.0))
    }

    #[inline(always)]
    fn on(self, boards: u8, other: Self) -> Self {
        let boards = Self::spread(boards);
        // SAFETY: see above.
        unsafe {
            Self(
                _mm_or_si128(_mm_and_si128(boards, self.0), _mm_andnot_si128(boards, other.0)),
                _mm_or_si128(_mm_and_si128(boards, self.1), _mm_andnot_si128(boards, other.1)),
            )
        }
    }

    #[inline(always)]
    fn only_on(self, boards: u8) -> Self {
        let boards = Self::spread(boards);
        // SAFETY: see above.
        unsafe { Self(_mm_and_si128(self.0, boards), _mm_and_si128(self.1, boards)) }
    }

    #[inline(always)]
    fn present(self) -> u8 {
        // SAFETY: see above.
        unsafe { !_mm_movemask_pd(_mm_castsi128_pd(Self::zeros(_mm_or_si128(self.0, self.1)))) as u8 & 3 }
    }

    #[inline(always)]
    fn no_words() -> __m128i {
        // SAFETY: see above.
        unsafe { _mm_setzero_si128() }
    }

    #[inline(always)]
    fn mark(words: __m128i, set: Self, bit: u32) -> __m128i {
        // SAFETY: see above.
        unsafe {
            // Each half of a number for itself; `store_words` puts the two together.
            let empty = _mm_cmpeq_epi32(_mm_or_si128(set.0, set.1), _mm_setzero_si128());
            _mm_or_si128(words, _mm_andnot_si128(empty, _mm_set1_epi32(1 << bit)))
        }
    }

    #[inline(always)]
    fn store_words(words: __m128i, out: &mut [u16; LANES], at: usize) {
        let mut wide = [0u64; 2];
        // SAFETY: see above.
        unsafe { _mm_storeu_si128(wide.as_mut_ptr().cast(), words) }
        (out[at], out[at + 1]) = ((wide[0] | wide[0] >> 32) as u16, (wide[1] | wide[1] >> 32) as u16);
    }
}
