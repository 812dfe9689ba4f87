//! The settings of a network and the shape of its input and output: plain data, no tensors.

use serde::{Deserialize, Serialize};

use crate::keys::{self, Kind, SettingError};

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
        /// Width between the two layers of a block, 0 to 4096; 0 is that of the others.
        #[serde(default)]
        inner: usize,
        /// Whether the first layer is twice as wide, and its numbers, clipped to 0 to 1, are multiplied in pairs.
        #[serde(default)]
        products: bool,
        /// Whether it also tells how many turns are left.
        #[serde(default)]
        turns_left: bool,
    },
    /// A residual tower of 3x3 convolutions: the stronger choice where an accelerator is at hand.
    Tower {
        /// Channels of every convolution, 8 to 1024.
        #[serde(default = "channels")]
        channels: usize,
        /// Residual blocks of two convolutions each, 0 to 64.
        #[serde(default = "tower_blocks")]
        blocks: usize,
        /// Whether it also tells how many turns are left.
        #[serde(default)]
        turns_left: bool,
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
    /// Says whether the network also tells how many turns are left.
    #[must_use]
    pub const fn turns_left(&self) -> bool {
        match *self {
            Self::Mlp { turns_left, .. } | Self::Tower { turns_left, .. } => turns_left,
        }
    }

    /// Checks that every setting is in its range.
    ///
    /// # Errors
    /// The first that is not, with its range.
    pub fn validate(&self) -> Result<(), SettingError> {
        keys::check_section("network", self)
    }
}

impl Default for NetworkConfig {
    fn default() -> Self {
        Self::Mlp { hidden: hidden(), blocks: mlp_blocks(), inner: 0, products: false, turns_left: false }
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
    /// The first number that is out of range.
    pub fn validate(self) -> Result<(), SettingError> {
        [("planes", self.planes, 4096), ("size", self.size, 32), ("actions", self.actions, 65_536)]
            .into_iter()
            .try_for_each(|(key, value, most)| Kind::whole(1, most).check(key, &value.into()))
    }
}
