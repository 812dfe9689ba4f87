//! Writing files so that a crash leaves either the old or the new one.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes a file beside its place, forces it to disk and renames it.
///
/// # Errors
/// The folder cannot be written, or the disk is full; the old file is still there then.
pub fn write_beside(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let beside = beside(path);
    let written = write_synced(&beside, bytes).and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written?;
    sync_folder(path.parent())
}

/// Writes a file and forces it to disk.
pub(crate) fn write_synced(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Forces the names in a folder to disk.
pub(crate) fn sync_folder(folder: Option<&Path>) -> io::Result<()> {
    match folder {
        Some(folder) if !folder.as_os_str().is_empty() => File::open(folder)?.sync_all(),
        _ => File::open(".")?.sync_all(),
    }
}

fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    path.with_file_name(name)
}
