//! What can be wrong with a network's settings, file or training batch.

use thiserror::Error;

use crate::keys::SettingError;

/// Says what is wrong with a network's configuration, weights, file or training batch.
#[derive(Debug, Error)]
pub enum NetworkError {
    /// A setting is outside its range.
    #[error(transparent)]
    Setting(#[from] SettingError),
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
