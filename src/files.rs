//! Files that the command line names: read and written with errors that say which and what to do.
//!
//! Outputs are checked while the arguments are read, before any work that would be lost.

use std::borrow::Cow;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::builder::{OsStringValueParser, TypedValueParser};
use damma_trainer::files;

/// Reads the argument that names an output: a path where a file can be written.
pub fn output() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().try_map(|text| {
        let path = PathBuf::from(text);
        files::check_output(&path).map(|_| path.clone()).map_err(|error| refusal(&path, &error))
    })
}

/// Checks that a file can be written in a place that no argument names.
///
/// # Errors
/// It cannot; with the path, the cause and the remedy.
pub fn check(path: &Path) -> anyhow::Result<()> {
    files::check_output(path).map(drop).map_err(|error| anyhow::anyhow!(refusal(path, &error)))
}

/// Checks that files with different names in messages are different files.
///
/// # Errors
/// The first two that are the same.
pub fn apart(named: &[(&str, &Path)]) -> anyhow::Result<()> {
    let mut places: Vec<(&str, PathBuf)> = Vec::new();
    for &(name, path) in named {
        // What cannot be written is only read, and then it is there.
        let Ok(place) = files::check_output(path).or_else(|_| path.canonicalize()) else { continue };
        if let Some((other, _)) = places.iter().find(|(_, taken)| *taken == place) {
            bail!("{other} and {name} both name the same file, {}; give each its own", path.display());
        }
        places.push((name, place));
    }
    Ok(())
}

/// Writes a file whole or not at all, as [`damma_trainer::files::write_beside`] does.
///
/// # Errors
/// The path with the cause; the target is as it was.
pub fn write_beside(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    files::write_beside(path, bytes).map_err(|error| anyhow::anyhow!(refusal(path, &error)))
}

/// Reads a file that an argument names; `kind` says what it should be.
///
/// # Errors
/// The path with what to give and the cause.
pub fn read(path: &Path, kind: &str) -> anyhow::Result<Vec<u8>> {
    files::read(path).with_context(|| format!("cannot read {}; give the path of {kind}", path.display()))
}

/// Reads a file as UTF-8, without the byte order mark that some editors put first.
///
/// # Errors
/// As [`read`], or the first line that is not UTF-8.
pub fn read_text(path: &Path, kind: &str) -> anyhow::Result<String> {
    let text = String::from_utf8(read(path, kind)?).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..good].split(|&byte| byte == b'\n').count();
        anyhow::anyhow!("{}, line {line}: not UTF-8; save the file as UTF-8", path.display())
    })?;
    Ok(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    })
}

/// Reads a file as UTF-8, or as Latin-1 where it is none: old PDN files are.
///
/// # Errors
/// As [`read`].
pub fn read_old_text(path: &Path, kind: &str) -> anyhow::Result<String> {
    let bytes = read(path, kind)?;
    Ok(String::from_utf8(bytes).unwrap_or_else(|error| error.as_bytes().iter().map(|&byte| char::from(byte)).collect()))
}

/// Reads a file that need not be there.
///
/// # Errors
/// It is there and cannot be read.
pub fn read_if_there(path: &Path) -> anyhow::Result<Option<Vec<u8>>> {
    match files::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}

fn refusal(path: &Path, error: &io::Error) -> String {
    let (name, folder) = (path.display(), path.parent().unwrap_or(Path::new("")).display());
    let remedy: Cow<'_, str> = match error.kind() {
        ErrorKind::NotFound => format!("make the folder {folder}, or give another path").into(),
        ErrorKind::StorageFull => "make room on the disk, or give another path".into(),
        _ => "give the path of a file in a folder that can be written".into(),
    };
    format!("cannot write {name}: {error}; {remedy}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_whatever_wrote_them() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let write = |bytes: &[u8]| std::fs::write(file.path(), bytes).expect("written");
        write(b"9-14\n{Andr\xe9} 9-14 *");
        assert_eq!(read_old_text(file.path(), "PDN").expect("readable"), "9-14\n{Andr\u{e9}} 9-14 *");
        let error = read_text(file.path(), "openings").expect_err("not UTF-8").to_string();
        assert!(error.contains(", line 2: not UTF-8"), "{error}");
        write("\u{feff}9-14".as_bytes());
        assert_eq!(read_text(file.path(), "openings").expect("readable"), "9-14");
        let missing = format!("{:#}", read(Path::new("/no/such.pdn"), "a PDN file").expect_err("no file"));
        assert!(missing.starts_with("cannot read /no/such.pdn; give the path of a PDN file: "), "{missing}");
    }

    #[test]
    fn an_output_that_cannot_be_written_is_refused_with_the_remedy() {
        let folder = tempfile::tempdir().expect("a folder");
        let message = |path: &Path| check(path).expect_err("refused").to_string();
        let missing = message(&folder.path().join("no/x.pdn"));
        assert!(missing.contains("; make the folder ") && missing.ends_with("or give another path"), "{missing}");
        assert!(message(folder.path()).contains("it exists and is not a regular file; give the path of a file"));
        assert!(message(Path::new("/dev/full")).starts_with("cannot write /dev/full: it is a device; "));
    }

    #[test]
    fn the_same_file_under_two_names_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let (one, other) = (folder.path().join("a"), folder.path().join("./a"));
        apart(&[("--out", &one), ("--pdn", &folder.path().join("b"))]).expect("two files");
        let error = apart(&[("--out", &one), ("--pdn", &other)]).expect_err("one file").to_string();
        assert!(error.starts_with("--out and --pdn both name the same file, "), "{error}");
    }
}
