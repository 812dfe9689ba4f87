//! Which instructions this machine has, and running the kernel with them.

use std::sync::LazyLock;

#[cfg(target_arch = "x86_64")]
use super::lanes::{Avx2, Avx512, Sse2};
use super::lanes::{Lanes, Portable};

/// Work that is written once over [`Lanes`].
pub(super) trait Work {
    /// Does the work with some lanes; must be inlined, so that it is compiled with their instructions.
    fn run<L: Lanes>(self);
}

/// A way to run the kernel; to be made only where the machine has its instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Path {
    /// Eight boards at a time.
    #[cfg(target_arch = "x86_64")]
    Avx512,
    /// Four boards at a time.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// Two boards at a time, with what every x86-64 processor has.
    #[cfg(target_arch = "x86_64")]
    Sse2,
    /// One board at a time in plain Rust.
    Portable,
}

/// Names the instructions that batches are stepped with: `avx512`, `avx2`, `sse2` or `portable`.
///
/// The best that the machine has; `DAMMA_CPU` in the environment can name a lesser one, and is not
/// read where it names none. All give the same results.
#[must_use]
pub fn cpu_path() -> &'static str {
    match Path::best() {
        #[cfg(target_arch = "x86_64")]
        Path::Avx512 => "avx512",
        #[cfg(target_arch = "x86_64")]
        Path::Avx2 => "avx2",
        #[cfg(target_arch = "x86_64")]
        Path::Sse2 => "sse2",
        Path::Portable => "portable",
    }
}

impl Path {
    /// Gives the best way that this machine has.
    pub(super) fn best() -> Self {
        static BEST: LazyLock<Path> = LazyLock::new(|| {
            let wanted = std::env::var("DAMMA_CPU").unwrap_or_default();
            match wanted.as_str() {
                "portable" => Path::Portable,
                #[cfg(target_arch = "x86_64")]
                "sse2" => Path::Sse2,
                #[cfg(target_arch = "x86_64")]
                "avx2" if Avx2::is_available() => Path::Avx2,
                #[cfg(target_arch = "x86_64")]
                _ if Avx512::is_available() => Path::Avx512,
                #[cfg(target_arch = "x86_64")]
                _ if Avx2::is_available() => Path::Avx2,
                #[cfg(target_arch = "x86_64")]
                _ => Path::Sse2,
                #[cfg(not(target_arch = "x86_64"))]
                _ => Path::Portable,
            }
        });
        *BEST
    }

    /// Does some work this way.
    #[inline]
    pub(super) fn run(self, work: impl Work) {
        #[cfg(target_arch = "x86_64")]
        debug_assert!(self != Self::Avx512 || Avx512::is_available(), "a path is made only where its instructions are");
        match self {
            // SAFETY: `best` gives a path only where its instructions are.
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => unsafe { avx512(work) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => unsafe { avx2(work) },
            #[cfg(target_arch = "x86_64")]
            Self::Sse2 => work.run::<Sse2>(),
            Self::Portable => work.run::<Portable>(),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2,avx512vpopcntdq,gfni,bmi1,bmi2,lzcnt,popcnt")]
fn avx512(work: impl Work) {
    work.run::<Avx512>();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn avx2(work: impl Work) {
    work.run::<Avx2>();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AutoReset, Game, IllegalPolicy, PRESETS, Ruleset, Starts, VectorEnv, VectorOptions};

    /// Lists the ways that this machine has.
    fn paths() -> Vec<Path> {
        let mut paths = vec![Path::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            paths.push(Path::Sse2);
            paths.extend(Avx2::is_available().then_some(Path::Avx2));
            paths.extend(Avx512::is_available().then_some(Path::Avx512));
        }
        paths
    }

    #[test]
    fn all_paths_step_in_lockstep() {
        let free = ("srand", vec!["priority=free"]);
        let small = ("damma", vec!["size=4", "home_rows=1", "king=short"]);
        let large = ("damma", vec!["size=10", "home_rows=4", "capture=forced", "priority=maximum"]);
        let games = PRESETS.iter().map(|preset| (preset.name, vec![])).chain([free, small, large]);
        for (preset, overrides) in games {
            let ruleset = Ruleset::preset(preset).expect("a preset").with_overrides(overrides).expect("a ruleset");
            let game = Game::new(ruleset).expect("a game");
            let options = VectorOptions {
                dense_masks: true,
                illegal: IllegalPolicy::Resample,
                auto_reset: AutoReset::NextStep,
                starts: Starts::Random(0..=6),
                threads: 1,
                ..VectorOptions::default()
            };
            let mut batches: Vec<VectorEnv> = paths()
                .into_iter()
                .map(|path| {
                    let mut batch = VectorEnv::new(game.clone(), 83, options.clone()).expect("a batch");
                    batch.path = path;
                    batch
                })
                .collect();
            let mut actions = [0; 83];
            for step in 0..500 {
                for batch in &mut batches {
                    batch.sample_legal(&mut actions).expect("room");
                    // Some actions are drawn anew, some boards are left out.
                    actions[step % 83] = VectorEnv::NO_ACTION;
                    if step % 7 == 0 {
                        batch.step_boards(&[3, 80, 11], &[actions[3], actions[80], actions[11]]).expect("a step");
                    } else {
                        batch.step(&actions).expect("a step");
                    }
                }
                for batch in &batches[1..] {
                    assert_eq!(batch.packed_masks(), batches[0].packed_masks(), "{preset} {:?}", batch.path);
                    assert_eq!(batch.dense_masks(), batches[0].dense_masks(), "{preset} {:?}", batch.path);
                    assert!(batch.save() == batches[0].save(), "{preset} {:?} at step {step}", batch.path);
                }
            }
        }
    }
}
