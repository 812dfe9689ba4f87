//! The residual tower of convolutions, for boards where shape matters more than speed.

use burn::module::Module;
use burn::nn::Linear;
use burn::nn::conv::Conv2d;
use burn::tensor::Tensor;
use burn::tensor::activation::relu;

use super::body::Features;
use super::layers::{HEAD, HIDDEN, Policy, Source, ZERO};
use super::{NetworkError, NetworkShape};

/// Planes that the policy head keeps before its dense layer.
const POLICY_PLANES: usize = 8;
/// Width of the hidden layer of the value head.
const VALUE_HIDDEN: usize = 64;

/// A stem, residual blocks of 3x3 convolutions, a dense policy head and a pooled value head.
#[derive(Module, Debug)]
pub(crate) struct Tower {
    planes: usize,
    size: usize,
    stem: Conv2d,
    blocks: Vec<Block>,
    summary: Conv2d,
    policy: Policy,
    value: Linear,
    outcome: Linear,
    turns: Option<Linear>,
}

/// Two convolutions around a shortcut: `x` becomes `relu(x + second(relu(first(x))))`.
#[derive(Module, Debug)]
struct Block {
    first: Conv2d,
    second: Conv2d,
}

impl Tower {
    /// Builds the network with `blocks` blocks of `channels` channels.
    pub(super) fn build(
        channels: usize,
        blocks: usize,
        turns_left: bool,
        shape: NetworkShape,
        source: &mut Source<'_>,
    ) -> Result<Self, NetworkError> {
        let stem = source.convolution("stem", shape.planes, channels, 3, HIDDEN)?;
        let blocks = (0..blocks)
            .map(|index| {
                let name = format!("blocks.{index}");
                let first = format!("{name}.first");
                let second = format!("{name}.second");
                Ok(Block {
                    first: source.convolution(&first, channels, channels, 3, HIDDEN)?,
                    second: source.convolution(&second, channels, channels, 3, ZERO)?,
                })
            })
            .collect::<Result<_, NetworkError>>()?;
        let cells = shape.size * shape.size;
        Ok(Self {
            planes: shape.planes,
            size: shape.size,
            stem,
            blocks,
            summary: source.convolution("summary", channels, POLICY_PLANES, 1, HIDDEN)?,
            policy: source.policy(POLICY_PLANES * cells, shape.actions)?,
            value: source.linear("value", 2 * channels, VALUE_HIDDEN, HIDDEN)?,
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
        let [batch, _] = observations.dims();
        let boards = observations.reshape([batch, self.planes, self.size, self.size]);
        let mut trunk = relu(self.stem.forward(boards));
        for block in &self.blocks {
            let inner = relu(block.first.forward(trunk.clone()));
            trunk = relu(trunk + block.second.forward(inner));
        }
        let [_, channels, rows, columns] = trunk.dims();
        let cells = rows * columns;
        let summary = relu(self.summary.forward(trunk.clone()));
        let features = summary.reshape([batch, POLICY_PLANES * cells]);
        let flat = trunk.reshape([batch, channels, cells]);
        let mean = flat.clone().mean_dim(2).reshape([batch, channels]);
        let peak = flat.max_dim(2).reshape([batch, channels]);
        let value = relu(self.value.forward(Tensor::cat(vec![mean, peak], 1)));
        let turns = self.turns.as_ref().map(|turns| turns.forward(value.clone()));
        Features { policy: features, value: self.outcome.forward(value), turns }
    }
}
