//! A network's weights as plain numbers, apart from any device or module.

use std::sync::Arc;

use super::NetworkError;

/// One tensor: a name, a shape, and its numbers in row-major order.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedTensor {
    /// Where the tensor belongs, as `blocks.0.first.weight`.
    pub name: String,
    /// The length of each axis.
    pub dims: Vec<usize>,
    /// As many numbers as the axes' product.
    pub values: Vec<f32>,
}

/// All tensors of a network in the order of its layers; a clone shares them.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights(Arc<Vec<NamedTensor>>);

impl Weights {
    /// Holds the given tensors.
    #[must_use]
    pub fn new(tensors: Vec<NamedTensor>) -> Self {
        Self(Arc::new(tensors))
    }

    /// The tensors, in order.
    #[must_use]
    pub fn tensors(&self) -> &[NamedTensor] {
        &self.0
    }

    /// The tensor of a name that the network has.
    pub(crate) fn get(&self, name: &str) -> &NamedTensor {
        self.0.iter().find(|tensor| tensor.name == name).expect("the name is one of the network's own")
    }

    /// The tensors to change; they are copied first if a clone still shares them.
    pub(crate) fn tensors_mut(&mut self) -> &mut [NamedTensor] {
        Arc::make_mut(&mut self.0).as_mut_slice()
    }

    /// How many numbers there are in all.
    #[must_use]
    pub fn parameters(&self) -> usize {
        self.0.iter().map(|tensor| tensor.values.len()).sum()
    }

    /// The same names and shapes, all zero.
    pub(crate) fn zeros(&self) -> Self {
        let zero = |tensor: &NamedTensor| NamedTensor {
            name: tensor.name.clone(),
            dims: tensor.dims.clone(),
            values: vec![0.0; tensor.values.len()],
        };
        Self::new(self.0.iter().map(zero).collect())
    }

    /// Refuses infinite numbers and those that are none.
    pub(crate) fn check_finite(&self) -> Result<(), NetworkError> {
        let bad = |tensor: &&NamedTensor| !tensor.values.iter().all(|value| value.is_finite());
        match self.0.iter().find(bad) {
            Some(tensor) => Err(NetworkError::NotFinite { name: tensor.name.clone() }),
            None => Ok(()),
        }
    }
}
