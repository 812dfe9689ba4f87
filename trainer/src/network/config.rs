//! The settings of a network and the shape of its input and output: plain data, no tensors.

use serde::{Deserialize, Serialize};

use super::NetworkError;

/// Chooses a network in a configuration file, as in `kind = "mlp"`, `hidden = 256`, `blocks = 2`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum NetworkConfig {
    /// A residual multilayer perceptron: the fast choice on a CPU.
    Mlp {
        /// Width of every hidden layer, 8 to 4096.
        #[serde(default = "hidden")]
        hidden: usize,
        /// Residual blocks of two layers each, 0 to 64.
        #[serde(default = "mlp_blocks")]
        blocks: usize,
    },
    /// A residual tower of 3x3 convolutions: the stronger choice where an accelerator is at hand.
    Tower {
        /// Channels of every convolution, 8 to 1024.
        #[serde(default = "channels")]
        channels: usize,
        /// Residual blocks of two convolutions each, 0 to 64.
        #[serde(default = "tower_blocks")]
        blocks: usize,
    },
}

const fn hidden() -> usize {
    256
}

const fn mlp_blocks() -> usize {
    2
}

const fn channels() -> usize {
    64
}

const fn tower_blocks() -> usize {
    5
}

impl NetworkConfig {
    /// Checks that every setting is in its range.
    ///
    /// # Errors
    /// [`NetworkError::Setting`] with the first key out of range.
    pub fn validate(&self) -> Result<(), NetworkError> {
        match *self {
            Self::Mlp { hidden, blocks } => {
                within("hidden", hidden, 8, 4096, "8 to 4096")?;
                within("blocks", blocks, 0, 64, "0 to 64")
            }
            Self::Tower { channels, blocks } => {
                within("channels", channels, 8, 1024, "8 to 1024")?;
                within("blocks", blocks, 0, 64, "0 to 64")
            }
        }
    }
}

impl Default for NetworkConfig {
    fn default() -> Self {
        Self::Mlp { hidden: hidden(), blocks: mlp_blocks() }
    }
}

/// The shape of a network's input `[B, planes, size, size]` and policy `[B, actions]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkShape {
    /// Planes of an observation, `C`; all its numbers where it is flat.
    pub planes: usize,
    /// Rows and columns of the board, `H` and `W`.
    pub size: usize,
    /// Actions that the ruleset numbers, `A`.
    pub actions: usize,
}

impl NetworkShape {
    /// Numbers in one observation, `C * H * W`.
    #[must_use]
    pub fn inputs(self) -> usize {
        self.planes * self.size * self.size
    }

    /// Checks that a network of this shape can be made.
    ///
    /// # Errors
    /// [`NetworkError::Setting`] with the first number out of range.
    pub fn validate(self) -> Result<(), NetworkError> {
        within("planes", self.planes, 1, 4096, "1 to 4096")?;
        within("size", self.size, 1, 32, "1 to 32")?;
        within("actions", self.actions, 1, 65_536, "1 to 65536")
    }
}

fn within(key: &'static str, value: usize, low: usize, high: usize, range: &'static str) -> Result<(), NetworkError> {
    if (low..=high).contains(&value) {
        return Ok(());
    }
    Err(NetworkError::Setting { key, value: value.to_string(), range })
}
