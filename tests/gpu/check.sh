#!/usr/bin/env bash
# Compares networks on a graphics card with those on the processor, and trains a little on the card.
#
# The card is Mesa's lavapipe, which is software (package mesa-vulkan-drivers), so that every machine has it.
# The program is built with `--features wgpu` in the dev profile: link-time optimisation of wgpu takes long,
# and the time here goes to the card.
set -euo pipefail
cd "$(dirname "$0")/../.."
export CARGO_PROFILE_DEV_DEBUG=0 CARGO_INCREMENTAL=0

drivers=$(compgen -G "/usr/share/vulkan/icd.d/lvp_icd*") || { echo "install mesa-vulkan-drivers" >&2; exit 1; }
export VK_DRIVER_FILES=${drivers%%$'\n'*} VK_ICD_FILENAMES=${drivers%%$'\n'*}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
damma() { cargo run --quiet --features wgpu -- "$@"; }

cargo test --features wgpu --lib card

damma train configs/smoke.toml --set run.device=wgpu --iterations 1 --no-elo --output "$work/run" 2>&1 | tee "$work/told"
grep -q "on wgpu (llvmpipe" "$work/told"
damma inspect "$work/run" | grep "device    wgpu"

# What was trained on the card goes on and plays on the processor, and the other way round.
for device in cpu wgpu; do
    iterations=$((${iterations:-1} + 1))
    damma train configs/smoke.toml --set run.device=$device --iterations $iterations --no-elo --output "$work/run"
    damma inspect "$work/run" | grep "device    $device"
done
damma match "mcts:$work/run" random --games 2 --simulations 8

# A machine without a card, by Vulkan or by OpenGL, gets told so.
code=0
VK_DRIVER_FILES=/dev/null VK_ICD_FILENAMES=/dev/null __EGL_VENDOR_LIBRARY_FILENAMES=/dev/null \
    damma train configs/smoke.toml --set run.device=wgpu --no-elo --output "$work/none" 2> "$work/refused" || code=$?
cat "$work/refused"
((code == 2)) && grep -q "^error: no wgpu device can be used" "$work/refused" && [[ ! -e $work/none ]]
