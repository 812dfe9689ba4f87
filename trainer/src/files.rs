//! Writing files so that a crash leaves either the old or the new one.
//!
//! The bytes go to a file beside the target, reach the disk, and only then take its name, so a
//! reader never sees half a file and a failure leaves the old one. Nothing here knows contents.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes a file beside its place, forces it to disk and renames it.
///
/// A link is followed, so that the file it leads to is replaced and not the link.
///
/// # Errors
/// No such folder, no permission, a folder or device of that name, a full disk; the target is as
/// it was.
pub fn write_beside(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let target = resolve(path)?;
    let name =
        target.file_name().ok_or_else(|| io::Error::other("it has no file name"))?.to_string_lossy().into_owned();
    let beside = target.with_file_name(format!(".{name}.{}.tmp", std::process::id()));
    let written = write_synced(&beside, bytes).and_then(|()| fs::rename(&beside, &target));
    if written.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(&beside);
    }
    written?;
    sync_folder(target.parent());
    Ok(())
}

/// Follows links; refuses what a rename would wrongly replace, such as `/dev/stdout`.
fn resolve(path: &Path) -> io::Result<PathBuf> {
    // `/dev/stdout` can lead to a regular file, which another process still writes to.
    if path.starts_with("/dev") || path.starts_with("/proc") {
        return Err(io::Error::other("it is a device"));
    }
    match fs::metadata(path) {
        Ok(found) if found.is_file() => fs::canonicalize(path),
        Ok(_) => Err(io::Error::other("it exists and is not a regular file")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(path.to_owned()),
        Err(error) => Err(error),
    }
}

/// Writes a file and forces it to disk.
pub(crate) fn write_synced(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Makes the names in a folder durable where the system can: some cannot open folders.
pub(crate) fn sync_folder(folder: Option<&Path>) {
    let folder = folder.filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
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
    fn a_failure_leaves_the_folder_clean() {
        let folder = tempfile::tempdir().expect("a folder");
        let taken = folder.path().join("taken");
        fs::create_dir(&taken).expect("made");
        for path in [taken, folder.path().join("missing/board.svg")] {
            write_beside(&path, b"x").expect_err("no file can be there");
        }
        assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 1);
    }
}
