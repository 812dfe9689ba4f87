use damma_env::Action;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::*;

const SHAPE: NetworkShape = NetworkShape { planes: 4, size: 5, actions: 30 };

/// Makes an "mlp" or a "tower"; what ends in " turns" tells how many are left.
fn network(kind: &str) -> Network {
    let turns_left = kind.ends_with(" turns");
    let config = if kind.starts_with("mlp") {
        NetworkConfig::Mlp { hidden: 64, blocks: 2, inner: 16, products: true, turns_left }
    } else {
        NetworkConfig::Tower { channels: 8, blocks: 1, turns_left }
    };
    Network::new(&config, SHAPE, 11).unwrap()
}

/// Random positions with about ten legal actions; every fourth has no policy target.
fn batch(shape: NetworkShape, rows: usize, seed: u64) -> Batch {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let mut batch = Batch::default();
    for row in 0..rows {
        let bit = |rng: &mut Pcg64Mcg| f32::from(u8::from(rng.random_bool(0.2)));
        (batch.observations).extend((0..shape.inputs()).map(|_| bit(&mut rng)));
        let best = rng.random_range(0..shape.actions);
        for action in 0..shape.actions {
            if action == best || rng.random_bool(0.3) {
                batch.actions.push(Action(action as u16));
                let taught = row % 4 != 3 && action == best;
                batch.policy.push(f32::from(u8::from(taught)));
            }
        }
        batch.ends.push(batch.actions.len());
        let outcome = rng.random_range(0..3);
        batch.turns_left.push(rng.random_range(0..80) as f32);
        (batch.value).extend((0..3).map(|place| f32::from(u8::from(place == outcome))));
    }
    batch
}

fn train(learner: &mut Learner, steps: std::ops::Range<u64>) -> Losses {
    let mut last = Losses::default();
    for step in steps {
        last = learner.train_batch(&batch(SHAPE, 24, step), 2e-3).unwrap();
    }
    last
}

fn bits(learner: &Learner) -> Vec<(String, Vec<u8>)> {
    learner.to_files()
}

#[test]
fn a_small_batch_is_learnt_by_heart() {
    for kind in ["mlp", "tower"] {
        let mut learner = Learner::new(&LearnerConfig::default(), &network(kind)).unwrap();
        let batch = batch(SHAPE, 16, 5);
        let first = learner.train_batch(&batch, 2e-3).unwrap();
        let mut last = first;
        for _ in 0..300 {
            last = learner.train_batch(&batch, 2e-3).unwrap();
        }
        assert!(first.value > 0.9 && first.policy > 1.5, "{kind}: {first:?}");
        assert!(last.value < 0.05 && last.policy < 0.05, "{kind}: {last:?}");
    }
}

#[test]
fn the_play_network_learns_too_when_it_is_an_average() {
    let mut learner = Learner::new(&LearnerConfig::default(), &network("mlp")).unwrap();
    let batch = batch(SHAPE, 16, 5);
    for _ in 0..400 {
        learner.train_batch(&batch, 2e-3).unwrap();
    }
    let answer = learner.play_network().infer(&batch.observations);
    let chances = answer.wdl.iter().zip(&batch.value);
    let worst = chances.map(|(chance, target)| (chance - target).abs());
    assert!(worst.fold(0.0, f32::max) < 0.3);
}

#[test]
fn the_gradient_is_the_slope_of_the_loss() {
    for kind in ["mlp", "tower", "mlp turns", "tower turns"] {
        // A new network sits on the kinks of its rectifiers, where no slope exists: move off them.
        let config = LearnerConfig { turns_left_weight: 0.5, ..LearnerConfig::default() };
        let mut learner = Learner::new(&config, &network(kind)).unwrap();
        let mut rng = Pcg64Mcg::seed_from_u64(9);
        for tensor in learner.weights.tensors_mut() {
            for value in &mut tensor.values {
                *value += rng.random_range(-0.1_f32..0.1);
            }
        }
        let batch = batch(SHAPE, 8, 6);
        let (_, gradients) = learner.gradients(&batch);
        for (tensor, gradient) in gradients.iter().enumerate() {
            let moved = |by: f32| {
                let mut moved = learner.clone();
                moved.weights.tensors_mut()[tensor].values[0] += by;
                moved.gradients(&batch).0.total
            };
            let slope = (moved(5e-4) - moved(-5e-4)) / 1e-3;
            let gradient = f64::from(gradient[0]);
            assert!(
                (slope - gradient).abs() < 1e-3 + 0.05 * gradient.abs(),
                "{kind}, tensor {tensor}: {slope} against {gradient}"
            );
        }
    }
}

#[test]
fn turns_left_are_learnt_where_they_have_a_weight() {
    for kind in ["mlp turns", "tower turns"] {
        let batch = batch(SHAPE, 16, 5);
        let learnt = |weight: f32| {
            let config = LearnerConfig { turns_left_weight: weight, ema: 0.0, ..LearnerConfig::default() };
            let mut learner = Learner::new(&config, &network(kind)).unwrap();
            let losses: Vec<Losses> = (0..300).map(|_| learner.train_batch(&batch, 2e-3).unwrap()).collect();
            (losses[0], losses[299], learner.play_network().infer(&batch.observations).turns_left)
        };
        let (first, last, said) = learnt(1.0);
        assert!(first.turns_left > 1.0 && last.turns_left < 0.01, "{kind}: {first:?} {last:?}");
        assert!((first.total - first.policy - first.value - first.turns_left).abs() < 1e-9);
        let wrong =
            said.iter().zip(&batch.turns_left).filter(|(said, turns)| (*said - *turns).abs() > 2.0 + 0.3 * *turns);
        assert_eq!(wrong.count(), 0, "{said:?} {:?}", batch.turns_left);
        let (first, last, _) = learnt(0.0);
        assert!(last.turns_left > 0.3 * first.turns_left, "{kind}: what has no weight is not learnt: {last:?}");
    }
}

#[test]
fn a_batch_without_turns_left_teaches_only_networks_that_do_not_tell_them() {
    let mut learners =
        ["mlp", "mlp turns"].map(|kind| Learner::new(&LearnerConfig::default(), &network(kind)).unwrap());
    let mut batch = batch(SHAPE, 4, 1);
    batch.turns_left.clear();
    assert!(learners[0].train_batch(&batch, 1e-3).is_ok());
    let error = learners[1].train_batch(&batch, 1e-3).unwrap_err().to_string();
    assert!(error.contains("turns_left holds 0 numbers"), "{error}");
    batch.turns_left = vec![3.0, -1.0, 2.0, 1.0];
    let error = learners[0].train_batch(&batch, 1e-3).unwrap_err().to_string();
    assert!(error.contains("row 1 has -1 turns left"), "{error}");
}

#[test]
fn rows_without_a_target_teach_the_policy_nothing() {
    let batch = batch(SHAPE, 8, 7);
    let logits = vec![0.5; batch.actions.len()];
    let slopes = loss::slopes(&batch, &logits, &[0.0; 24], 1.0);
    for row in 0..batch.rows() {
        assert_eq!(slopes.policy[batch.row(row)].iter().any(|slope| *slope != 0.0), row % 4 != 3);
    }
}

#[test]
fn training_goes_on_after_a_load_as_if_it_had_never_stopped() {
    use Optimiser::{AdamW, Sgd};
    for (kind, ema, optimiser) in [
        ("mlp", 0.99, AdamW),
        ("mlp", 0.0, AdamW),
        ("mlp turns", 0.99, Sgd),
        ("tower", 0.99, AdamW),
        ("tower turns", 0.0, Sgd),
    ] {
        let config = LearnerConfig { ema, optimiser, turns_left_weight: 0.1, ..LearnerConfig::default() };
        let mut straight = Learner::new(&config, &network(kind)).unwrap();
        train(&mut straight, 0..5);
        let mut resumed = Learner::from_files(&config, &straight.to_files()).unwrap();
        assert_eq!(bits(&resumed), bits(&straight));
        let one = train(&mut straight, 5..10);
        let two = train(&mut resumed, 5..10);
        assert_eq!(one, two);
        assert_eq!(bits(&resumed), bits(&straight));
        assert_eq!(resumed.steps(), 10);
    }
}

#[test]
fn training_gives_the_same_bits_on_one_thread_and_on_two() {
    let wide = NetworkShape { planes: 8, size: 8, actions: 170 };
    let mlp = NetworkConfig::Mlp { hidden: 256, blocks: 2, inner: 0, products: false, turns_left: false };
    let tower = NetworkConfig::Tower { channels: 16, blocks: 1, turns_left: false };
    for (config, rows) in [(mlp, 256), (tower, 64)] {
        let network = Network::new(&config, wide, 3).unwrap();
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.unwrap().install(|| {
                let mut learner = Learner::new(&LearnerConfig::default(), &network).unwrap();
                for step in 0..3 {
                    learner.train_batch(&batch(wide, rows, step), 1e-3).unwrap();
                }
                bits(&learner)
            })
        };
        assert!(run(1) == run(2), "{config:?}");
        assert!(run(1) == run(3), "{config:?}");
    }
}

#[test]
fn a_bad_batch_is_refused_and_changes_nothing() {
    let mut learner = Learner::new(&LearnerConfig::default(), &network("tower")).unwrap();
    let before = bits(&learner);
    let good = batch(SHAPE, 4, 1);

    let mut short = good.clone();
    short.observations.pop();
    let mut illegal = good.clone();
    illegal.actions[2] = Action(SHAPE.actions as u16);
    let mut nan = good.clone();
    nan.observations[3] = f32::NAN;
    let mut unsure = good.clone();
    unsure.value[0] = 0.4;
    for bad in [short, illegal, nan, unsure, Batch::default()] {
        let error = learner.train_batch(&bad, 1e-3).unwrap_err();
        assert!(matches!(error, NetworkError::Batch { .. }), "{error}");
    }
    assert!(learner.train_batch(&good, f64::NAN).is_err());

    let mut huge = good;
    huge.observations.fill(3e38);
    let error = learner.train_batch(&huge, 1e-3).unwrap_err();
    assert!(matches!(error, NetworkError::Diverged { step: 0 }), "{error}");
    assert_eq!(bits(&learner), before);
}

#[test]
fn a_damaged_checkpoint_is_refused() {
    let config = LearnerConfig::default();
    let mut learner = Learner::new(&config, &network("mlp")).unwrap();
    train(&mut learner, 0..2);
    let files = learner.to_files();

    assert!(Learner::from_files(&config, &files[..1]).is_err());
    for file in 0..2 {
        for keep in [0, 7, 100, files[file].1.len() - 1] {
            let mut damaged = files.clone();
            damaged[file].1.truncate(keep);
            assert!(Learner::from_files(&config, &damaged).is_err());
        }
    }
    let other = Learner::new(&config, &network("tower")).unwrap().to_files();
    let mixed = [files[0].clone(), other[1].clone()];
    assert!(Learner::from_files(&config, &mixed).is_err());
}

#[test]
fn a_long_gradient_is_scaled_down_to_the_clip() {
    let clip = LearnerConfig { gradient_clip: 0.5, ..LearnerConfig::default() };
    let mut first = [0.0; 2];
    let step = optimiser::Step::new(&clip, 0, 1e-3, optimiser::norm(&[vec![3.0, 4.0]]));
    step.apply(&mut [0.0; 2], &[3.0, 4.0], &mut first, &mut [0.0; 2], true);
    assert!((first[0] - 0.03).abs() < 1e-6 && (first[1] - 0.04).abs() < 1e-6);
}

#[test]
fn sgd_goes_down_the_slope_and_keeps_its_momentum() {
    let config = LearnerConfig {
        optimiser: Optimiser::Sgd,
        momentum: 0.5,
        weight_decay: 0.1,
        gradient_clip: 1.0,
        ..LearnerConfig::default()
    };
    let (mut weight, mut momentum) = ([2.0], [4.0]);
    // A slope of 10 is clipped to 1, so the momentum is 0.5 * 4 + 1 and the step 1 + 0.5 * 3.
    let step = optimiser::Step::new(&config, 7, 0.1, 10.0);
    step.apply(&mut weight, &[10.0], &mut momentum, &mut [], true);
    assert!((momentum[0] - 3.0).abs() < 1e-6 && (weight[0] - (2.0 * 0.99 - 0.1 * 2.5)).abs() < 1e-6);
    step.apply(&mut weight, &[0.0], &mut momentum, &mut [], false);
    assert!((momentum[0] - 1.5).abs() < 1e-6 && (weight[0] - (1.73 - 0.1 * 0.75)).abs() < 1e-6);
}

#[test]
fn sgd_learns_a_small_batch_and_saves_no_second_average() {
    let config = LearnerConfig { optimiser: Optimiser::Sgd, ..LearnerConfig::default() };
    let mut learner = Learner::new(&config, &network("mlp")).unwrap();
    let batch = batch(SHAPE, 16, 5);
    let mut last = Losses::default();
    for _ in 0..400 {
        last = learner.train_batch(&batch, 0.03).unwrap();
    }
    assert!(last.value < 0.05 && last.policy < 0.1, "{last:?}");
    let bytes = |learner: &Learner| learner.to_files()[1].1.len();
    let adam = Learner::new(&LearnerConfig::default(), &network("mlp")).unwrap();
    assert!(bytes(&learner) < 3 * bytes(&adam) / 4);
    assert!(Learner::from_files(&LearnerConfig::default(), &learner.to_files()).is_err());
    assert!(Learner::from_files(&config, &adam.to_files()).is_err());
}

#[test]
fn the_learning_rate_rises_then_falls_to_the_last() {
    let config = LearnerConfig::default();
    let rate = |step, progress| config.learning_rate_at(step, progress);
    assert!(rate(0, 0.0) < 1e-5);
    assert!((rate(500, 0.0) - 1e-3).abs() < 1e-12);
    assert!((rate(500, 1.0) - 3e-5).abs() < 1e-12);
    assert!(rate(500, 0.2) > rate(500, 0.6));
}

#[test]
fn learner_settings_out_of_range_are_refused() {
    let config = LearnerConfig { ema: 1.0, ..LearnerConfig::default() };
    let error = Learner::new(&config, &network("mlp")).unwrap_err().to_string();
    assert!(error.contains("learner.ema = 1.0 is not allowed"), "{error}");
}

/// Gives the largest difference between the weights of two learners.
#[cfg(feature = "wgpu")]
fn apart(one: &Learner, other: &Learner) -> f32 {
    let pairs = one.weights.tensors().iter().zip(other.weights.tensors());
    let differences = pairs.flat_map(|(one, other)| one.values.iter().zip(&other.values).map(|(a, b)| (a - b).abs()));
    differences.fold(0.0, f32::max)
}

#[cfg(feature = "wgpu")]
#[test]
fn steps_on_a_card_are_those_on_the_processor_but_for_rounding() {
    let card = Device::open(crate::network::DeviceKind::Wgpu).unwrap();
    let config = LearnerConfig::default();
    for kind in ["mlp", "tower"] {
        let mut here = Learner::new(&config, &network(kind)).unwrap();
        let mut there = here.clone().on(&card);
        let before = here.clone();
        let (near, far) = (train(&mut here, 0..5), train(&mut there, 0..5));
        assert!((near.total - far.total).abs() < 1e-4, "{kind}: {near:?} {far:?}");
        assert!(apart(&here, &there) < 1e-4, "{kind}: {}", apart(&here, &there));
        assert!(apart(&here, &before) > 1e-3, "{kind}: the steps moved the weights");
        // What the card learnt goes on on the processor, and the other way round.
        let mut back = Learner::from_files(&config, &there.to_files()).unwrap();
        let mut over = Learner::from_files(&config, &here.to_files()).unwrap().on(&card);
        train(&mut back, 5..8);
        train(&mut over, 5..8);
        assert!(apart(&back, &over) < 1e-4, "{kind}: {}", apart(&back, &over));
    }
}
