//! The network: what it is made of, what it answers, and how its weights become a file.
//!
//! A [`Network`] maps observations to policy logits and win/draw/loss probabilities. Its weights
//! are plain `f32` lists ([`Weights`]), from which the burn module is built; so a file holds
//! exactly what was trained, and burn tensors are seen only here and in the learner. It knows
//! nothing of rules, search, optimisers or the file system.

mod config;
mod layers;
mod mlp;
pub(crate) mod safetensors;
mod tower;
mod weights;

use std::collections::BTreeMap;

use burn::module::Module;
use burn::tensor::{Device, Tensor, TensorData};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use thiserror::Error;

pub use config::{NetworkConfig, NetworkShape};
pub use weights::{NamedTensor, Weights};

use crate::search::{Evaluations, Evaluator};
use layers::Source;

/// Says what is wrong with a network's configuration, weights, file or training batch.
#[derive(Debug, Error)]
pub enum NetworkError {
    /// A setting is outside its range.
    #[error("network.{key} is {value}, which is outside {range}")]
    Setting {
        /// The key in the configuration file.
        key: &'static str,
        /// The value found.
        value: String,
        /// The values allowed.
        range: &'static str,
    },
    /// The bytes are not a safetensors file, or not all of one.
    #[error("not a complete safetensors file: {reason}")]
    Malformed {
        /// The first thing found wrong.
        reason: String,
    },
    /// The file's description of itself is absent or unreadable.
    #[error("the safetensors metadata entry \"{key}\" is missing or unreadable: {reason}")]
    Metadata {
        /// The metadata key.
        key: &'static str,
        /// Why it cannot be read.
        reason: String,
    },
    /// A tensor that the network needs is not there.
    #[error("tensor \"{name}\" of shape {expected:?} is missing")]
    MissingTensor {
        /// The tensor's name.
        name: String,
        /// The shape that the network needs.
        expected: Vec<usize>,
    },
    /// A tensor is there that the network has no place for.
    #[error("tensor \"{name}\" does not belong to this network")]
    ExtraTensor {
        /// The tensor's name.
        name: String,
    },
    /// A tensor has another shape than the network needs.
    #[error("tensor \"{name}\" has shape {found:?}; this network needs {expected:?}")]
    WrongShape {
        /// The tensor's name.
        name: String,
        /// The shape found.
        found: Vec<usize>,
        /// The shape that the network needs.
        expected: Vec<usize>,
    },
    /// A weight is infinite or not a number.
    #[error("tensor \"{name}\" holds a value that is not finite")]
    NotFinite {
        /// The tensor's name.
        name: String,
    },
    /// A checkpoint lacks one of the learner's files.
    #[error("the checkpoint has no file \"{name}\"")]
    MissingFile {
        /// The file's name.
        name: &'static str,
    },
    /// A training batch does not fit the network, or contradicts itself.
    #[error("training batch: {reason}")]
    Batch {
        /// What does not fit.
        reason: String,
    },
    /// The loss or the gradient is infinite or not a number; the weights are unchanged.
    #[error("the loss or gradient of step {step} is not finite; try a lower learning rate")]
    Diverged {
        /// The optimiser step that failed, counted from 0.
        step: u64,
    },
}

/// What a network says about a batch of positions.
#[derive(Clone, Debug, PartialEq)]
pub struct Inference {
    /// Policy logits `[B, A]`, row-major, over all actions: the reader masks the illegal ones.
    pub logits: Vec<f32>,
    /// Probabilities `[B, 3]` of win, draw and loss, seen by the player who decides; rows sum to 1.
    pub wdl: Vec<f32>,
}

/// The burn module behind a [`Network`].
#[derive(Module, Debug)]
pub(crate) enum Body {
    /// Residual multilayer perceptron.
    Mlp(mlp::Mlp),
    /// Residual tower of convolutions.
    Tower(tower::Tower),
}

impl Body {
    /// Builds the module on `device` with the tensors that `source` gives.
    fn build(config: &NetworkConfig, shape: NetworkShape, source: &mut Source<'_>) -> Result<Self, NetworkError> {
        Ok(match *config {
            NetworkConfig::Mlp { hidden, blocks } => Self::Mlp(mlp::Mlp::build(hidden, blocks, shape, source)?),
            NetworkConfig::Tower { channels, blocks } => {
                Self::Tower(tower::Tower::build(channels, blocks, shape, source)?)
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

    /// Policy logits `[B, A]` and value logits `[B, 3]` of observations `[B, C * H * W]`.
    pub(crate) fn forward(&self, observations: Tensor<2>) -> (Tensor<2>, Tensor<2>) {
        match self {
            Self::Mlp(mlp) => mlp.forward(observations),
            Self::Tower(tower) => tower.forward(observations),
        }
    }
}

/// A network ready to answer; a clone is cheap and shares the weights.
///
/// It may be asked from several threads at once, each with its own batch.
#[derive(Clone, Debug)]
pub struct Network {
    config: NetworkConfig,
    shape: NetworkShape,
    weights: Weights,
    body: Body,
}

impl Network {
    /// Makes a new network, the same for the same seed on every machine.
    ///
    /// Hidden layers draw from a uniform distribution of He's variance `2 / fan_in`
    /// (<https://arxiv.org/abs/1502.01852>, equation 10). The last layer of each residual block
    /// starts at zero, as in Fixup (<https://arxiv.org/abs/1901.09321>), so a deep network starts
    /// as a shallow one and needs no normalisation: training and playing compute the same
    /// function, and no position's answer depends on its neighbours in the batch. The heads start
    /// small, which makes first priors and values nearly uniform.
    ///
    /// # Errors
    /// [`NetworkError::Setting`] when `config` or `shape` is out of range.
    pub fn new(config: &NetworkConfig, shape: NetworkShape, seed: u64) -> Result<Self, NetworkError> {
        config.validate()?;
        shape.validate()?;
        let mut rng = Pcg64Mcg::seed_from_u64(seed);
        let mut tensors = Vec::new();
        let mut fetch = |name: &str, dims: &[usize], bound: f32| {
            let values: Vec<f32> = (0..dims.iter().product())
                .map(|_| if bound == 0.0 { 0.0 } else { rng.random_range(-bound..bound) })
                .collect();
            tensors.push(NamedTensor { name: name.to_owned(), dims: dims.to_vec(), values: values.clone() });
            Ok(values)
        };
        let body = Body::build(config, shape, &mut Source::new(&device(), &mut fetch))?;
        Ok(Self { config: config.clone(), shape, weights: Weights::new(tensors), body })
    }

    /// Makes the network that `config` describes with given weights.
    ///
    /// # Errors
    /// When the settings are out of range, or a tensor is missing, extra, of another shape or not
    /// finite.
    pub fn from_weights(config: &NetworkConfig, shape: NetworkShape, weights: Weights) -> Result<Self, NetworkError> {
        config.validate()?;
        shape.validate()?;
        weights.check_finite()?;
        let body = Body::with_weights(config, shape, &weights, &device())?;
        Ok(Self { config: config.clone(), shape, weights, body })
    }

    /// Reads a network from the bytes of a file that [`Network::to_safetensors`] made.
    ///
    /// # Errors
    /// When the bytes are not such a file, whatever they are: this never panics.
    pub fn from_safetensors(bytes: &[u8]) -> Result<Self, NetworkError> {
        let file = safetensors::decode(bytes)?;
        let config: NetworkConfig = file.entry("network")?;
        let shape: NetworkShape = file.entry("shape")?;
        Self::from_weights(&config, shape, Weights::new(file.tensors))
    }

    /// Writes the network as a safetensors file, which also holds its configuration and shape.
    #[must_use]
    pub fn to_safetensors(&self) -> Vec<u8> {
        let metadata = self.metadata();
        safetensors::encode(&metadata, self.weights.tensors())
    }

    /// The network's configuration.
    #[must_use]
    pub fn config(&self) -> &NetworkConfig {
        &self.config
    }

    /// The shape of what goes in and what comes out.
    #[must_use]
    pub fn shape(&self) -> NetworkShape {
        self.shape
    }

    /// The named weights, in the order of the layers.
    #[must_use]
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// How many numbers training adjusts.
    #[must_use]
    pub fn parameters(&self) -> usize {
        self.weights.parameters()
    }

    /// Answers for `B` positions at once, from observations `[B, C, H, W]`, row-major.
    ///
    /// The observations are the deciding player's, and so is the value. `B` follows from the
    /// length, and may be 0.
    ///
    /// # Panics
    /// If the length is not a multiple of `C * H * W`.
    #[must_use]
    pub fn infer(&self, observations: &[f32]) -> Inference {
        let inputs = self.shape.inputs();
        assert!(
            observations.len().is_multiple_of(inputs),
            "{} values are not a whole number of observations of {inputs}",
            observations.len()
        );
        let batch = observations.len() / inputs;
        if batch == 0 {
            return Inference { logits: Vec::new(), wdl: Vec::new() };
        }
        let data = TensorData::new(observations.to_vec(), [batch, inputs]);
        let (policy, value) = self.body.forward(Tensor::from_data(data, &device()));
        let mut wdl = read(value);
        for row in wdl.chunks_exact_mut(3) {
            softmax(row);
        }
        Inference { logits: read(policy), wdl }
    }

    fn metadata(&self) -> Vec<(&'static str, String)> {
        let json = |value: Result<String, _>| value.expect("plain settings are valid JSON");
        vec![
            ("format", "damma-network-1".to_owned()),
            ("network", json(serde_json::to_string(&self.config))),
            ("shape", json(serde_json::to_string(&self.shape))),
        ]
    }
}

impl Evaluator for Network {
    fn evaluate(&self, observations: &[f32]) -> Evaluations {
        let Inference { logits, wdl } = self.infer(observations);
        Evaluations { logits, wdl }
    }
}

/// The device that networks play on; named here, since burn's default obeys an environment
/// variable and panics when that is wrong.
pub(crate) fn device() -> Device {
    Device::flex()
}

/// Takes the numbers out of a tensor.
pub(crate) fn read<const D: usize>(tensor: Tensor<D>) -> Vec<f32> {
    tensor.into_data().try_into_vec::<f32>().expect("every tensor of a network is f32")
}

/// Turns logits into probabilities in place.
pub(crate) fn softmax(row: &mut [f32]) {
    let top = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for logit in &mut *row {
        *logit = (*logit - top).exp();
        sum += *logit;
    }
    for probability in row {
        *probability /= sum;
    }
}

#[cfg(test)]
mod tests;
