//! The table itself: every key of a training config but those of `[rules]`, written once.
//!
//! Defaults are not here: they are those of the structs. The rules' keys come from
//! [`damma_env::OPTIONS`].

use std::ops::Bound::{Excluded, Included, Unbounded};

use super::kind::TOML_MAX;
use super::{Key, Kind, Section};

/// The tables of a config in their order; the first, without a name, is that of the file itself.
pub const SECTIONS: &[Section] = &[
    Section { name: "", meaning: "the run" },
    Section { name: "rules", meaning: "the game: a preset, and options that differ from it" },
    Section { name: "network", meaning: "the network" },
    Section { name: "search", meaning: "how the search explores" },
    Section { name: "selfplay", meaning: "how self-play games are played" },
    Section { name: "replay", meaning: "the window of games to learn from" },
    Section { name: "samples", meaning: "what is learnt from the window" },
    Section { name: "learner", meaning: "the optimiser, with a cosine schedule over the run" },
    Section { name: "run", meaning: "when the run ends, which checkpoints it keeps, what computes" },
    Section { name: "evaluation", meaning: "how checkpoints are rated against the baseline" },
];

/// Keys that have no default: they must stand where their table stands.
pub(super) const REQUIRED: [&str; 2] = ["output", "network.kind"];

/// Writes keys as `name: kind, unit, meaning, effect;` under their section and, where only one kind
/// of it has them, that kind.
macro_rules! keys {
    ($($section:literal $of:literal { $($name:ident: $kind:expr, $unit:literal, $meaning:literal, $effect:literal;)+ })+) => {
        pub(super) const KEYS: &[Key] = &[$($(Key {
            section: $section,
            of: $of,
            name: stringify!($name),
            kind: $kind,
            unit: $unit,
            meaning: $meaning,
            effect: $effect,
        },)+)+];
    };
}

keys! {
    "" "" {
        output: Kind::Text, "", "folder of the run; relative to the working directory", "none";
        seed: Kind::whole(0, TOML_MAX), "", "seed of everything random", "none";
    }
    "network" "" {
        kind: Kind::Choice("mlp, tower"), "",
            "\"mlp\": residual perceptron, fast on CPUs; \"tower\": residual convolutions, for GPUs",
            "a tower is many times slower on a CPU";
        turns_left: Kind::Bool, "",
            "whether the network also tells how many turns are left, which `learner.turns_left_weight` teaches it",
            "learning takes about a tenth longer";
    }
    "network" "mlp" {
        hidden: Kind::whole(8, 4096), "numbers", "width of every hidden layer",
            "time and memory grow with its square";
        blocks: Kind::whole(0, 64), "blocks", "residual blocks of two layers", "more is slower and larger";
        inner: Kind::whole(0, 4096), "numbers", "width between the two layers of a block; 0: as wide as `hidden`",
            "a narrow one costs little and gives most of what a block gives";
        products: Kind::Bool, "", "whether the first layer is twice as wide and its numbers, clipped to 0..1, are multiplied in pairs",
            "twice the first layer";
    }
    "network" "tower" {
        channels: Kind::whole(8, 1024), "channels", "channels of every convolution",
            "time and memory grow with its square";
        blocks: Kind::whole(0, 64), "blocks", "residual blocks of two convolutions", "more is slower and larger";
    }
    "search" "" {
        algorithm: Kind::Choice("puct, gumbel"), "",
            "\"puct\": as in AlphaZero; \"gumbel\": sequential halving, better with few simulations", "none";
        c_puct: Kind::above(0.0, 10.0), "", "weight of the priors against the values", "none";
        c_base: Kind::real_from(1.0), "visits", "visits at which `c_puct` has grown by ln 2", "none";
        fpu_reduction: Kind::real(0.0, 2.0), "value",
            "how much worse than its parent an untried action is taken to be, 0 at the root", "none";
        noise_share: Kind::real(0.0, 1.0), "share", "share of Dirichlet noise in the root priors of self-play", "none";
        noise_total: Kind::between(Excluded(0.0), Unbounded), "",
            "sum of the Dirichlet parameters, shared by the legal actions", "none";
        root_temperature: Kind::real(0.1, 10.0), "", "flattens the root priors of self-play where above 1", "none";
        forced_playouts: Kind::real(0.0, 10.0), "",
            "how much noise forces a root action to be tried, 2 in KataGo; what is only forced is not learnt", "none";
        reuse_tree: Kind::Bool, "", "whether self-play goes on in the part of the tree that the game took; not with gumbel",
            "saves simulations";
        cache: Kind::Bool, "", "whether an evaluation is looked up where the same position came before",
            "saves evaluations where networks are slow; a few MB a group of games";
        tables: Kind::Text, "", "folder of endgame tables that self-play looks positions up in; empty: none",
            "takes a byte a position of the tables";
        gumbel_actions: Kind::whole(1, 1000), "actions", "root actions that gumbel search begins with at most", "none";
        gumbel_visits: Kind::real(0.0, 10_000.0), "visits",
            "visits added to those of the most visited action in the weight of values (gumbel)", "none";
        gumbel_scale: Kind::above(0.0, 10.0), "", "weight of values against logits (gumbel)", "none";
    }
    "selfplay" "" {
        games: Kind::whole(1, 1_000_000), "games", "games an iteration", "more makes iterations longer";
        shards: Kind::whole(1, 1024), "groups", "groups of games that run in parallel; results depend on it",
            "at least as many as threads keeps all busy; memory grows with it";
        lockstep: Kind::whole(0, 65_536), "games",
            "games of a group at once: the largest batch of the network; 0: measured when the run begins",
            "larger batches are faster; memory grows with it";
        simulations: Kind::whole(1, 60_000), "simulations", "simulations of a full search, of which half at least are new where the tree goes on; only these are learnt from",
            "more is slower; memory grows with it";
        fast_simulations: Kind::whole(1, 60_000), "simulations",
            "simulations of a fast search (playout-cap randomisation)", "more is slower";
        full_share: Kind::above(0.0, 1.0), "share", "share of full searches", "more is slower";
        temperature: Kind::real(0.0, 10.0), "", "temperature of the choice among visits in the first turns", "none";
        temperature_turns: Kind::whole(0, u32::MAX as u64), "turns", "how many turns the first temperature holds", "none";
        final_temperature: Kind::real(0.0, 10.0), "", "temperature afterwards", "none";
        random_opening_share: Kind::real(0.0, 1.0), "share", "share of games that open with random turns", "none";
        random_opening_turns: Kind::whole(0, 100), "turns", "most random turns of such an opening", "none";
        earlier_share: Kind::real(0.0, 1.0), "share",
            "share of games that go on from a random position of an earlier game with a random action", "none";
        endgame_share: Kind::real(0.0, 1.0), "share",
            "share of games that start near the end of an earlier game that somebody won", "more makes games shorter";
        endgame_until: Kind::above(0.0, 1.0), "share",
            "share of the run after which such starts come from the whole of the earlier game", "none";
        no_progress_limit: Kind::whole(0, u16::MAX as u64), "turns",
            "draw limit of self-play games without progress; 0: the ruleset's", "less ends drawn games sooner";
        resign_errors: Kind::real(0.0, 0.5), "share",
            "share of resigned games that who resigns would not have lost; 0: nobody resigns", "more ends lost games sooner";
        resign_playthrough: Kind::above(0.0, 1.0), "share",
            "share of games in which nobody may resign, from which the threshold is worked out", "more is slower";
    }
    "replay" "" {
        positions: Kind::whole(1, 1_000_000_000), "positions", "positions that the window holds at first",
            "memory grows with it";
        growth: Kind::real(0.0, 1.0), "",
            "growth of the window with all positions so far: 0 is fixed, 1 keeps nearly all", "memory grows with it";
        mebibytes: Kind::whole(1, 1_000_000), "MiB", "memory of the window at most", "limits memory";
        reanalyse: Kind::real(0.0, 0.9), "share",
            "share of an iteration's positions that come from earlier games, whose decisions are searched anew", "more is slower";
    }
    "samples" "" {
        batch: Kind::whole(1, 65_536), "positions", "positions of one optimiser step", "memory grows with it";
        per_position: Kind::above(0.0, 100.0), "times", "how often each new position is learnt from on average",
            "more is slower";
        outcome_share: Kind::real(0.0, 1.0), "share",
            "share of the game's result in the value target; the rest is the search's value", "none";
        symmetry: Kind::Bool, "", "whether positions are turned by a random symmetry of the board", "none";
        surprise: Kind::real(0.0, 1.0), "share",
            "share of a game's draws that go to where the search found something else than the network, as in KataGo, which has 0.5",
            "none";
        repeated: Kind::Choice("each, average"), "",
            "\"each\": a position is drawn as often as it stands in the window; \"average\": as often as any other, with the average of what was found the last 64 times",
            "average takes memory for an index, counted in `replay.mebibytes`";
    }
    "learner" "" {
        optimiser: Kind::Choice("adamw, sgd"), "",
            "\"adamw\", or \"sgd\" with Nesterov's momentum, which wants a learning rate 10 to 100 times higher; a run keeps its own",
            "sgd keeps one number a weight less";
        momentum: Kind::between(Included(0.0), Excluded(1.0)), "share",
            "share of the step before that goes on (sgd)", "none";
        learning_rate: Kind::above(0.0, 1.0), "", "highest learning rate", "none";
        final_learning_rate: Kind::up_to_key(0.0, "learning_rate"), "", "learning rate at the end of the run", "none";
        warmup_steps: Kind::whole(0, TOML_MAX), "steps", "steps over which the learning rate rises from near 0", "none";
        weight_decay: Kind::real(0.0, 1.0), "", "decoupled weight decay of matrices and kernels", "none";
        gradient_clip: Kind::real_from(0.0), "norm", "largest Euclidean norm of the whole gradient; 0: no limit", "none";
        value_weight: Kind::real(0.0, 100.0), "", "weight of the value loss against the policy loss", "none";
        turns_left_weight: Kind::real(0.0, 100.0), "",
            "weight of the loss of turns left; needs `network.turns_left`", "none";
        ema: Kind::between(Included(0.0), Excluded(1.0)), "share",
            "share of the average of the weights kept each step; 0 plays the weights themselves", "none";
    }
    "run" "" {
        iterations: Kind::whole(0, TOML_MAX), "iterations",
            "iterations after which the run ends; 0: no limit, then a time must be set", "the run takes longer";
        minutes: Kind::real(0.0, 1e6), "minutes",
            "minutes after which the run ends, earlier sessions included; 0: no limit", "the run takes longer";
        cpu_minutes: Kind::real(0.0, 1e8), "minutes",
            "CPU time after which the run ends, that of all threads together: fair on a machine with other work; 0: no limit",
            "the run takes longer";
        checkpoint_every: Kind::whole(1, TOML_MAX), "iterations", "iterations between checkpoints",
            "less is slower, more loses more work to a crash";
        keep_last: Kind::whole(1, TOML_MAX), "checkpoints", "how many of the newest checkpoints are kept", "more takes disk space";
        keep_every: Kind::whole(0, TOML_MAX), "iterations",
            "checkpoints of iterations divisible by this are kept for ever; 0: none", "less takes more disk space";
        overlap: Kind::Bool, "", "whether learning goes on beside self-play, one iteration behind it",
            "keeps all cores busy";
        pdn_every: Kind::whole(0, TOML_MAX), "iterations", "iterations between files of self-play games as PDN; 0: none",
            "a few KB each";
        pdn_games: Kind::whole(1, 1_000_000), "games", "games in such a file", "none";
        device: Kind::Choice("cpu, wgpu, cuda"), "",
            "what computes the network; \"wgpu\" and \"cuda\" are graphics cards and need a program built for them",
            "a card is faster for towers and large batches";
    }
    "evaluation" "" {
        opponents: Kind::Texts, "", "opponents, as `damma match` names them; empty rates nothing",
            "stronger ones take longer";
        games: Kind::even(2, 1_000_000), "games", "games against each; every opening is played with both colours",
            "more is slower and more exact";
        simulations: Kind::whole(1, 60_000), "simulations", "simulations a decision", "more is slower";
        every: Kind::whole(0, TOML_MAX), "iterations", "iterations between ratings while training goes on; 0: none by iterations",
            "less is slower";
        every_minutes: Kind::real(0.0, 1e6), "minutes", "minutes between ratings while training goes on; 0: none by time",
            "less is slower";
        share: Kind::above(0.0, 0.9), "share", "the most of the run's CPU time that these ratings may take",
            "more slows training";
    }
}
