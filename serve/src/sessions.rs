//! The sessions of a server: played in memory, kept in the [`Store`] before anybody is told.

mod clock;
mod errands;
mod live;
mod messages;
mod seat;
mod session;
mod shown;
#[cfg(test)]
mod tests;
mod undo;

pub use live::{IDLE, Live, Sessions};
pub use messages::{Command, Create, Created, Join, Joined, Push, Reply, SessionView, SignedCommand};
