//! Answers of a perceptron for search, computed here instead of by burn.
//!
//! Observations have few ones, so the first layer adds up the rows of those; of the policy, only the
//! logits of legal actions are worked out. Sums stay in vector registers, by the `pulp` crate that
//! burn's matrix products use too. A row's answer has the same bits whatever else is in the batch.
//! `cargo bench -p damma-trainer --bench network` compares with burn on the same weights.

#![expect(clippy::inline_always, reason = "what is compiled apart gets none of the caller's instructions")]

use std::ops::Range;

use pulp::{Arch, Simd, WithSimd};

use super::layers::{POLICY_BIAS, POLICY_WEIGHT};
use super::weights::Weights;
use crate::search::{Evaluations, Leaves, softmax};

/// Trunks are filled up with zeros to a multiple of this many numbers: four of the widest vectors.
const FILL: usize = 64;
/// Layers inside a block and the heads' are filled up to two of the widest vectors.
const INNER_FILL: usize = 32;
/// Vectors of a first layer or a product that are summed at once, enough to hide an addition's latency.
const VECTORS: usize = 4;
/// Rows and vectors of a dense layer that are summed at once.
const TILE: (usize, usize) = (4, 2);

/// The weights of a perceptron, laid out for one position after another.
#[derive(Clone, Debug)]
pub(super) struct Kernel {
    input: Layer,
    /// What is multiplied with the input layer, number by number, if anything is.
    factor: Option<Layer>,
    blocks: Vec<(Layer, Layer)>,
    value: Layer,
    outcome: Layer,
    /// Rows of the policy, one for each action, as wide as the trunk.
    policy: Vec<f32>,
    policy_bias: Vec<f32>,
}

/// A layer whose rows, one for each input, are filled up to whole vectors.
#[derive(Clone, Debug)]
struct Layer {
    width: usize,
    weights: Vec<f32>,
    bias: Vec<f32>,
}

impl Kernel {
    /// Lays out the weights of a perceptron with so many blocks, which begins with `products` or without.
    pub(super) fn new(blocks: usize, products: bool, weights: &Weights) -> Self {
        let trunk = |name: &str| Layer::new(weights, name, FILL);
        let inner = |name: &str| Layer::new(weights, name, INNER_FILL);
        let policy = weights.get(POLICY_WEIGHT);
        let rows = policy.values.chunks_exact(policy.dims[1]);
        let hidden = policy.dims[1];
        let half = |begin: usize| Layer::part(weights, "input", begin..begin + hidden, FILL);
        Self {
            input: half(0),
            factor: products.then(|| half(hidden)),
            blocks: (0..blocks)
                .map(|index| (inner(&format!("blocks.{index}.first")), trunk(&format!("blocks.{index}.second"))))
                .collect(),
            value: inner("value"),
            outcome: inner("outcome"),
            policy: rows.flat_map(|row| filled(row, FILL)).collect(),
            policy_bias: weights.get(POLICY_BIAS).values.clone(),
        }
    }

    /// Answers for a batch of positions.
    pub(super) fn evaluate(&self, leaves: &Leaves) -> Evaluations {
        Arch::new().dispatch(Job { kernel: self, leaves })
    }
}

impl Layer {
    fn new(weights: &Weights, name: &str, fill: usize) -> Self {
        let width = weights.get(&format!("{name}.bias")).dims[0];
        Self::part(weights, name, 0..width, fill)
    }

    /// Lays out some of a layer's outputs.
    fn part(weights: &Weights, name: &str, outputs: Range<usize>, fill: usize) -> Self {
        let matrix = weights.get(&format!("{name}.weight"));
        let bias = filled(&weights.get(&format!("{name}.bias")).values[outputs.clone()], fill);
        let rows = matrix.values.chunks_exact(matrix.dims[1]);
        Self { width: bias.len(), weights: rows.flat_map(|row| filled(&row[outputs.clone()], fill)).collect(), bias }
    }
}

/// Fills a row up with zeros to a multiple of `fill` numbers.
fn filled(values: &[f32], fill: usize) -> Vec<f32> {
    let mut row = values.to_vec();
    row.resize(row.len().next_multiple_of(fill), 0.0);
    row
}

/// An evaluation with whatever vectors the machine has.
struct Job<'a> {
    kernel: &'a Kernel,
    leaves: &'a Leaves,
}

impl WithSimd for Job<'_> {
    type Output = Evaluations;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Evaluations {
        let Self { kernel, leaves } = self;
        let width = kernel.input.width;
        let mut trunk = vec![0.0; leaves.len() * width];
        for (row, out) in trunk.chunks_exact_mut(width).enumerate() {
            first_layer(simd, kernel, leaves, row, out);
        }
        let (mut inner, mut outer) = (Vec::new(), Vec::new());
        for (first, second) in &kernel.blocks {
            dense(simd, first, &trunk, width, &mut inner);
            rectify(simd, &mut inner);
            dense(simd, second, &inner, first.width, &mut outer);
            for (sum, value) in trunk.iter_mut().zip(&outer) {
                *sum += value;
            }
            rectify(simd, &mut trunk);
        }
        dense(simd, &kernel.value, &trunk, width, &mut inner);
        rectify(simd, &mut inner);
        dense(simd, &kernel.outcome, &inner, kernel.value.width, &mut outer);
        let mut wdl = Vec::with_capacity(leaves.len() * 3);
        for row in outer.chunks_exact(kernel.outcome.width) {
            wdl.extend_from_slice(&row[..3]);
        }
        wdl.chunks_exact_mut(3).for_each(softmax);
        let mut logits = Vec::with_capacity(leaves.action_count());
        for (row, hidden) in trunk.chunks_exact(width).enumerate() {
            for action in leaves.actions(row) {
                let index = action.index();
                let weights = &kernel.policy[index * width..][..width];
                logits.push(kernel.policy_bias[index] + product(simd, hidden, weights));
            }
        }
        Evaluations { logits, wdl }
    }
}

/// Works the first layer out: rectified sums, or products of sums clipped to 0 to 1.
#[inline(always)]
fn first_layer<S: Simd>(simd: S, kernel: &Kernel, leaves: &Leaves, row: usize, out: &mut [f32]) {
    let (zero, one) = (simd.splat_f32s(0.0), simd.splat_f32s(1.0));
    let out = S::as_mut_simd_f32s(out).0;
    for (group, out) in out.as_chunks_mut::<VECTORS>().0.iter_mut().enumerate() {
        let sums = first_sums(simd, &kernel.input, leaves, row, group * VECTORS);
        let Some(factor) = &kernel.factor else {
            *out = sums.map(|sum| simd.max_f32s(sum, zero));
            continue;
        };
        let clip = |sum| simd.min_f32s(simd.max_f32s(sum, zero), one);
        let factors = first_sums(simd, factor, leaves, row, group * VECTORS);
        for lane in 0..VECTORS {
            out[lane] = simd.mul_f32s(clip(sums[lane]), clip(factors[lane]));
        }
    }
}

/// Adds up the rows of what is not 0 in an observation, some vectors of them.
#[inline(always)]
fn first_sums<S: Simd>(simd: S, layer: &Layer, leaves: &Leaves, row: usize, from: usize) -> [S::f32s; VECTORS] {
    let part = |place: usize| -> [S::f32s; VECTORS] {
        group(&S::as_simd_f32s(&layer.weights[place * layer.width..][..layer.width]).0[from..])
    };
    let mut sums: [S::f32s; VECTORS] = group(&S::as_simd_f32s(&layer.bias).0[from..]);
    for &place in leaves.ones(row) {
        let weights = part(usize::from(place));
        for lane in 0..VECTORS {
            sums[lane] = simd.add_f32s(sums[lane], weights[lane]);
        }
    }
    for (places, constant) in leaves.constants(row) {
        let constant = simd.splat_f32s(constant);
        for place in places {
            let weights = part(place);
            for lane in 0..VECTORS {
                sums[lane] = simd.mul_add_e_f32s(constant, weights[lane], sums[lane]);
            }
        }
    }
    sums
}

/// Multiplies rows of `stride` numbers by a layer.
#[inline(always)]
fn dense<S: Simd>(simd: S, layer: &Layer, input: &[f32], stride: usize, out: &mut Vec<f32>) {
    let rows = input.len() / stride;
    out.clear();
    out.resize(rows * layer.width, 0.0);
    let mut row = 0;
    while row < rows {
        let (input, out) = (&input[row * stride..], &mut out[row * layer.width..]);
        if row + TILE.0 <= rows {
            dense_rows::<S, { TILE.0 }>(simd, layer, input, stride, out);
            row += TILE.0;
        } else {
            dense_rows::<S, 1>(simd, layer, input, stride, out);
            row += 1;
        }
    }
}

/// Multiplies a few rows by a layer.
#[inline(always)]
fn dense_rows<S: Simd, const ROWS: usize>(simd: S, layer: &Layer, input: &[f32], stride: usize, out: &mut [f32]) {
    let inputs = layer.weights.len() / layer.width;
    let (bias, weights) = (S::as_simd_f32s(&layer.bias).0, S::as_simd_f32s(&layer.weights).0);
    let width = bias.len();
    let out = S::as_mut_simd_f32s(out).0;
    let mut from = 0;
    while from < width {
        let start: [S::f32s; TILE.1] = group(&bias[from..]);
        let mut sums = [start; ROWS];
        for place in 0..inputs {
            let weights: [S::f32s; TILE.1] = group(&weights[place * width + from..]);
            for row in 0..ROWS {
                let value = simd.splat_f32s(input[row * stride + place]);
                for lane in 0..TILE.1 {
                    sums[row][lane] = simd.mul_add_e_f32s(value, weights[lane], sums[row][lane]);
                }
            }
        }
        for row in 0..ROWS {
            for lane in 0..TILE.1 {
                out[row * width + from + lane] = sums[row][lane];
            }
        }
        from += TILE.1;
    }
}

/// Multiplies two vectors.
#[inline(always)]
fn product<S: Simd>(simd: S, left: &[f32], right: &[f32]) -> f32 {
    let (left, right) = (S::as_simd_f32s(left).0, S::as_simd_f32s(right).0);
    let mut sums = [simd.splat_f32s(0.0); VECTORS];
    let mut from = 0;
    while from < left.len() {
        let (left, right): ([S::f32s; VECTORS], [S::f32s; VECTORS]) = (group(&left[from..]), group(&right[from..]));
        for lane in 0..VECTORS {
            sums[lane] = simd.mul_add_e_f32s(left[lane], right[lane], sums[lane]);
        }
        from += VECTORS;
    }
    let [first, second, third, fourth] = sums;
    simd.reduce_sum_f32s(simd.add_f32s(simd.add_f32s(first, second), simd.add_f32s(third, fourth)))
}

#[inline(always)]
fn rectify<S: Simd>(simd: S, values: &mut [f32]) {
    let zero = simd.splat_f32s(0.0);
    for value in S::as_mut_simd_f32s(values).0 {
        *value = simd.max_f32s(*value, zero);
    }
}

/// Takes the first vectors of a row.
#[inline(always)]
fn group<V: Copy, const COUNT: usize>(row: &[V]) -> [V; COUNT] {
    *row.first_chunk().expect("rows are filled up to whole groups")
}
