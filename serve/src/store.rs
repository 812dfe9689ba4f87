//! Where sessions are kept: one `SQLite` file, written by a thread of its own.
//!
//! What waits is written in one transaction, and nobody is answered before it is: a kill at any moment loses
//! nothing that a client was told.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, OptionalExtension as _, params};
use thiserror::Error;
use tokio::sync::{mpsc, oneshot};

use crate::problem::Problem;

/// Jobs that may wait for the thread.
const WAITING: usize = 4_096;

/// Jobs of one transaction at most.
const AT_ONCE: usize = 256;

/// The form of the file that this program writes.
const VERSION: i64 = 1;

/// A file that cannot hold sessions.
#[derive(Debug, Error)]
pub enum StoreError {
    /// It cannot be opened, or is no database.
    #[error("cannot keep games in {path}; name another file with --database")]
    Open {
        /// The file.
        path: PathBuf,
        /// Why.
        source: rusqlite::Error,
    },
    /// A folder for it cannot be made.
    #[error("cannot make the folder of {path}")]
    Folder {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Another version has written it.
    #[error("{path} has form {found}, and this program reads {VERSION}; name another file with --database")]
    Version {
        /// The file.
        path: PathBuf,
        /// Its form.
        found: i64,
    },
    /// It is a database of something else.
    #[error("{0} is a database of another program; name another file with --database")]
    Foreign(PathBuf),
    /// Another server writes to it.
    #[error("{0} is in use by another server; stop that, or name another file with --database")]
    InUse(PathBuf),
}

/// What the thread is asked.
enum Job {
    Save { id: String, document: String, is_over: bool, done: oneshot::Sender<Result<(), String>> },
    Load { id: String, done: oneshot::Sender<Result<Option<String>, String>> },
    Prune { days: u32 },
    Check { done: oneshot::Sender<Result<(), String>> },
    Close { done: oneshot::Sender<Result<(), String>> },
}

/// Sessions on disk.
#[derive(Clone)]
pub struct Store {
    jobs: mpsc::Sender<Job>,
}

impl Store {
    /// Opens the file, and makes it where it is not there.
    ///
    /// # Errors
    /// It cannot be used.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder {
            let fail = |source| StoreError::Folder { path: path.to_owned(), source };
            std::fs::create_dir_all(folder).map_err(fail)?;
        }
        let connection = connect(path)?;
        let (jobs, waiting) = mpsc::channel(WAITING);
        std::thread::Builder::new()
            .name("store".to_owned())
            .spawn(move || work(connection, waiting))
            .expect("the system has a thread to give");
        Ok(Self { jobs })
    }

    /// Keeps a session; when it returns, it is in the file.
    ///
    /// # Errors
    /// The file cannot be written.
    pub async fn save(&self, id: &str, document: String, is_over: bool) -> Result<(), Problem> {
        let (done, answer) = oneshot::channel();
        self.ask(Job::Save { id: id.to_owned(), document, is_over, done }, answer).await
    }

    /// Finds a session.
    ///
    /// # Errors
    /// The file cannot be read.
    pub async fn load(&self, id: &str) -> Result<Option<String>, Problem> {
        let (done, answer) = oneshot::channel();
        self.ask(Job::Load { id: id.to_owned(), done }, answer).await
    }

    /// Says whether the file can be written.
    ///
    /// # Errors
    /// It cannot.
    pub async fn check(&self) -> Result<(), Problem> {
        let (done, answer) = oneshot::channel();
        self.ask(Job::Check { done }, answer).await
    }

    /// Forgets games that ended more than so many days ago.
    pub fn prune(&self, days: u32) {
        // A full queue is pruned another time.
        let _ = self.jobs.try_send(Job::Prune { days });
    }

    /// Closes the file: when it returns, another server may open it, and this one keeps nothing more.
    pub async fn close(&self) {
        let (done, answer) = oneshot::channel();
        // One that is closed already is no fault.
        let _ = self.ask(Job::Close { done }, answer).await;
    }

    async fn ask<T>(&self, job: Job, answer: oneshot::Receiver<Result<T, String>>) -> Result<T, Problem> {
        self.jobs.try_send(job).map_err(|_| Problem::busy("the database has more to write than it can"))?;
        let answer = answer.await.map_err(|_| Problem::storage("the database is closed"))?;
        answer.map_err(|error| Problem::storage(format!("the database says: {error}")))
    }
}

fn connect(path: &Path) -> Result<Connection, StoreError> {
    let fail = |source| StoreError::Open { path: path.to_owned(), source };
    let connection = Connection::open(path).map_err(fail)?;
    connection.busy_timeout(Duration::ZERO).map_err(fail)?;
    let busy = |source: rusqlite::Error| match source.sqlite_error_code() {
        Some(rusqlite::ErrorCode::DatabaseBusy | rusqlite::ErrorCode::DatabaseLocked) => {
            StoreError::InUse(path.to_owned())
        }
        _ => fail(source),
    };
    // Exclusive: two servers with one file would overwrite each other's games.
    connection.execute_batch("PRAGMA locking_mode = EXCLUSIVE").map_err(fail)?;
    // Looked at before anything is written: what is not ours stays as it is.
    let number = |text: &str| connection.query_row(text, [], |row| row.get::<_, i64>(0)).map_err(busy);
    let found = number("SELECT user_version FROM pragma_user_version")?;
    let tables = number("SELECT count(*) FROM sqlite_schema WHERE type = 'table'")?;
    let ours = number(
        "SELECT count(*) FROM pragma_table_info('sessions') WHERE name IN ('id', 'updated', 'over', 'document')",
    )?;
    if tables > 0 && (found == 0 || ours != 4) {
        return Err(StoreError::Foreign(path.to_owned()));
    }
    if found > VERSION {
        return Err(StoreError::Version { path: path.to_owned(), found });
    }
    connection
        .execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; BEGIN EXCLUSIVE; COMMIT;")
        .map_err(busy)?;
    connection
        .execute_batch(
            "CREATE TABLE IF NOT EXISTS sessions (
                 id TEXT PRIMARY KEY, updated INTEGER NOT NULL, over INTEGER NOT NULL, document TEXT NOT NULL
             ) STRICT, WITHOUT ROWID;
             CREATE INDEX IF NOT EXISTS ended ON sessions (updated) WHERE over;
             PRAGMA user_version = 1;",
        )
        .map_err(fail)?;
    Ok(connection)
}

/// How a transaction ended, for who waits for that.
type Done = oneshot::Sender<Result<(), String>>;

/// Who waits for the end of a transaction.
#[derive(Default)]
struct Waiting {
    saved: Vec<Done>,
    /// Who asked to close the file.
    closed: Option<Done>,
}

/// Does what is asked until it is to close, or nobody can ask any more.
fn work(mut connection: Connection, mut asked: mpsc::Receiver<Job>) {
    let mut jobs = Vec::new();
    while asked.blocking_recv_many(&mut jobs, AT_ONCE) > 0 {
        let mut waiting = Waiting::default();
        let outcome = write(&mut connection, &mut jobs, &mut waiting);
        let outcome = outcome.map_err(|error| error.to_string());
        for done in waiting.saved {
            // Whoever asked may be gone.
            let _ = done.send(outcome.clone());
        }
        if let Some(done) = waiting.closed {
            drop(connection);
            let _ = done.send(Ok(()));
            return;
        }
    }
}

/// Does jobs in one transaction.
fn write(connection: &mut Connection, jobs: &mut Vec<Job>, waiting: &mut Waiting) -> rusqlite::Result<()> {
    let transaction = match connection.transaction() {
        Ok(transaction) => transaction,
        Err(error) => {
            jobs.drain(..).for_each(|job| refuse(job, &error.to_string()));
            return Err(error);
        }
    };
    let mut failed = None;
    for job in jobs.drain(..) {
        failed = failed.or(job.run(&transaction, waiting).err());
    }
    match failed {
        // Dropped, the transaction is rolled back.
        Some(error) => Err(error),
        None => transaction.commit(),
    }
}

impl Job {
    /// Does it, and tells at once what needs no transaction.
    fn run(self, connection: &Connection, waiting: &mut Waiting) -> rusqlite::Result<()> {
        match self {
            Self::Save { id, document, is_over, done } => {
                waiting.saved.push(done);
                let text = "INSERT INTO sessions VALUES (?1, ?2, ?3, ?4)
                            ON CONFLICT (id) DO UPDATE SET updated = ?2, over = ?3, document = ?4";
                let row = params![id, now_seconds(), is_over, document];
                connection.prepare_cached(text)?.execute(row)?;
            }
            Self::Load { id, done } => {
                let text = "SELECT document FROM sessions WHERE id = ?1";
                let find =
                    |mut select: rusqlite::CachedStatement<'_>| select.query_row([id], |row| row.get(0)).optional();
                let found = connection.prepare_cached(text).and_then(find);
                let _ = done.send(found.map_err(|error| error.to_string()));
            }
            Self::Prune { days } => {
                let before = now_seconds() - i64::from(days) * 86_400;
                connection.execute("DELETE FROM sessions WHERE over AND updated < ?1", [before])?;
            }
            Self::Check { done } => {
                waiting.saved.push(done);
                // What is written is what stands there, but written it is.
                connection.pragma_update(None, "user_version", VERSION)?;
            }
            Self::Close { done } => waiting.closed = Some(done),
        }
        Ok(())
    }
}

fn refuse(job: Job, error: &str) {
    match job {
        Job::Save { done, .. } | Job::Check { done } | Job::Close { done } => drop(done.send(Err(error.to_owned()))),
        Job::Load { done, .. } => drop(done.send(Err(error.to_owned()))),
        Job::Prune { .. } => {}
    }
}

fn now_seconds() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs() as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_of_something_else_is_refused_and_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shop.sqlite");
        for tables in ["CREATE TABLE goods (price)", "CREATE TABLE sessions (id); PRAGMA user_version = 1"] {
            let _ = std::fs::remove_file(&path);
            Connection::open(&path).unwrap().execute_batch(tables).unwrap();
            let before = std::fs::read(&path).unwrap();

            let refused = Store::open(&path).err().unwrap().to_string();

            assert!(refused.contains("another program") && refused.contains("--database"), "{refused}");
            assert_eq!(std::fs::read(&path).unwrap(), before);
        }
    }
}
