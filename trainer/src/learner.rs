//! The learner: one optimiser step after another, and all of its state as files.
//!
//! A [`Learner`] owns the weights being trained, the averages that the optimiser keeps, and the average of
//! the weights that self-play uses. It is a plain function of its state and the batches it is
//! given: saving, loading and going on gives the same bits as going on. It does not choose
//! batches, schedules or file names on disk.

mod config;
mod loss;
mod optimiser;
mod policy;

use burn::module::{Module, ModuleVisitor, Param};
use burn::tensor::{Gradients, Tensor, TensorData};

pub use config::{LearnerConfig, Optimiser};
pub use loss::Batch;

use crate::keys::Kind;
use crate::network::{
    Body, Device, Features, NamedTensor, Network, NetworkConfig, NetworkError, NetworkShape, POLICY_BIAS,
    POLICY_WEIGHT, Weights, read, safetensors,
};
use policy::PolicyLayer;

/// The file with the network that self-play and matches use.
pub const MODEL_FILE: &str = "model.safetensors";
/// The file with the weights being trained and the optimiser's averages.
pub const LEARNER_FILE: &str = "learner.safetensors";

/// What the learner's file says it is.
const FORMAT: &str = "damma-learner-2";

/// A gradient this long would overflow the `f32` average of its squares.
const MAX_NORM: f64 = 1e18;

/// What one step measured, before it changed the weights.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Losses {
    /// Cross-entropy in nats of the policy against its target, over the rows that have one.
    pub policy: f64,
    /// Cross-entropy in nats of win, draw and loss against their target, over all rows.
    pub value: f64,
    /// Huber's loss of the logarithm of one more than the turns left, over all rows; 0 where the network does
    /// not tell them.
    pub turns_left: f64,
    /// `policy + value_weight * value + turns_left_weight * turns_left`, which the step reduces.
    pub total: f64,
    /// Entropy in nats of the network's policy over the legal actions.
    pub policy_entropy: f64,
    /// Entropy in nats of the policy target: the least that `policy` can be.
    pub target_entropy: f64,
    /// Euclidean norm of the whole gradient before clipping.
    pub grad_norm: f64,
}

impl Losses {
    /// Adds `share` of other losses.
    pub fn add(&mut self, other: &Self, share: f64) {
        self.policy += share * other.policy;
        self.value += share * other.value;
        self.turns_left += share * other.turns_left;
        self.total += share * other.total;
        self.policy_entropy += share * other.policy_entropy;
        self.target_entropy += share * other.target_entropy;
        self.grad_norm += share * other.grad_norm;
    }
}

/// Trains a network step by step.
#[derive(Clone, Debug)]
pub struct Learner {
    config: LearnerConfig,
    network: NetworkConfig,
    shape: NetworkShape,
    device: Device,
    weights: Weights,
    /// The average of gradients, or the momentum of SGD.
    first: Weights,
    /// The average of their squares, which only `AdamW` keeps.
    second: Option<Weights>,
    average: Option<Weights>,
    steps: u64,
}

impl Learner {
    /// Starts to train `network`, on its device.
    ///
    /// # Errors
    /// [`NetworkError::Setting`] when `config` is out of range.
    pub fn new(config: &LearnerConfig, network: &Network) -> Result<Self, NetworkError> {
        config.validate()?;
        let weights = network.weights().clone();
        Ok(Self {
            config: config.clone(),
            network: network.config().clone(),
            shape: network.shape(),
            device: network.device().clone(),
            first: weights.zeros(),
            second: (config.optimiser == Optimiser::AdamW).then(|| weights.zeros()),
            average: (config.ema > 0.0).then(|| weights.clone()),
            weights,
            steps: 0,
        })
    }

    /// Moves what is left to learn to a device; weights and averages stay plain numbers.
    #[must_use]
    pub fn on(self, device: &Device) -> Self {
        Self { device: device.clone(), ..self }
    }

    /// The settings.
    #[must_use]
    pub fn config(&self) -> &LearnerConfig {
        &self.config
    }

    /// How many steps have been made.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The network to play with, on the learner's device: the average of the weights, or the weights where `ema` is 0.
    #[must_use]
    pub fn play_network(&self) -> Network {
        let weights = self.average.as_ref().unwrap_or(&self.weights).clone();
        Network::from_weights(&self.network, self.shape, weights)
            .expect("a learner keeps its weights finite and in their shape")
            .on(&self.device)
    }

    /// Makes one step of the optimiser with the given learning rate and says what it saw.
    ///
    /// # Errors
    /// [`NetworkError::Batch`] when the batch does not fit, [`NetworkError::Setting`] when the
    /// learning rate is not within 0 and 1, [`NetworkError::Diverged`] when the gradient is not
    /// finite. The learner is unchanged then.
    pub fn train_batch(&mut self, batch: &Batch, learning_rate: f64) -> Result<Losses, NetworkError> {
        batch.check(self.shape, self.network.turns_left())?;
        Kind::real(0.0, 1.0).check("learning_rate", &learning_rate.into())?;
        let (mut losses, gradients) = self.gradients(batch);
        losses.grad_norm = optimiser::norm(&gradients);
        if !(losses.total.is_finite() && losses.grad_norm < MAX_NORM) {
            return Err(NetworkError::Diverged { step: self.steps });
        }
        let step = optimiser::Step::new(&self.config, self.steps, learning_rate, losses.grad_norm);
        let mut second = self.second.as_mut().map(|second| second.tensors_mut().iter_mut());
        let tensors = self.weights.tensors_mut().iter_mut().zip(&gradients).zip(self.first.tensors_mut());
        for ((weights, gradient), first) in tensors {
            let decays = weights.dims.len() > 1;
            let second = second.as_mut().and_then(Iterator::next);
            let second = second.map_or(&mut [][..], |second| second.values.as_mut_slice());
            step.apply(&mut weights.values, gradient, &mut first.values, second, decays);
        }
        if let Some(average) = &mut self.average {
            let share = self.config.ema_share(self.steps);
            for (average, weights) in average.tensors_mut().iter_mut().zip(self.weights.tensors()) {
                optimiser::blend(&mut average.values, &weights.values, share);
            }
        }
        self.steps += 1;
        Ok(losses)
    }

    /// All of the learner's state as named files.
    #[must_use]
    pub fn to_files(&self) -> Vec<(String, Vec<u8>)> {
        let mut tensors = Vec::new();
        let parts = [("weights", Some(&self.weights)), ("first", Some(&self.first)), ("second", self.second.as_ref())];
        for (part, weights) in parts.into_iter().filter_map(|(part, weights)| Some((part, weights?))) {
            tensors.extend(
                weights
                    .tensors()
                    .iter()
                    .map(|tensor| NamedTensor { name: format!("{part}.{}", tensor.name), ..tensor.clone() }),
            );
        }
        let metadata = [("format", FORMAT.to_owned()), ("steps", self.steps.to_string())];
        vec![
            (MODEL_FILE.to_owned(), self.play_network().to_safetensors()),
            (LEARNER_FILE.to_owned(), safetensors::encode(&metadata, &tensors)),
        ]
    }

    /// Takes up training where [`Learner::to_files`] left it, on the processor; other files are ignored.
    ///
    /// Where `ema` was turned on since, the average starts from the network played with.
    ///
    /// # Errors
    /// When a file is missing, damaged, or of another network or optimiser.
    pub fn from_files(config: &LearnerConfig, files: &[(String, Vec<u8>)]) -> Result<Self, NetworkError> {
        config.validate()?;
        let file = |wanted: &'static str| {
            files
                .iter()
                .find(|(name, _)| name == wanted)
                .map(|(_, bytes)| bytes.as_slice())
                .ok_or(NetworkError::MissingFile { name: wanted })
        };
        let model = Network::from_safetensors(file(MODEL_FILE)?)?;
        let state = safetensors::decode(file(LEARNER_FILE)?)?;
        state.expect_format(FORMAT)?;
        let steps = state.entry("steps")?;
        let mut rest = state.tensors;
        let mut learner = Self::new(config, &model)?;
        learner.weights = take(&mut rest, "weights.", model.weights())?;
        learner.first = take(&mut rest, "first.", model.weights())?;
        if let Some(second) = &mut learner.second {
            *second = take(&mut rest, "second.", model.weights())?;
        }
        if let Some(extra) = rest.into_iter().next() {
            return Err(NetworkError::ExtraTensor { name: extra.name });
        }
        learner.steps = steps;
        Ok(learner)
    }

    /// Losses of the batch, and the gradient of each tensor.
    fn gradients(&self, batch: &Batch) -> (Losses, Vec<Vec<f32>>) {
        let device = self.device.backend().clone().autodiff();
        let body = Body::with_weights(&self.network, self.shape, &self.weights, &device)
            .expect("a learner keeps its weights in their shape");
        let rows = batch.rows();
        let inputs = TensorData::new(batch.observations.clone(), [rows, self.shape.inputs()]);
        let Features { policy: features, value, turns } = body.features(Tensor::from_data(inputs, &device));
        let layer = PolicyLayer::of(&self.weights);
        let seen = read(features.clone().inner());
        let logits = layer.logits(batch, &seen);
        let mut slopes =
            loss::slopes(batch, &logits, &read(value.clone().inner()), f64::from(self.config.value_weight));
        let policy = layer.gradients(batch, &seen, &slopes.policy);
        // The sum of outputs times constants has those constants for gradient, so neither the loss nor the
        // policy's last layer need be built of tensor operations: they only visit legal actions.
        let constant =
            |slopes: Vec<f32>, width: usize| Tensor::<2>::from_data(TensorData::new(slopes, [rows, width]), &device);
        let mut surrogate =
            (features * constant(policy.features, layer.width())).sum() + (value * constant(slopes.value, 3)).sum();
        if let Some(turns) = turns {
            let weight = f64::from(self.config.turns_left_weight);
            let slopes = loss::turns_slopes(batch, &read(turns.clone().inner()), weight, &mut slopes.losses);
            surrogate = surrogate + (turns * constant(slopes, 1)).sum();
        }
        let mut collector = Collector { gradients: surrogate.backward(), values: Vec::new() };
        body.visit(&mut collector);
        let mut by_hand = [(POLICY_WEIGHT, policy.weight), (POLICY_BIAS, policy.bias)];
        let names = self.weights.tensors().iter().map(|tensor| tensor.name.as_str());
        let gradients = collector.values.into_iter().zip(names).map(|(found, name)| {
            let given = || by_hand.iter_mut().find(|(own, _)| *own == name).map(|(_, values)| std::mem::take(values));
            found.or_else(given).expect("every layer has a part in the outputs")
        });
        (slopes.losses, gradients.collect())
    }
}

/// Takes the tensors of one part out of a checkpoint, in the order of the model's.
fn take(rest: &mut Vec<NamedTensor>, part: &str, model: &Weights) -> Result<Weights, NetworkError> {
    let mut tensors = Vec::new();
    for like in model.tensors() {
        let name = format!("{part}{}", like.name);
        let place = rest.iter().position(|tensor| tensor.name == name);
        let Some(place) = place else {
            return Err(NetworkError::MissingTensor { name, expected: like.dims.clone() });
        };
        let mut tensor = rest.swap_remove(place);
        if tensor.dims != like.dims {
            return Err(NetworkError::WrongShape { name, found: tensor.dims, expected: like.dims.clone() });
        }
        tensor.name.clone_from(&like.name);
        tensors.push(tensor);
    }
    let weights = Weights::new(tensors);
    weights.check_finite()?;
    Ok(weights)
}

/// Reads the gradients in the order of the layers, which is that of the weights.
struct Collector {
    gradients: Gradients,
    /// Nothing where a tensor has no part in what was differentiated.
    values: Vec<Option<Vec<f32>>>,
}

impl ModuleVisitor for Collector {
    fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
        self.values.push(param.val().grad_remove(&mut self.gradients).map(read));
    }
}

#[cfg(test)]
mod tests;
