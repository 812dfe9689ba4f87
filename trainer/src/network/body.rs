//! The burn module behind a network, built from plain weights.

use std::collections::BTreeMap;

use burn::module::Module;
use burn::tensor::{Device, Tensor};

use super::layers::Source;
use super::mlp::Mlp;
use super::tower::Tower;
use super::{NamedTensor, NetworkConfig, NetworkError, NetworkShape, Weights};

/// The burn module behind a [`Network`](super::Network).
#[derive(Module, Debug)]
#[expect(clippy::large_enum_variant, reason = "a network has one body, beside megabytes of weights")]
pub(crate) enum Body {
    /// Residual multilayer perceptron.
    Mlp(Mlp),
    /// Residual tower of convolutions.
    Tower(Tower),
}

/// What a body says of `B` observations, all but the last layer of the policy.
pub(crate) struct Features {
    /// What one layer makes the policy's logits of, `[B, F]`.
    pub(crate) policy: Tensor<2>,
    /// Logits of win, draw and loss, `[B, 3]`.
    pub(crate) value: Tensor<2>,
    /// The logarithm of one more than the turns left, `[B, 1]`, where the network tells it.
    pub(crate) turns: Option<Tensor<2>>,
}

impl Body {
    /// Builds the module on `device` with the tensors that `source` gives.
    pub(super) fn build(
        config: &NetworkConfig,
        shape: NetworkShape,
        source: &mut Source<'_>,
    ) -> Result<Self, NetworkError> {
        Ok(match *config {
            NetworkConfig::Mlp { hidden, blocks, inner, products, turns_left } => {
                let inner = if inner == 0 { hidden } else { inner };
                Self::Mlp(Mlp::build([hidden, inner], blocks, products, turns_left, shape, source)?)
            }
            NetworkConfig::Tower { channels, blocks, turns_left } => {
                Self::Tower(Tower::build(channels, blocks, turns_left, shape, source)?)
            }
        })
    }

    /// Builds the module on `device` with copies of `weights`, which must be all it needs.
    pub(crate) fn with_weights(
        config: &NetworkConfig,
        shape: NetworkShape,
        weights: &Weights,
        device: &Device,
    ) -> Result<Self, NetworkError> {
        let mut rest: BTreeMap<&str, &NamedTensor> =
            weights.tensors().iter().map(|tensor| (tensor.name.as_str(), tensor)).collect();
        let mut fetch = |name: &str, dims: &[usize], _bound: f32| {
            let tensor = rest
                .remove(name)
                .ok_or_else(|| NetworkError::MissingTensor { name: name.to_owned(), expected: dims.to_vec() })?;
            if tensor.dims != dims {
                return Err(NetworkError::WrongShape {
                    name: name.to_owned(),
                    found: tensor.dims.clone(),
                    expected: dims.to_vec(),
                });
            }
            Ok(tensor.values.clone())
        };
        let body = Self::build(config, shape, &mut Source::new(device, &mut fetch))?;
        match rest.keys().next() {
            Some(name) => Err(NetworkError::ExtraTensor { name: (*name).to_owned() }),
            None => Ok(body),
        }
    }

    /// Policy logits `[B, A]` of features.
    pub(super) fn logits(&self, features: Tensor<2>) -> Tensor<2> {
        match self {
            Self::Mlp(mlp) => mlp.policy(),
            Self::Tower(tower) => tower.policy(),
        }
        .forward(features)
    }

    /// Features of observations `[B, C * H * W]`.
    pub(crate) fn features(&self, observations: Tensor<2>) -> Features {
        match self {
            Self::Mlp(mlp) => mlp.features(observations),
            Self::Tower(tower) => tower.features(observations),
        }
    }
}
