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
for kind in mlp tower; do
    [ $kind = mlp ] && width=hidden || width=channels
    sed "s/^kind = .*/kind = \"$kind\"/; s/^hidden = .*/$width = 8/" ../../configs/smoke.toml > "$work/$kind.toml"
    damma train "$work/$kind.toml" --output "$work/$kind" --no-elo
    damma export "$work/$kind" --safetensors "$work/$kind.safetensors" --onnx "$work/$kind.onnx" \
        --samples "$work/$kind.json"
    "$work/venv/bin/python" ../../trainer/python/damma_network.py "$work/$kind.safetensors" "$work/$kind.json"
    "$work/venv/bin/python" onnx_answers.py "$work/$kind.onnx" "$work/$kind.json"
done
