//! The network: what it is made of, what it answers, and how its weights become a file.
//!
//! A [`Network`] maps observations to policy logits, win/draw/loss probabilities and, where it is made to,
//! turns left. Its weights are plain `f32` lists ([`Weights`]), from which the burn module is built; so a file
//! holds exactly what was trained, and burn tensors are seen only here and in the learner. It knows
//! nothing of rules, search, optimisers or the file system.

mod body;
mod config;
mod device;
mod error;
mod kernel;
mod layers;
mod mlp;
mod onnx;
pub(crate) mod safetensors;
mod tower;
mod weights;

use std::sync::Arc;

use burn::tensor::{Tensor, TensorData};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

pub(crate) use body::{Body, Features};
pub use config::{NetworkConfig, NetworkShape};
pub use device::{Device, DeviceError, DeviceKind};
pub use error::NetworkError;
pub(crate) use layers::{POLICY_BIAS, POLICY_WEIGHT};
pub use onnx::OPSET;
pub use weights::{NamedTensor, Weights};

use crate::search::{Evaluations, Evaluator, Leaves, softmax};
use kernel::Kernel;
use layers::Source;

/// A network ready to answer; a clone is cheap and shares the weights.
///
/// It may be asked from several threads at once, each with its own batch.
#[derive(Clone, Debug)]
pub struct Network {
    config: NetworkConfig,
    shape: NetworkShape,
    weights: Weights,
    device: Device,
    body: Body,
    /// What answers for search on the processor, where it is faster than the body.
    kernel: Option<Arc<Kernel>>,
}

/// What a file says it is; the second has the policy's weights in rows of actions.
const FORMAT: &str = "damma-network-2";

/// What a network says about a batch of observations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outputs {
    /// Policy logits `[B, A]`, row-major, of all actions, illegal ones too.
    pub logits: Vec<f32>,
    /// Probabilities `[B, 3]` of win, draw and loss, seen by the player who decides.
    pub wdl: Vec<f32>,
    /// Turns left until the game ends, `[B]`, 0 and more; none where the network does not tell.
    pub turns_left: Vec<f32>,
}

/// The greatest logarithm of turns that counts: nine million turns.
const MOST_LOG_TURNS: f32 = 16.0;

impl Network {
    /// Makes a new network on the processor, the same for the same seed on every machine.
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
        let device = Device::cpu();
        let body = Body::build(config, shape, &mut Source::new(device.backend(), &mut fetch))?;
        Ok(Self::assemble(config.clone(), shape, Weights::new(tensors), body, device))
    }

    /// Makes the network that `config` describes with given weights, on the processor.
    ///
    /// # Errors
    /// When the settings are out of range, or a tensor is missing, extra, of another shape or not
    /// finite.
    pub fn from_weights(config: &NetworkConfig, shape: NetworkShape, weights: Weights) -> Result<Self, NetworkError> {
        config.validate()?;
        shape.validate()?;
        weights.check_finite()?;
        let device = Device::cpu();
        let body = Body::with_weights(config, shape, &weights, device.backend())?;
        Ok(Self::assemble(config.clone(), shape, weights, body, device))
    }

    /// Moves the network to a device: its answers are the same but for rounding.
    #[must_use]
    pub fn on(self, device: &Device) -> Self {
        if self.device.kind() == device.kind() {
            return self;
        }
        let body = Body::with_weights(&self.config, self.shape, &self.weights, device.backend())
            .expect("a network has the weights that it needs");
        Self::assemble(self.config, self.shape, self.weights, body, device.clone())
    }

    fn assemble(config: NetworkConfig, shape: NetworkShape, weights: Weights, body: Body, device: Device) -> Self {
        let kernel = match (&config, device.kind()) {
            (NetworkConfig::Mlp { blocks, products, .. }, DeviceKind::Cpu) => {
                Some(Arc::new(Kernel::new(*blocks, *products, &weights)))
            }
            _ => None,
        };
        Self { config, shape, weights, device, body, kernel }
    }

    /// Reads a network from the bytes of a file that [`Network::to_safetensors`] made, on the processor.
    ///
    /// # Errors
    /// When the bytes are not such a file, whatever they are: this never panics.
    pub fn from_safetensors(bytes: &[u8]) -> Result<Self, NetworkError> {
        let file = safetensors::decode(bytes)?;
        file.expect_format(FORMAT)?;
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

    /// The device that answers.
    #[must_use]
    pub fn device(&self) -> &Device {
        &self.device
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
    pub fn infer(&self, observations: &[f32]) -> Outputs {
        let inputs = self.shape.inputs();
        assert!(
            observations.len().is_multiple_of(inputs),
            "{} values are not a whole number of observations of {inputs}",
            observations.len()
        );
        let batch = observations.len() / inputs;
        if batch == 0 {
            return Outputs::default();
        }
        let rows = self.device.rows(batch);
        let mut data = observations.to_vec();
        data.resize(rows * inputs, 0.0);
        let data = TensorData::new(data, [rows, inputs]);
        let features = self.body.features(Tensor::from_data(data, self.device.backend()));
        let mut wdl = read(features.value);
        wdl.truncate(batch * 3);
        for row in wdl.chunks_exact_mut(3) {
            softmax(row);
        }
        let turns = features.turns.map(read).unwrap_or_default().into_iter().take(batch);
        let turns_left = turns.map(|log| log.clamp(0.0, MOST_LOG_TURNS).exp_m1()).collect();
        let mut logits = read(self.body.logits(features.policy));
        logits.truncate(batch * self.shape.actions);
        Outputs { logits, wdl, turns_left }
    }

    fn metadata(&self) -> Vec<(&'static str, String)> {
        let json = |value: Result<String, _>| value.expect("plain settings are valid JSON");
        vec![
            ("format", FORMAT.to_owned()),
            ("network", json(serde_json::to_string(&self.config))),
            ("shape", json(serde_json::to_string(&self.shape))),
        ]
    }
}

impl Evaluator for Network {
    fn evaluate(&self, leaves: &Leaves) -> Evaluations {
        if let Some(kernel) = &self.kernel {
            return kernel.evaluate(leaves);
        }
        let outputs = self.infer(&leaves.observations());
        let rows = outputs.logits.chunks_exact(self.shape.actions).enumerate();
        let legal = |(row, logits): (usize, &[f32])| {
            leaves.actions(row).iter().map(|action| logits[action.index()]).collect::<Vec<_>>()
        };
        Evaluations { logits: rows.flat_map(legal).collect(), wdl: outputs.wdl }
    }
}

/// Takes the numbers out of a tensor.
pub(crate) fn read<const D: usize>(tensor: Tensor<D>) -> Vec<f32> {
    tensor.into_data().try_into_vec::<f32>().expect("every tensor of a network is f32")
}

#[cfg(test)]
mod tests;
