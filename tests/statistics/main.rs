//! The statistics of matches against simulation, published figures and other algorithms.

mod matches;
mod models;
mod sequential;
mod simulate;
mod tournaments;
