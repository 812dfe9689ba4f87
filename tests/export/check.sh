#!/usr/bin/env bash
# Exports a tiny network of each kind and compares numpy's and onnxruntime's answers with Damma's.
#
# Takes numpy, onnx and onnxruntime from PyPI into an environment of its own.
set -euo pipefail
cd "$(dirname "$0")"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" --quiet --disable-pip-version-check install numpy onnx onnxruntime

damma() { cargo run --quiet --release --manifest-path ../../Cargo.toml -- "$@"; }
for kind in mlp products tower; do
    # Only the tower tells the turns left.
    case $kind in
        mlp) network='kind="mlp", hidden=8' ;;
        products) network='kind="mlp", hidden=8, inner=4, products=true' ;;
        tower) network='kind="tower", channels=8, turns_left=true' ;;
    esac
    damma train ../../configs/smoke.toml --set "network={$network, blocks=1}" --output "$work/$kind" --no-elo
    damma export "$work/$kind" --safetensors "$work/$kind.safetensors" --onnx "$work/$kind.onnx" \
        --samples "$work/$kind.json"
    "$work/venv/bin/python" ../../trainer/python/damma_network.py "$work/$kind.safetensors" "$work/$kind.json"
    "$work/venv/bin/python" onnx_answers.py "$work/$kind.onnx" "$work/$kind.json"
done
