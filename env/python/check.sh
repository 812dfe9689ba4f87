#!/usr/bin/env bash
# What CI runs: the wheel, the README's first lines in a fresh environment that has nothing else,
# and all tests. With `examples` as argument also the PPO example, which brings torch.
set -euo pipefail
cd "$(dirname "$0")"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
pip=("$work/venv/bin/pip" --quiet --disable-pip-version-check)
python="$work/venv/bin/python"

cargo fmt --check
cargo clippy --release --locked -- -D warnings
"${pip[@]}" wheel --no-deps --wheel-dir "$work/dist" .
wheel=$(echo "$work"/dist/damma-*.whl)

"${pip[@]}" install "$wheel"
sed -n '/^```python$/,/^```$/p; /^```$/q' README.md | sed '/^```/d' > "$work/readme.py"
"$python" "$work/readme.py"

"${pip[@]}" install "$wheel[test]" ruff
"$work/venv/bin/ruff" check --no-cache .
"$work/venv/bin/ruff" format --no-cache --check .
"$python" -m pytest -q -p no:cacheprovider
"$python" examples/native_rate.py

if [ "${1:-}" = examples ]; then
    "${pip[@]}" install "$wheel[examples]"
    "$python" -m pytest -q -p no:cacheprovider tests/test_sb3.py
    "$python" examples/versus_openspiel.py
    "$python" examples/ppo_kharberg.py
fi
