//! A folder of tables: an index with the rules, and a file a class.
//!
//! A class counts as there once the index lists it, and the index is written after the file. So a
//! job that is killed loses at most the class in hand.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use damma_env::{Class, ClassReport, EndgameTables, MAX_PIECES, Ruleset};
use damma_trainer::files::write_beside;
use serde::{Deserialize, Serialize};

use super::error::EndgameFileError;
use super::file::{FORMAT, decode, encode};

const INDEX: &str = "index.json";

/// What the index says of a class.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClassEntry {
    /// The class as text, see [`Class`].
    pub class: String,
    /// The file's name.
    pub file: String,
    /// Positions.
    pub positions: u64,
    /// Positions won by the player who decides.
    pub won: u64,
    /// Positions drawn.
    pub drawn: u64,
    /// Positions lost.
    pub lost: u64,
    /// Turns of the longest win, 0 without one; 253 means at least so many.
    pub longest_win: u16,
    /// Bytes of the file.
    pub bytes: u64,
    /// CRC-32 of the table.
    pub crc32: u32,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Index {
    format: u32,
    /// The program that wrote the index last.
    made_by: String,
    ruleset: Ruleset,
    classes: Vec<ClassEntry>,
}

/// A folder of endgame tables.
#[derive(Debug)]
pub struct EndgameFolder {
    path: PathBuf,
    index: Index,
    rules: u32,
}

impl EndgameFolder {
    /// Opens a folder of tables.
    ///
    /// # Errors
    /// It holds none, or its index is damaged.
    pub fn open(path: &Path) -> Result<Self, EndgameFileError> {
        let file = path.join(INDEX);
        let bad = |reason: String| EndgameFileError::BadIndex { path: file.clone(), reason };
        let text = match fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(EndgameFileError::NoTables { path: path.to_owned() });
            }
            Err(source) => return Err(EndgameFileError::Read { path: file, source }),
        };
        let index: Index = serde_json::from_str(&text).map_err(|error| bad(error.to_string()))?;
        if index.format != FORMAT {
            return Err(bad(format!("it is of format {}, and this program reads format {FORMAT}", index.format)));
        }
        index.ruleset.validate().map_err(|error| bad(error.to_string()))?;
        let mut classes: Vec<&str> = index.classes.iter().map(|entry| entry.class.as_str()).collect();
        if classes.iter().any(|class| class.parse::<Class>().is_err()) {
            return Err(bad("it lists a class that is none".to_owned()));
        }
        classes.sort_unstable();
        if classes.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(bad("it lists a class twice".to_owned()));
        }
        let folder = Self::new(path, index);
        let possible = EndgameTables::new(&folder.index.ruleset).classes(MAX_PIECES);
        let strange = folder.classes().find(|class| !possible.contains(class) && !possible.contains(&class.mirror()));
        strange.map_or(Ok(folder), |class| Err(bad(format!("it lists {class}, which no position of the game is of"))))
    }

    /// Opens a folder of tables, or makes an empty one.
    ///
    /// # Errors
    /// It holds tables of other rules or a damaged index, or cannot be written.
    pub fn create(path: &Path, ruleset: &Ruleset) -> Result<Self, EndgameFileError> {
        let wanted = EndgameTables::timeless(ruleset);
        match Self::open(path) {
            Ok(folder) if folder.index.ruleset == wanted => Ok(folder),
            Ok(folder) => Err(EndgameFileError::OtherRules {
                path: path.to_owned(),
                differences: differences(&folder.index.ruleset, &wanted),
            }),
            Err(EndgameFileError::NoTables { .. }) => {
                fs::create_dir_all(path).map_err(|source| EndgameFileError::Write { path: path.to_owned(), source })?;
                let index = Index { format: FORMAT, made_by: String::new(), ruleset: wanted, classes: Vec::new() };
                let mut folder = Self::new(path, index);
                folder.write_index()?;
                Ok(folder)
            }
            Err(error) => Err(error),
        }
    }

    fn new(path: &Path, index: Index) -> Self {
        let rules = crc32fast::hash(index.ruleset.to_toml().as_bytes());
        Self { path: path.to_owned(), index, rules }
    }

    /// Gives the rules, without what no table depends on; see [`EndgameTables::timeless`].
    #[must_use]
    pub const fn ruleset(&self) -> &Ruleset {
        &self.index.ruleset
    }

    /// Checks that the tables are of these rules.
    ///
    /// # Errors
    /// [`EndgameFileError::OtherRules`] with the options that differ.
    pub fn expect_rules(&self, ruleset: &Ruleset) -> Result<(), EndgameFileError> {
        let wanted = EndgameTables::timeless(ruleset);
        if self.index.ruleset == wanted {
            return Ok(());
        }
        let differences = differences(&self.index.ruleset, &wanted);
        Err(EndgameFileError::OtherRules { path: self.path.clone(), differences })
    }

    /// Checks that there are tables, and that below the most pieces of any no class is missing.
    ///
    /// # Errors
    /// [`EndgameFileError::Missing`] with the first class that is.
    pub fn expect_complete(&self) -> Result<(), EndgameFileError> {
        let tables = EndgameTables::new(&self.index.ruleset);
        let most = self.classes().map(Class::pieces).max().unwrap_or(2);
        let classes = tables.classes(most).into_iter().flat_map(|class| [class, class.mirror()]);
        let missing = classes.into_iter().find(|class| !self.contains(*class));
        missing.map_or(Ok(()), |class| {
            Err(EndgameFileError::Missing { path: self.path.clone(), class: class.to_string() })
        })
    }

    /// Lists the classes that are there, in the order in which they were written.
    #[must_use]
    pub fn entries(&self) -> &[ClassEntry] {
        &self.index.classes
    }

    /// Says whether a class is there.
    #[must_use]
    pub fn contains(&self, class: Class) -> bool {
        self.entry(class).is_some()
    }

    /// Says whether a class is listed and its file there; whether the file is sound is not looked at.
    #[must_use]
    pub fn has_file(&self, class: Class) -> bool {
        self.contains(class) && self.path.join(file_name(class)).is_file()
    }

    /// Writes the tables of a class and, where it is another, of its mirror.
    ///
    /// # Errors
    /// The folder cannot be written; what was there before stays.
    pub fn write(&mut self, tables: &EndgameTables, class: Class) -> Result<(), EndgameFileError> {
        let both = if class == class.mirror() { vec![class] } else { vec![class, class.mirror()] };
        for class in both {
            let table = tables.bytes(class).expect("the class has been solved");
            let path = self.path.join(file_name(class));
            let refused = |source| EndgameFileError::Write { path: path.clone(), source };
            let (bytes, crc32) = encode(self.rules, class, table).map_err(refused)?;
            write_beside(&path, &bytes).map_err(refused)?;
            let ClassReport { won, drawn, lost, longest_win, .. } = tables.report(class).expect("it has a table");
            self.index.classes.retain(|entry| entry.class != class.to_string());
            self.index.classes.push(ClassEntry {
                class: class.to_string(),
                file: file_name(class),
                positions: table.len() as u64,
                won,
                drawn,
                lost,
                longest_win,
                bytes: bytes.len() as u64,
                crc32,
            });
        }
        self.write_index()
    }

    /// Reads the table of a class of so many positions.
    ///
    /// # Errors
    /// The file is missing, damaged or foreign, or not the one that the index lists.
    pub fn read(&self, class: Class, positions: u64) -> Result<Vec<u8>, EndgameFileError> {
        let path = self.path.join(file_name(class));
        let bad = |reason: String| EndgameFileError::BadFile { path: path.clone(), reason };
        let bytes = fs::read(&path).map_err(|source| EndgameFileError::Read { path: path.clone(), source })?;
        let (table, crc32) = decode(&bytes, self.rules, class, positions).map_err(bad)?;
        if self.entry(class).is_some_and(|entry| entry.crc32 != crc32) {
            return Err(bad("it is not the table that index.json lists".to_owned()));
        }
        Ok(table)
    }

    /// Loads every class that is there and has at most `pieces` pieces: a byte a position.
    ///
    /// `progress` is told of each class before it is read.
    ///
    /// # Errors
    /// As [`EndgameFolder::read`], for the first file that is not sound.
    pub fn load(&self, pieces: usize, mut progress: impl FnMut(Class)) -> Result<EndgameTables, EndgameFileError> {
        let mut tables = EndgameTables::new(&self.index.ruleset);
        for class in tables.classes(pieces) {
            for class in [class, class.mirror()] {
                if self.contains(class) && tables.bytes(class).is_none() {
                    progress(class);
                    let table = self.read(class, tables.count(class))?;
                    tables.insert(class, table).expect("a table that was read has as many positions as its class");
                }
            }
        }
        Ok(tables)
    }

    fn classes(&self) -> impl Iterator<Item = Class> + '_ {
        self.index.classes.iter().map(|entry| entry.class.parse().expect("the index was read with classes only"))
    }

    fn entry(&self, class: Class) -> Option<&ClassEntry> {
        let name = class.to_string();
        self.index.classes.iter().find(|entry| entry.class == name)
    }

    fn write_index(&mut self) -> Result<(), EndgameFileError> {
        self.index.made_by = String::from(concat!("damma ", env!("CARGO_PKG_VERSION")));
        let path = self.path.join(INDEX);
        let text = serde_json::to_string_pretty(&self.index).expect("an index is plain data");
        write_beside(&path, text.as_bytes()).map_err(|source| EndgameFileError::Write { path, source })
    }
}

fn file_name(class: Class) -> String {
    format!("{class}.table")
}

/// Lists the options in which two rulesets differ.
fn differences(found: &Ruleset, wanted: &Ruleset) -> String {
    let (found, wanted) = (found.to_toml(), wanted.to_toml());
    let pairs = found.lines().zip(wanted.lines()).filter(|(found, wanted)| found != wanted);
    pairs.map(|(found, wanted)| format!("{found}, asked for {wanted}")).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ruleset(options: &[&str]) -> Ruleset {
        Ruleset::preset("khreibga").expect("a preset").with_overrides(options.iter().copied()).expect("a ruleset")
    }

    fn solved(folder: &mut EndgameFolder, pieces: usize) -> EndgameTables {
        let mut tables = EndgameTables::new(folder.ruleset());
        for class in tables.classes(pieces) {
            tables.solve(class, |_| ());
            folder.write(&tables, class).expect("written");
        }
        tables
    }

    #[test]
    fn tables_are_read_back() {
        let place = tempfile::tempdir().expect("a folder");
        let mut folder = EndgameFolder::create(&place.path().join("new"), &ruleset(&[])).expect("made");
        let tables = solved(&mut folder, 2);
        let again =
            EndgameFolder::create(&place.path().join("new"), &ruleset(&["no_progress_limit=9"])).expect("opened");
        let loaded = again.load(8, |_| ()).expect("sound");
        assert_eq!(loaded.covered(), 2);
        for entry in again.entries() {
            let class = entry.class.parse().expect("a class");
            assert_eq!(loaded.bytes(class), tables.bytes(class));
            assert_eq!(entry.won + entry.drawn + entry.lost, entry.positions);
        }
    }

    #[test]
    fn other_rules_are_refused() {
        let place = tempfile::tempdir().expect("a folder");
        EndgameFolder::create(place.path(), &ruleset(&[])).expect("made");
        let error = EndgameFolder::create(place.path(), &ruleset(&["king=short"])).expect_err("other rules");
        assert!(error.to_string().contains("king = \"flying\", asked for king = \"short\""), "{error}");
    }

    #[test]
    fn damaged_missing_and_exchanged_files_are_refused_by_name() {
        let place = tempfile::tempdir().expect("a folder");
        let mut folder = EndgameFolder::create(place.path(), &ruleset(&[])).expect("made");
        solved(&mut folder, 2);
        let file = place.path().join("1m0k-1m0k.table");
        let whole = fs::read(&file).expect("readable");
        let refused = |bytes: &[u8]| {
            fs::write(&file, bytes).expect("writable");
            let error = EndgameFolder::open(place.path()).expect("an index").load(8, |_| ()).expect_err("refused");
            assert!(error.to_string().contains("1m0k-1m0k.table"), "{error}");
        };
        refused(&whole[..whole.len() - 1]);
        refused(&[]);
        refused(&fs::read(place.path().join("0m1k-0m1k.table")).expect("readable"));
        let (other, _) = encode(folder.rules, "1m0k-1m0k".parse().expect("a class"), &[0; 380]).expect("written");
        refused(&other);
        fs::write(&file, &whole).expect("writable");
        fs::remove_file(place.path().join("0m1k-1m0k.table")).expect("removed");
        let error = folder.load(8, |_| ()).expect_err("missing");
        assert!(error.to_string().contains("0m1k-1m0k.table"), "{error}");
    }

    #[test]
    fn a_class_that_is_missing_or_of_no_position_is_named() {
        let place = tempfile::tempdir().expect("a folder");
        let mut folder = EndgameFolder::create(place.path(), &ruleset(&[])).expect("made");
        let missing = |folder: &EndgameFolder| folder.expect_complete().expect_err("missing").to_string();
        assert!(missing(&folder).contains("lacks the table of 0m1k-0m1k"));
        solved(&mut folder, 2);
        folder.expect_complete().expect("all are there");
        folder.index.classes.retain(|entry| entry.class != "0m1k-1m0k");
        assert!(missing(&folder).contains("lacks the table of 0m1k-1m0k"));
        folder.index.classes[0].class = "9m9k-9m9k".to_owned();
        folder.write_index().expect("written");
        let error = EndgameFolder::open(place.path()).expect_err("no such class").to_string();
        assert!(error.contains("it lists 9m9k-9m9k"), "{error}");
    }

    #[test]
    fn a_folder_without_tables_says_so() {
        let place = tempfile::tempdir().expect("a folder");
        assert!(matches!(EndgameFolder::open(place.path()), Err(EndgameFileError::NoTables { .. })));
        fs::write(place.path().join(INDEX), "{}").expect("writable");
        assert!(matches!(EndgameFolder::open(place.path()), Err(EndgameFileError::BadIndex { .. })));
    }
}
