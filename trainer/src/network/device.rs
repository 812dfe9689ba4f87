//! Where networks are computed: on the processor, or on a graphics card that is looked for at run time.
//!
//! A config names a [`DeviceKind`] whether or not this program was built for it, so one config serves every
//! build; [`Device::open`] tells. Weights are plain numbers apart from any device, so a checkpoint made on one
//! is used on another. It knows nothing of networks.

use std::fmt::{self, Display};

use burn::tensor::Device as Backend;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// What computes networks, as a config names it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DeviceKind {
    /// The processor, which is in every build.
    #[default]
    Cpu,
    /// A graphics card by Vulkan, Metal or DirectX 12, with the feature `wgpu`.
    Wgpu,
    /// An NVIDIA card by CUDA, with the feature `cuda`.
    Cuda,
}

impl Display for DeviceKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Cpu => "cpu",
            Self::Wgpu => "wgpu",
            Self::Cuda => "cuda",
        })
    }
}

/// Why there is no such device.
#[derive(Debug, Error)]
pub enum DeviceError {
    /// The program was built without it.
    #[error(
        "this program was built without {kind}: build it with `cargo build --release --features {kind}`, or set run.device = \"cpu\""
    )]
    NotBuilt {
        /// What was asked for.
        kind: DeviceKind,
    },
    /// The machine has none that works.
    #[error("no {kind} device can be used: {reason}; install the card's driver, or set run.device = \"cpu\"")]
    NotFound {
        /// What was asked for.
        kind: DeviceKind,
        /// What the driver says.
        reason: String,
    },
}

/// A device that was found; a clone is the same one.
#[derive(Clone, Debug)]
pub struct Device {
    kind: DeviceKind,
    backend: Backend,
}

impl Device {
    /// Gives the processor.
    #[must_use]
    pub fn cpu() -> Self {
        // Named here, since burn's default obeys an environment variable and panics when that is wrong.
        Self { kind: DeviceKind::Cpu, backend: Backend::flex() }
    }

    /// Looks for a device and makes it ready.
    ///
    /// # Errors
    /// The program was built without it, or the machine has none.
    pub fn open(kind: DeviceKind) -> Result<Self, DeviceError> {
        match kind {
            DeviceKind::Cpu => Ok(Self::cpu()),
            DeviceKind::Wgpu => wgpu().map(|backend| Self { kind, backend }),
            DeviceKind::Cuda => cuda().map(|backend| Self { kind, backend }),
        }
    }

    /// What kind it is.
    #[must_use]
    pub fn kind(&self) -> DeviceKind {
        self.kind
    }

    /// What burn calls it.
    pub(crate) fn backend(&self) -> &Backend {
        &self.backend
    }

    /// Gives the rows that a batch is filled up to.
    ///
    /// A card has its programs made anew for every new shape, which takes longer than the rows that are for nothing.
    pub(super) fn rows(&self, batch: usize) -> usize {
        match self.kind {
            DeviceKind::Cpu => batch,
            DeviceKind::Wgpu | DeviceKind::Cuda => batch.next_power_of_two(),
        }
    }
}

impl Display for Device {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match name(&self.backend) {
            Some(name) => write!(out, "{} ({name})", self.kind),
            None => write!(out, "{}", self.kind),
        }
    }
}

#[cfg(feature = "wgpu")]
fn wgpu() -> Result<Backend, DeviceError> {
    // burn makes a device ready once in a process, and refuses a second time.
    static FOUND: std::sync::OnceLock<Result<Backend, String>> = std::sync::OnceLock::new();
    let found = FOUND.get_or_init(|| Backend::wgpu_options().init().map_err(|error| error.to_string()));
    found.clone().map_err(|reason| DeviceError::NotFound { kind: DeviceKind::Wgpu, reason })
}

#[cfg(not(feature = "wgpu"))]
fn wgpu() -> Result<Backend, DeviceError> {
    Err(DeviceError::NotBuilt { kind: DeviceKind::Wgpu })
}

#[cfg(feature = "cuda")]
fn cuda() -> Result<Backend, DeviceError> {
    // Asked for by number, burn would panic where there is none.
    let found = Backend::enumerate(burn::tensor::DeviceType::Cuda).into_vec().into_iter().next();
    let reason = "there is no NVIDIA card, or no driver of one".to_owned();
    found.ok_or(DeviceError::NotFound { kind: DeviceKind::Cuda, reason })
}

#[cfg(not(feature = "cuda"))]
fn cuda() -> Result<Backend, DeviceError> {
    Err(DeviceError::NotBuilt { kind: DeviceKind::Cuda })
}

#[cfg(any(feature = "wgpu", feature = "cuda"))]
fn name(backend: &Backend) -> Option<String> {
    backend.identity().map(|identity| identity.name)
}

#[cfg(not(any(feature = "wgpu", feature = "cuda")))]
fn name(_: &Backend) -> Option<String> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_that_is_not_built_in_is_refused_with_what_to_build() {
        for (kind, built) in [(DeviceKind::Wgpu, cfg!(feature = "wgpu")), (DeviceKind::Cuda, cfg!(feature = "cuda"))] {
            if !built {
                let message = Device::open(kind).unwrap_err().to_string();
                assert!(message.contains(&format!("cargo build --release --features {kind}")), "{message}");
            }
        }
        assert_eq!(Device::open(DeviceKind::Cpu).unwrap().to_string(), "cpu");
    }
}
