//! Instructions a step: a figure that neither the load nor the clock of the machine changes.
//!
//! `cargo bench -p damma-env --bench instructions` runs this program once for each preset and
//! output under Valgrind's Callgrind, which counts the instructions of [`replay`] alone, and
//! prints a table. Valgrind emulates no AVX-512, so the code for lesser CPUs is counted. Where a CPU
//! lets programs read its counters, `perf stat -e instructions:u` around the same program with the
//! arguments `run PRESET OUTPUT` counts the code that really runs, with the warm-up.

mod boards;

use std::env;
use std::hint::black_box;
use std::process::{Command, ExitCode};

use damma_env::{Observations, PRESETS, VectorEnv, VectorOptions};

use boards::{play, warm};

const BOARDS: usize = 64;

/// Steps of all boards that are counted.
const STEPS: usize = 300;

/// What is written after each step, as arguments name it.
const OUTPUTS: [&str; 3] = ["packed", "dense", "f32"];

/// What starts the program that is counted.
const RUN: &str = "run";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [RUN, preset, output] => {
            run(preset, output);
            ExitCode::SUCCESS
        }
        _ => report(),
    }
}

/// Plays some steps of a batch, then the same again where they are counted.
fn run(preset: &str, output: &str) {
    let observations = if output == "f32" { Observations::Planes } else { Observations::Off };
    let dense_masks = output == "dense";
    let options = VectorOptions { seed: 1, threads: 1, dense_masks, observations, ..VectorOptions::default() };
    let mut batch = warm(preset, BOARDS, options);
    let mut tape = vec![0; BOARDS * STEPS];
    let mut again = batch.clone();
    play(&mut batch, &mut tape);
    replay(&mut again, &tape);
    black_box(again.packed_masks());
}

/// Steps alone: Callgrind finds this function by its name.
#[inline(never)]
fn replay(batch: &mut VectorEnv, tape: &[u16]) {
    for actions in tape.chunks_exact(BOARDS) {
        batch.step(actions).expect("legal actions");
    }
}

fn report() -> ExitCode {
    println!("Instructions a step, {BOARDS} boards");
    println!("{:<10}{:>10}{:>10}{:>10}", "preset", OUTPUTS[0], OUTPUTS[1], OUTPUTS[2]);
    for preset in PRESETS {
        print!("{:<10}", preset.name);
        for output in OUTPUTS {
            match count(preset.name, output) {
                Ok(total) => print!("{:>10}", total / (BOARDS * STEPS) as u64),
                Err(reason) => {
                    println!();
                    eprintln!("error: {reason}");
                    return ExitCode::FAILURE;
                }
            }
        }
        println!();
    }
    ExitCode::SUCCESS
}

/// Counts the instructions of one run of [`replay`].
fn count(preset: &str, output: &str) -> Result<u64, String> {
    let program = env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?;
    let run = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=*instructions*replay*"])
        .arg(program)
        .args([RUN, preset, output])
        .output()
        .map_err(|error| format!("cannot start valgrind, which the counting needs: {error}"))?;
    let said = String::from_utf8_lossy(&run.stderr);
    let total = said.lines().find_map(|line| line.split("Collected :").nth(1)?.trim().parse().ok());
    total.filter(|&total| total > 0).ok_or_else(|| format!("valgrind counted nothing: {said}"))
}
