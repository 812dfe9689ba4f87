//! `damma play`: a person against a player, in the terminal.

use std::io::{self, BufRead, IsTerminal, Write};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use damma_env::{Action, Game, Outcome, Side, State};
use damma_eval::Player;
use damma_trainer::rng::{Purpose, stream};
use rand_pcg::Pcg64;

use crate::contest;
use crate::rules_args::GameArgs;
use crate::show;

/// Writes a line, or ends with the error of a closed output.
macro_rules! say {
    ($($text:tt)*) => { writeln!(io::stdout(), $($text)*)? };
}

/// Play against an agent or the baseline in the terminal.
///
/// Type a turn as the rules write it (a3-a4, a3xa5xc7, ~d4 a3-a4, a3xa5.), or a single action of
/// it. `moves` lists what is legal, `undo` takes your last turn back, `hint` asks the opponent,
/// `quit` ends.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct PlayArgs {
    /// The opponent: random, ab-1 to ab-12, ab:nNODES, mcts:PATH,
    /// mcts:PATH@SIMULATIONS or mcts:PATH@level1 to @level10.
    #[arg(value_name = "OPPONENT", default_value = "ab-4")]
    pub opponent: String,
    /// Your side.
    #[arg(long, value_enum, default_value_t = Colour::First)]
    pub side: Colour,
    /// Simulations a decision of a checkpoint that names none.
    #[arg(long, value_name = "COUNT", default_value_t = 400)]
    pub simulations: u32,
    /// Begin with this position: fields as `damma show` prints them, or the FEN of PDN.
    #[arg(long, value_name = "POSITION")]
    pub position: Option<String>,
    /// Which game.
    #[command(flatten)]
    pub game: GameArgs,
}

const EXAMPLES: &str = "\
Examples:
  damma play ab-3 --preset zamma
  damma play mcts:runs/quickstart --side second";

/// Whose side the person takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Colour {
    /// Whoever has the first turn.
    First,
    /// Whoever has the second turn.
    Second,
    /// White, at the bottom.
    White,
    /// Black, at the top.
    Black,
}

/// Runs the subcommand.
///
/// # Errors
/// The opponent, the rules or the position are wrong.
pub fn run(args: &PlayArgs) -> anyhow::Result<ExitCode> {
    contest::check(2, args.simulations)?;
    let game = args.game.game_or(contest::own_rules(&[&args.opponent])?)?;
    let opponent = contest::player(&args.opponent, &game, args.simulations, None)?;
    let start = match &args.position {
        Some(text) => game.parse_fen(text)?,
        None => game.start(),
    };
    let first = start.side();
    let person = match args.side {
        Colour::First => first,
        Colour::Second => first.opponent(),
        Colour::White => Side::White,
        Colour::Black => Side::Black,
    };
    let state = State::from_position(&game, start);
    let rng = stream(0, Purpose::Match, 0);
    Session { game: &game, opponent, person, past: Vec::new(), state, rng, colour: io::stdout().is_terminal() }
        .play()?;
    Ok(ExitCode::SUCCESS)
}

struct Session<'g> {
    game: &'g Game,
    opponent: Box<dyn Player>,
    person: Side,
    /// The states at the person's turns so far.
    past: Vec<State>,
    state: State,
    rng: Pcg64,
    colour: bool,
}

impl Session<'_> {
    fn play(&mut self) -> anyhow::Result<()> {
        say!("You are {}, against {}. `help` lists the commands.", self.person, self.opponent.name());
        let mut lines = io::stdin().lock().lines();
        loop {
            if let Some(outcome) = self.state.outcome() {
                self.show()?;
                say!("{}", verdict(outcome, self.person));
                return Ok(());
            }
            if self.state.position().side() != self.person {
                self.answer()?;
                continue;
            }
            self.show()?;
            print!("{}> ", self.person);
            io::stdout().flush()?;
            let Some(line) = lines.next() else { return Ok(()) };
            match line?.trim() {
                "" => {}
                "quit" | "exit" => return Ok(()),
                "help" => say!("a turn (a3-a4, a3xa5xc7, ~d4 a3-a4, a3xa5.), moves, hint, undo, quit"),
                "moves" => say!("{}", self.legal().join("  ")),
                "undo" => match self.past.pop() {
                    Some(state) => self.state = state,
                    None => say!("there is nothing to take back"),
                },
                "hint" => {
                    let action = self.choose();
                    say!("{}", self.game.action_text(self.state.position(), action));
                }
                turn => self.turn(turn)?,
            }
        }
    }

    fn show(&self) -> io::Result<()> {
        say!("{}", show::board(self.game, self.state.position(), self.person == Side::Black, self.colour));
        Ok(())
    }

    fn legal(&self) -> Vec<String> {
        let position = self.state.position();
        position.legal_actions(self.game).iter().map(|action| self.game.action_text(position, *action)).collect()
    }

    fn choose(&mut self) -> Action {
        self.opponent.choose(self.game, &[&self.state], std::slice::from_mut(&mut self.rng))[0]
    }

    /// Plays the opponent's turn and tells it.
    fn answer(&mut self) -> io::Result<()> {
        let before = *self.state.position();
        let mut actions = Vec::new();
        while self.state.outcome().is_none() && self.state.position().side() != self.person {
            let action = self.choose();
            actions.push(action);
            self.state.play(self.game, action);
        }
        say!("{}: {}", self.person.opponent(), self.game.turn_text(&before, &actions));
        Ok(())
    }

    /// Plays the person's text: a turn, or one action of it.
    fn turn(&mut self, text: &str) -> io::Result<()> {
        let position = *self.state.position();
        let one = self.game.parse_action(&position, text).map(|action| vec![action]);
        let actions = match one.map_or_else(|| self.game.parse_turn(&position, text), Ok) {
            Ok(actions) => actions,
            Err(error) => {
                say!("{error}");
                return Ok(());
            }
        };
        self.past.push(self.state.clone());
        for action in actions {
            if self.state.try_play(self.game, action).is_err() {
                break;
            }
        }
        Ok(())
    }
}

fn verdict(outcome: Outcome, person: Side) -> String {
    let cause = outcome.cause().replace('_', " ");
    match outcome.winner() {
        Some(winner) if winner == person => format!("You win ({cause})."),
        Some(winner) => format!("{winner} wins ({cause})."),
        None => format!("Nobody wins ({cause})."),
    }
}
