//! The residual multilayer perceptron: matrix products only, which a CPU does near its peak.

use burn::module::Module;
use burn::nn::Linear;
use burn::tensor::Tensor;
use burn::tensor::activation::relu;

use super::body::Features;
use super::layers::{HEAD, HIDDEN, Policy, Source, ZERO};
use super::{NetworkError, NetworkShape};

/// Width of the hidden layer of the value head.
const VALUE_HIDDEN: usize = 64;

/// One input layer, residual blocks of constant width, and two heads.
#[derive(Module, Debug)]
pub(crate) struct Mlp {
    products: bool,
    input: Linear,
    blocks: Vec<Block>,
    policy: Policy,
    value: Linear,
    outcome: Linear,
    turns: Option<Linear>,
}

/// Two layers around a shortcut: `x` becomes `relu(x + second(relu(first(x))))`.
#[derive(Module, Debug)]
struct Block {
    first: Linear,
    second: Linear,
}

impl Mlp {
    /// Builds the network with `blocks` blocks around layers of the width `inner`, behind a first layer whose
    /// numbers are multiplied in pairs where there are `products`.
    pub(super) fn build(
        [hidden, inner]: [usize; 2],
        blocks: usize,
        products: bool,
        turns_left: bool,
        shape: NetworkShape,
        source: &mut Source<'_>,
    ) -> Result<Self, NetworkError> {
        let input = source.linear("input", shape.inputs(), if products { 2 * hidden } else { hidden }, HIDDEN)?;
        let blocks = (0..blocks)
            .map(|index| {
                let name = format!("blocks.{index}");
                Ok(Block {
                    first: source.linear(&format!("{name}.first"), hidden, inner, HIDDEN)?,
                    second: source.linear(&format!("{name}.second"), inner, hidden, ZERO)?,
                })
            })
            .collect::<Result<_, NetworkError>>()?;
        Ok(Self {
            products,
            input,
            blocks,
            policy: source.policy(hidden, shape.actions)?,
            value: source.linear("value", hidden, VALUE_HIDDEN, HIDDEN)?,
            outcome: source.linear("outcome", VALUE_HIDDEN, 3, HEAD)?,
            turns: turns_left.then(|| source.linear("turns", VALUE_HIDDEN, 1, HEAD)).transpose()?,
        })
    }

    /// The layer that makes policy logits of features.
    pub(super) fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Features of observations `[B, C * H * W]`.
    pub(super) fn features(&self, observations: Tensor<2>) -> Features {
        let first = self.input.forward(observations);
        let mut trunk = if self.products { multiply_pairs(first) } else { relu(first) };
        for block in &self.blocks {
            let inner = relu(block.first.forward(trunk.clone()));
            trunk = relu(trunk + block.second.forward(inner));
        }
        let value = relu(self.value.forward(trunk.clone()));
        let turns = self.turns.as_ref().map(|turns| turns.forward(value.clone()));
        Features { policy: trunk, value: self.outcome.forward(value), turns }
    }
}

/// Multiplies the two halves `[B, 2 * H]`, clipped to 0 to 1: a unit then answers to two things at once, as in
/// the evaluation networks of chess engines (<https://github.com/official-stockfish/nnue-pytorch/blob/master/docs/nnue.md>).
fn multiply_pairs(first: Tensor<2>) -> Tensor<2> {
    let half = first.dims()[1] / 2;
    let clipped = first.clamp(0.0, 1.0);
    clipped.clone().narrow(1, 0, half) * clipped.narrow(1, half, half)
}
