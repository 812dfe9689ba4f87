//! The layers that networks are built of, each filled from a [`Source`] of named numbers.
//!
//! Burn's own initialisers draw from one generator for the whole process, so two networks made at
//! once would disturb each other; here every number comes from the caller.

use burn::module::{Module, Param};
use burn::nn::conv::{Conv2d, Conv2dConfig};
use burn::nn::{Linear, PaddingConfig2d};
use burn::tensor::{Device, Tensor, TensorData};

use super::NetworkError;

/// Gain of a layer that a rectifier follows, the square root of 2.
pub(super) const HIDDEN: f32 = std::f32::consts::SQRT_2;
/// Gain of the last layer of a residual block.
pub(super) const ZERO: f32 = 0.0;
/// Gain of a head's last layer.
pub(super) const HEAD: f32 = 0.1;

/// Gives the numbers of the tensor of this name and shape; a new tensor is drawn from the uniform
/// distribution between minus and plus the bound.
type Fetch<'a> = dyn FnMut(&str, &[usize], f32) -> Result<Vec<f32>, NetworkError> + 'a;

/// The name of the weights of a policy's last layer.
pub(crate) const POLICY_WEIGHT: &str = "policy.weight";
/// The name of its biases.
pub(crate) const POLICY_BIAS: &str = "policy.bias";

/// The last layer of a policy: a row of weights for each action, `[A, F]`.
///
/// A position has few legal actions, and a row can be used without the others.
#[derive(Module, Debug)]
pub(crate) struct Policy {
    weight: Param<Tensor<2>>,
    bias: Param<Tensor<1>>,
}

impl Policy {
    /// Logits `[B, A]` of features `[B, F]`.
    pub(super) fn forward(&self, features: Tensor<2>) -> Tensor<2> {
        features.matmul(self.weight.val().transpose()) + self.bias.val().unsqueeze()
    }
}

/// Where the tensors of a network come from.
pub(super) struct Source<'a> {
    device: &'a Device,
    fetch: &'a mut Fetch<'a>,
}

impl<'a> Source<'a> {
    /// A source that asks `fetch` and puts the tensors on `device`.
    pub(super) fn new(device: &'a Device, fetch: &'a mut Fetch<'a>) -> Self {
        Self { device, fetch }
    }

    /// A linear layer `[.., inputs]` to `[.., outputs]`.
    pub(super) fn linear(
        &mut self,
        name: &str,
        inputs: usize,
        outputs: usize,
        gain: f32,
    ) -> Result<Linear, NetworkError> {
        Ok(Linear {
            weight: self.tensor(&format!("{name}.weight"), [inputs, outputs], inputs, gain)?,
            bias: Some(self.tensor(&format!("{name}.bias"), [outputs], inputs, ZERO)?),
        })
    }

    /// The last layer of a policy, features `[.., inputs]` to `actions` logits.
    pub(super) fn policy(&mut self, inputs: usize, actions: usize) -> Result<Policy, NetworkError> {
        Ok(Policy {
            weight: self.tensor(POLICY_WEIGHT, [actions, inputs], inputs, HEAD)?,
            bias: self.tensor(POLICY_BIAS, [actions], inputs, ZERO)?,
        })
    }

    /// A convolution `[B, inputs, H, W]` to `[B, outputs, H, W]` with an odd `kernel`.
    pub(super) fn convolution(
        &mut self,
        name: &str,
        inputs: usize,
        outputs: usize,
        kernel: usize,
        gain: f32,
    ) -> Result<Conv2d, NetworkError> {
        let fan_in = inputs * kernel * kernel;
        let padding = kernel / 2;
        let mut layer = Conv2dConfig::new([inputs, outputs], [kernel, kernel])
            .with_padding(PaddingConfig2d::Explicit(padding, padding, padding, padding))
            .init(self.device);
        layer.weight = self.tensor(&format!("{name}.weight"), [outputs, inputs, kernel, kernel], fan_in, gain)?;
        layer.bias = Some(self.tensor(&format!("{name}.bias"), [outputs], fan_in, ZERO)?);
        Ok(layer)
    }

    fn tensor<const D: usize>(
        &mut self,
        name: &str,
        dims: [usize; D],
        fan_in: usize,
        gain: f32,
    ) -> Result<Param<Tensor<D>>, NetworkError> {
        #[expect(clippy::cast_precision_loss, reason = "a layer is narrower than 2^23")]
        let bound = gain * (3.0 / fan_in as f32).sqrt();
        let values = (self.fetch)(name, &dims, bound)?;
        let tensor = Tensor::from_data(TensorData::new(values, dims), self.device);
        Ok(Param::from_tensor(tensor))
    }
}
