#!/usr/bin/env bash
# Lets pydraughts, a public client of the Hub protocol, play whole games against `damma engine`.
#
#   tests/hub/check.sh [PATH_OF_DAMMA]
#
# Needs python3 with venv; the client comes from PyPI.
set -euo pipefail
binary=${1:+$(realpath "$1")}
cd "$(dirname "$0")"
if [ -z "$binary" ]; then
    cargo build --quiet --release --manifest-path ../../Cargo.toml
    binary=$(realpath "${CARGO_TARGET_DIR:-../../target}/release/damma")
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check pydraughts==0.6.7
"$work/venv/bin/python" play.py "$binary"
