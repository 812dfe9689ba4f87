//! The residual multilayer perceptron: matrix products only, which a CPU does near its peak.

use burn::module::Module;
use burn::nn::Linear;
use burn::tensor::Tensor;
use burn::tensor::activation::relu;

use super::layers::{HEAD, HIDDEN, Policy, Source, ZERO};
use super::{NetworkError, NetworkShape};

/// Width of the hidden layer of the value head.
const VALUE_HIDDEN: usize = 64;

/// One input layer, residual blocks of constant width, and two heads.
#[derive(Module, Debug)]
pub(crate) struct Mlp {
    input: Linear,
    blocks: Vec<Block>,
    policy: Policy,
    value: Linear,
    outcome: Linear,
}

/// Two layers around a shortcut: `x` becomes `relu(x + second(relu(first(x))))`.
#[derive(Module, Debug)]
struct Block {
    first: Linear,
    second: Linear,
}

impl Mlp {
    /// Builds the network with `blocks` blocks of width `hidden`.
    pub(super) fn build(
        hidden: usize,
        blocks: usize,
        shape: NetworkShape,
        source: &mut Source<'_>,
    ) -> Result<Self, NetworkError> {
        let input = source.linear("input", shape.inputs(), hidden, HIDDEN)?;
        let blocks = (0..blocks)
            .map(|index| {
                let name = format!("blocks.{index}");
                Ok(Block {
                    first: source.linear(&format!("{name}.first"), hidden, hidden, HIDDEN)?,
                    second: source.linear(&format!("{name}.second"), hidden, hidden, ZERO)?,
                })
            })
            .collect::<Result<_, NetworkError>>()?;
        Ok(Self {
            input,
            blocks,
            policy: source.policy(hidden, shape.actions)?,
            value: source.linear("value", hidden, VALUE_HIDDEN, HIDDEN)?,
            outcome: source.linear("outcome", VALUE_HIDDEN, 3, HEAD)?,
        })
    }

    /// The layer that makes policy logits of features.
    pub(super) fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Policy features `[B, F]` and value logits `[B, 3]` of observations `[B, C * H * W]`.
    pub(super) fn features(&self, observations: Tensor<2>) -> (Tensor<2>, Tensor<2>) {
        let mut trunk = relu(self.input.forward(observations));
        for block in &self.blocks {
            let inner = relu(block.first.forward(trunk.clone()));
            trunk = relu(trunk + block.second.forward(inner));
        }
        let value = relu(self.value.forward(trunk.clone()));
        (trunk, self.outcome.forward(value))
    }
}
