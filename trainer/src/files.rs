//! Files that people name: read within bounds, and written so that a crash leaves the old or the new one.
//!
//! The bytes go to a file beside the target, reach the disk, and only then take its name, so a
//! reader never sees half a file and a failure leaves the old one. Nothing here knows contents.

use std::fs::{self, File, FileType};
use std::io::{self, Read as _, Write};
use std::path::{Path, PathBuf};

/// Bytes of a file that is read whole, at most: 2 GiB.
const MOST: u64 = 1 << 31;

/// Reads a regular file or a pipe of at most 2 GiB.
///
/// # Errors
/// No such file, no permission, a folder or a device, or more bytes than that.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let found = fs::metadata(path)?;
    if !found.is_file() && !is_pipe(found.file_type()) {
        return Err(io::Error::other("it is not a regular file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(MOST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST {
        return Err(io::Error::other(format!("it is larger than {} MiB", MOST >> 20)));
    }
    Ok(bytes)
}

/// Says whether [`write_beside`] could write a file there now, and gives where it would stand, links followed.
///
/// # Errors
/// As [`write_beside`], but for a disk that fills up later. Nothing is left behind.
pub fn check_output(path: &Path) -> io::Result<PathBuf> {
    let target = resolve(path)?;
    let beside = beside(&target)?;
    File::create(&beside)?;
    fs::remove_file(&beside)?;
    let folder = fs::canonicalize(folder_of(&target))?;
    Ok(target.file_name().map_or(folder.clone(), |name| folder.join(name)))
}

/// Writes a file beside its place, forces it to disk and renames it.
///
/// A link is followed, so that the file it leads to is replaced and not the link.
///
/// # Errors
/// No such folder, no permission, a folder or device of that name, a full disk; the target is as
/// it was.
pub fn write_beside(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let target = resolve(path)?;
    let beside = beside(&target)?;
    let written = write_synced(&beside, bytes).and_then(|()| fs::rename(&beside, &target));
    if written.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(&beside);
    }
    written?;
    sync_folder(target.parent());
    Ok(())
}

/// Names the file that is written before it takes its place.
fn beside(target: &Path) -> io::Result<PathBuf> {
    let name = target.file_name().ok_or_else(|| io::Error::other("it has no file name"))?.to_string_lossy();
    Ok(target.with_file_name(format!(".{name}.{}.tmp", std::process::id())))
}

#[cfg(unix)]
fn is_pipe(kind: FileType) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&kind)
}

#[cfg(not(unix))]
const fn is_pipe(_: FileType) -> bool {
    false
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
        // A link that leads to no file yet.
        Err(error) if error.kind() == io::ErrorKind::NotFound => match fs::read_link(path) {
            Ok(target) => resolve(&folder_of(path).join(target)),
            Err(_) => Ok(path.to_owned()),
        },
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
    let folder = named(folder);
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

fn folder_of(path: &Path) -> &Path {
    named(path.parent())
}

/// Gives a folder a name where its path is empty.
fn named(folder: Option<&Path>) -> &Path {
    folder.filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
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
            check_output(&path).expect_err("no file can be there");
            write_beside(&path, b"x").expect_err("no file can be there");
        }
        let good = folder.path().join("board.svg");
        assert_eq!(
            check_output(&good).expect("it can"),
            fs::canonicalize(folder.path()).expect("there").join("board.svg")
        );
        assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_a_file_that_is_not_there_yet_stays_a_link() {
        let folder = tempfile::tempdir().expect("a folder");
        let link = folder.path().join("link");
        std::os::unix::fs::symlink("target", &link).expect("made");
        write_beside(&link, b"x").expect("written");
        assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
        assert_eq!(fs::read(folder.path().join("target")).expect("readable"), b"x");
        assert_eq!(read(&link).expect("readable"), b"x");
    }

    #[cfg(unix)]
    #[test]
    fn devices_and_folders_are_not_read() {
        for path in ["/dev/zero", "/"] {
            assert_eq!(read(Path::new(path)).expect_err("refused").to_string(), "it is not a regular file");
        }
    }
}
