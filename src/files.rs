//! Files written whole or not at all.
//!
//! The bytes go to a file beside the target, reach the disk, and only then take its name, so a
//! reader never sees half a file and a failure leaves the old one. Nothing here knows contents.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;

/// Writes `bytes` to `path` by way of a temporary file in the same folder.
///
/// A link is followed, so that the file it leads to is replaced and not the link.
///
/// # Errors
/// The path with the cause: no such folder, no permission, a folder or device of that name, a
/// full disk. The target is as it was.
pub fn write_beside(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    replace(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

fn replace(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let target = resolve(path)?;
    let name = target.file_name().context("it has no file name")?.to_string_lossy().into_owned();
    let beside = target.with_file_name(format!(".{name}.{}.tmp", std::process::id()));
    let written = fill(&beside, bytes).and_then(|()| fs::rename(&beside, &target));
    if written.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(&beside);
    }
    written?;
    sync_folder(&target);
    Ok(())
}

/// Follows links; refuses what a rename would wrongly replace, such as `/dev/stdout`.
fn resolve(path: &Path) -> anyhow::Result<PathBuf> {
    // `/dev/stdout` can lead to a regular file, which another process still writes to.
    anyhow::ensure!(!path.starts_with("/dev") && !path.starts_with("/proc"), "it is a device");
    match fs::metadata(path) {
        Ok(found) if found.is_file() => Ok(fs::canonicalize(path)?),
        Ok(_) => anyhow::bail!("it exists and is not a regular file"),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(path.to_owned()),
        Err(error) => Err(error.into()),
    }
}

fn fill(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Makes the new name durable where the system can: some cannot open folders.
fn sync_folder(target: &Path) {
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("board.svg");
        write_beside(&path, b"old and long").expect("written");
        write_beside(&path, b"new").expect("written");
        assert_eq!(fs::read(&path).expect("readable"), b"new");
        assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 1);
    }

    #[test]
    fn a_failure_names_the_path_and_leaves_the_folder_clean() {
        let folder = tempfile::tempdir().expect("a folder");
        let taken = folder.path().join("taken");
        fs::create_dir(&taken).expect("made");
        for path in [taken.clone(), folder.path().join("missing/board.svg")] {
            let error = write_beside(&path, b"x").expect_err("no file can be there");
            assert!(format!("{error:#}").contains(&path.display().to_string()));
        }
        assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 1);
    }
}
