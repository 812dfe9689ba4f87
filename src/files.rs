//! Writing files with an error that names them.

use std::path::Path;

use anyhow::Context as _;

/// Writes a file whole or not at all, as [`damma_trainer::files::write_beside`] does.
///
/// # Errors
/// The path with the cause; the target is as it was.
pub fn write_beside(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    damma_trainer::files::write_beside(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}
