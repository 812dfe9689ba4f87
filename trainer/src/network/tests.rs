use burn::module::Module;
use damma_env::{Encoder, Game, PRESETS, Preset, Ruleset, State};

use super::*;

const SHAPE: NetworkShape = NetworkShape { planes: 3, size: 5, actions: 40 };

fn mlp() -> NetworkConfig {
    NetworkConfig::Mlp { hidden: 32, blocks: 2, inner: 0, products: false, turns_left: false }
}

fn tower() -> NetworkConfig {
    NetworkConfig::Tower { channels: 8, blocks: 2, turns_left: false }
}

/// A network with no zero weight, so that every tensor matters.
fn stirred(config: &NetworkConfig, shape: NetworkShape) -> Network {
    let mut weights = Network::new(config, shape, 1).unwrap().weights().clone();
    let mut rng = Pcg64Mcg::seed_from_u64(2);
    for tensor in weights.tensors_mut() {
        for value in &mut tensor.values {
            *value += rng.random_range(-0.05_f32..0.05);
        }
    }
    Network::from_weights(config, shape, weights).unwrap()
}

fn observations(shape: NetworkShape, batch: usize) -> Vec<f32> {
    let mut rng = Pcg64Mcg::seed_from_u64(3);
    (0..batch * shape.inputs()).map(|_| f32::from(u8::from(rng.random_bool(0.2)))).collect()
}

/// Counts the numbers that differ by more than rounding.
fn differing(left: &[f32], right: &[f32]) -> usize {
    assert_eq!(left.len(), right.len());
    left.iter().zip(right).filter(|(left, right)| (*left - *right).abs() > 1e-4 * (1.0 + right.abs())).count()
}

fn threads<T: Send>(count: usize, work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build();
    pool.unwrap().install(work)
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

#[test]
fn a_network_can_be_shared_between_threads() {
    fn shared<T: Send + Sync + Clone>() {}
    shared::<Network>();
}

#[test]
fn the_same_seed_gives_the_same_network_and_another_seed_another() {
    for config in [mlp(), tower()] {
        let network = |seed| Network::new(&config, SHAPE, seed).unwrap();
        assert_eq!(network(7).weights(), network(7).weights());
        assert_ne!(network(7).weights(), network(8).weights());
    }
}

#[test]
fn answers_have_the_promised_shape_and_rows_sum_to_one() {
    for config in [mlp(), tower()] {
        let answer = stirred(&config, SHAPE).infer(&observations(SHAPE, 6));
        assert_eq!(answer.logits.len(), 6 * SHAPE.actions);
        assert_eq!(answer.wdl.len(), 6 * 3);
        for row in answer.wdl.chunks_exact(3) {
            assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        }
        assert!(Network::new(&config, SHAPE, 1).unwrap().infer(&[]).wdl.is_empty());
    }
}

#[test]
fn a_new_network_is_nearly_undecided() {
    for config in [mlp(), tower()] {
        let answer = Network::new(&config, SHAPE, 1).unwrap().infer(&observations(SHAPE, 20));
        assert!(answer.wdl.iter().all(|chance| (chance - 1.0 / 3.0).abs() < 0.15));
        assert!(answer.logits.iter().all(|logit| logit.abs() < 1.0));
    }
}

#[test]
fn weight_names_follow_the_layers_of_the_module() {
    struct Names(Vec<String>, Vec<String>);
    impl burn::module::ModuleVisitor for Names {
        fn visit_float<const D: usize>(&mut self, _: &burn::module::Param<Tensor<D>>) {
            self.1.push(self.0[1..].join("."));
        }
        fn enter_module(&mut self, name: &str, _: &str) {
            self.0.push(name.to_owned());
        }
        fn exit_module(&mut self, _: &str, _: &str) {
            self.0.pop();
        }
    }
    for config in [mlp(), tower()] {
        let network = Network::new(&config, SHAPE, 1).unwrap();
        let mut names = Names(Vec::new(), Vec::new());
        network.body.visit(&mut names);
        let expected: Vec<_> = network.weights.tensors().iter().map(|t| &t.name).collect();
        assert_eq!(names.1.iter().collect::<Vec<_>>(), expected);
        assert_eq!(network.parameters(), network.body.num_params());
    }
}

#[test]
fn answers_are_the_same_bits_on_one_thread_and_on_two() {
    let wide = NetworkShape { planes: 8, size: 8, actions: 170 };
    let big = NetworkConfig::Mlp { hidden: 256, blocks: 2, inner: 0, products: false, turns_left: false };
    for (config, shape, batch) in [(big, wide, 256), (tower(), wide, 64)] {
        let network = stirred(&config, shape);
        let input = observations(shape, batch);
        let one = threads(1, || network.infer(&input));
        let two = threads(2, || network.infer(&input));
        assert_eq!(bits(&one.logits), bits(&two.logits));
        assert_eq!(bits(&one.wdl), bits(&two.wdl));
    }
}

#[test]
fn threads_that_share_a_network_do_not_disturb_each_other() {
    let network = stirred(&mlp(), SHAPE);
    let input = observations(SHAPE, 16);
    let alone = network.infer(&input);
    let together = threads(2, || {
        use rayon::prelude::*;
        (0..64).into_par_iter().map(|_| network.infer(&input)).collect::<Vec<_>>()
    });
    assert!(together.iter().all(|answer| *answer == alone));
}

#[test]
fn a_saved_network_comes_back_the_same() {
    for config in [mlp(), tower()] {
        let network = stirred(&config, SHAPE);
        let bytes = network.to_safetensors();
        let back = Network::from_safetensors(&bytes).unwrap();
        assert_eq!(back.config(), network.config());
        assert_eq!(back.shape(), network.shape());
        assert_eq!(back.weights(), network.weights());
        assert_eq!(back.to_safetensors(), bytes);
        let input = observations(SHAPE, 5);
        assert_eq!(back.infer(&input), network.infer(&input));
    }
}

#[test]
fn a_file_cut_short_or_lengthened_is_refused() {
    let mut bytes = stirred(&mlp(), SHAPE).to_safetensors();
    for end in (0..bytes.len()).step_by(97).chain([bytes.len() - 1]) {
        assert!(Network::from_safetensors(&bytes[..end]).is_err(), "cut at {end}");
    }
    bytes.push(0);
    assert!(Network::from_safetensors(&bytes).is_err());
}

#[test]
fn a_damaged_header_never_panics() {
    let bytes = Network::new(&mlp(), SHAPE, 1).unwrap().to_safetensors();
    let mut rng = Pcg64Mcg::seed_from_u64(4);
    for _ in 0..2000 {
        let mut damaged = bytes.clone();
        damaged[rng.random_range(0..2200)] = rng.random();
        let _ = Network::from_safetensors(&damaged);
    }
}

#[test]
fn a_missing_an_extra_and_a_misshapen_tensor_are_named() {
    let network = stirred(&mlp(), SHAPE);
    let load = |tensors: Vec<NamedTensor>| {
        let bytes = safetensors::encode(&network.metadata(), &tensors);
        Network::from_safetensors(&bytes).unwrap_err().to_string()
    };
    let all = network.weights().tensors().to_vec();

    let mut missing = all.clone();
    missing.remove(1);
    assert!(load(missing).contains("\"input.bias\" of shape [32] is missing"));

    let mut extra = all.clone();
    extra.push(NamedTensor { name: "spare".to_owned(), dims: vec![1], values: vec![0.0] });
    assert!(load(extra).contains("\"spare\" does not belong"));

    let mut misshapen = all.clone();
    misshapen[0].dims.reverse();
    assert!(load(misshapen).contains("has shape [32, 75]; this network needs [75, 32]"));

    let mut infinite = all;
    infinite[3].values[0] = f32::NAN;
    assert!(load(infinite).contains("not finite"));
}

#[test]
fn settings_out_of_range_are_refused() {
    let narrow = NetworkConfig::Mlp { hidden: 0, blocks: 2, inner: 0, products: false, turns_left: false };
    let error = Network::new(&narrow, SHAPE, 1).unwrap_err().to_string();
    assert_eq!(error, "network.hidden = 0 is not allowed: give a whole number, 8 to 4096");
    let flat = NetworkShape { size: 0, ..SHAPE };
    assert!(Network::new(&mlp(), flat, 1).is_err());
}

#[test]
fn a_configuration_is_read_from_toml_and_unknown_keys_are_refused() {
    let config: NetworkConfig = toml::from_str("kind = \"mlp\"\nhidden = 256\nblocks = 2").unwrap();
    assert_eq!(config, NetworkConfig::default());
    let unknown = toml::from_str::<NetworkConfig>("kind = \"mlp\"\nhidden = 8\nblocks = 2\ndepth = 1");
    assert!(unknown.unwrap_err().to_string().contains("depth"));
}

#[test]
fn turns_left_are_told_where_the_network_is_made_to() {
    let told = [
        NetworkConfig::Mlp { hidden: 32, blocks: 2, inner: 0, products: false, turns_left: true },
        NetworkConfig::Tower { channels: 8, blocks: 2, turns_left: true },
    ];
    let input = observations(SHAPE, 6);
    for (config, without) in told.into_iter().zip([mlp(), tower()]) {
        let network = stirred(&config, SHAPE);
        let answer = network.infer(&input);
        assert_eq!(answer.turns_left.len(), 6);
        assert!(answer.turns_left.iter().all(|turns| (0.0..1e7).contains(turns)), "{:?}", answer.turns_left);
        let back = Network::from_safetensors(&network.to_safetensors()).unwrap();
        assert_eq!((back.config(), back.infer(&input)), (&config, answer));
        let new = |config| Network::new(config, SHAPE, 1).unwrap();
        let (with, without) = (new(&config), new(&without));
        assert!(without.infer(&input).turns_left.is_empty());
        assert_eq!(with.infer(&input).wdl, without.infer(&input).wdl, "the other layers are the same");
        assert_eq!(with.parameters(), without.parameters() + 65);
    }
}

#[test]
fn a_file_from_before_turns_left_is_read() {
    let network = stirred(&mlp(), SHAPE);
    let mut metadata = network.metadata();
    assert!(metadata[1].1.contains(",\"turns_left\":false"));
    metadata[1].1 = metadata[1].1.replace(",\"turns_left\":false", "");
    let old = safetensors::encode(&metadata, network.weights().tensors());
    assert_eq!(Network::from_safetensors(&old).unwrap().to_safetensors(), network.to_safetensors());
}

/// Positions of a game played at random, as search asks for them.
fn leaves(game: &Game, encoder: &Encoder, count: usize) -> Leaves {
    let mut rng = Pcg64Mcg::seed_from_u64(4);
    let mut leaves = Leaves::new(encoder);
    let mut state = State::new(game);
    while leaves.len() < count {
        let legal = state.position().legal_actions(game);
        leaves.push(game, &state, &legal);
        state.play(game, legal[rng.random_range(0..legal.len())]);
        if state.outcome().is_some() {
            state = State::new(game);
        }
    }
    leaves
}

/// What burn says about the same positions.
fn by_burn(network: &Network, leaves: &Leaves) -> Evaluations {
    let outputs = network.infer(&leaves.observations());
    let rows = outputs.logits.chunks_exact(network.shape().actions).enumerate();
    let legal = rows.flat_map(|(row, logits)| leaves.actions(row).iter().map(|action| logits[action.index()]));
    Evaluations { logits: legal.collect(), wdl: outputs.wdl }
}

#[test]
fn the_kernel_says_what_burn_says() {
    for Preset { name, .. } in PRESETS {
        let game = Game::new(Ruleset::preset(name).unwrap()).unwrap();
        let encoder = Encoder::flat(&game);
        let [planes, size, _] = encoder.shape();
        let shape = NetworkShape { planes, size, actions: game.action_count() };
        for (hidden, blocks, inner, products) in
            [(256, 0, 0, false), (40, 2, 0, false), (72, 2, 24, true), (64, 0, 0, true)]
        {
            let config = NetworkConfig::Mlp { hidden, blocks, inner, products, turns_left: blocks > 0 };
            let network = stirred(&config, shape);
            for count in [1, 13] {
                let leaves = leaves(&game, &encoder, count);
                let (kernel, burn) = (network.evaluate(&leaves), by_burn(&network, &leaves));
                assert_eq!(differing(&kernel.logits, &burn.logits), 0, "{name} {hidden}x{blocks} {inner} {products}");
                assert_eq!(differing(&kernel.wdl, &burn.wdl), 0, "{name} {hidden}x{blocks} {inner} {products}");
            }
        }
    }
}

#[test]
fn an_answer_of_the_kernel_does_not_depend_on_the_batch() {
    let game = Game::new(Ruleset::preset("damma8").unwrap()).unwrap();
    let encoder = Encoder::flat(&game);
    let [planes, size, _] = encoder.shape();
    let network = stirred(&mlp(), NetworkShape { planes, size, actions: game.action_count() });
    let many = network.evaluate(&leaves(&game, &encoder, 9));
    let few = network.evaluate(&leaves(&game, &encoder, 2));
    assert_eq!(bits(&many.logits[..few.logits.len()]), bits(&few.logits));
    assert_eq!(bits(&many.wdl[..6]), bits(&few.wdl));
}

#[cfg(feature = "wgpu")]
#[test]
fn a_card_says_what_the_processor_says() {
    let card = Device::open(DeviceKind::Wgpu).unwrap();
    let large = NetworkShape { planes: 8, size: 9, actions: 300 };
    let wide = NetworkConfig::Mlp { hidden: 256, blocks: 1, inner: 24, products: true, turns_left: true };
    let tall = NetworkConfig::Tower { channels: 32, blocks: 2, turns_left: true };
    for (config, shape) in [(mlp(), SHAPE), (tower(), SHAPE), (wide, large), (tall, large)] {
        let here = stirred(&config, shape);
        let there = here.clone().on(&card);
        for rows in [1, 5, 64] {
            let input = observations(shape, rows);
            let (near, far) = (here.infer(&input), there.infer(&input));
            assert_eq!(differing(&far.logits, &near.logits), 0, "{config:?}, {rows} rows");
            assert_eq!(differing(&far.wdl, &near.wdl), 0, "{config:?}, {rows} rows");
            assert_eq!(there.clone().on(&Device::cpu()).infer(&input), near, "it comes back as it was");
        }
    }
}

#[cfg(feature = "wgpu")]
#[test]
fn search_is_answered_by_the_card_and_not_by_the_kernel() {
    let game = Game::new(Ruleset::preset("damma8").unwrap()).unwrap();
    let encoder = Encoder::flat(&game);
    let [planes, size, _] = encoder.shape();
    let here = stirred(&mlp(), NetworkShape { planes, size, actions: game.action_count() });
    let there = here.clone().on(&Device::open(DeviceKind::Wgpu).unwrap());
    assert!(here.kernel.is_some() && there.kernel.is_none());
    let leaves = leaves(&game, &encoder, 13);
    let (near, far) = (here.evaluate(&leaves), there.evaluate(&leaves));
    assert_eq!(differing(&far.logits, &near.logits), 0);
    assert_eq!(differing(&far.wdl, &near.wdl), 0);
}
