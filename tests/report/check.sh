#!/usr/bin/env bash
# Trains a tiny run, writes its report, and looks at it in a browser.
#
#   tests/report/check.sh [FOLDER_FOR_SCREENSHOTS]
#
# Needs Debian's chromium and Node 20 or newer; installs them where they are missing.
set -euo pipefail
cd "$(dirname "$0")"

missing=()
[ -x /usr/bin/chromium ] || missing+=(chromium)
command -v node > /dev/null || missing+=(nodejs)
command -v npm > /dev/null || missing+=(npm)
if ((${#missing[@]})); then
    apt-get update -qq && apt-get install -y -qq "${missing[@]}"
fi
npm ci --silent --no-audit --no-fund

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
shots=${1:-$work/shots}
mkdir -p "$shots"

damma() { cargo run --quiet --release --manifest-path ../../Cargo.toml -- "$@"; }
damma train ../../configs/smoke.toml --output "$work/kharberg"
# The same run on squares, where boards are drawn another way.
sed 's/preset = "kharberg"/preset = "damma8"/' ../../configs/smoke.toml > "$work/damma8.toml"
damma train "$work/damma8.toml" --output "$work/damma8"
for run in kharberg damma8; do
    damma quality "mcts:$work/$run" --deep ab-2 --positions 50 --budget 1,8 --record
    damma elo "$work/$run" --json > /dev/null
    node check.mjs "$work/$run/elo.html" "$shots" "$run"
done
