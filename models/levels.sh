#!/usr/bin/env bash
# Measures the ten levels of a shipped agent: each against the next, and some against the baseline.
#
#   models/levels.sh NAME [GAMES]
#
# Writes models/NAME/levels.json, which the server shows, and prints a line of a table.
set -euo pipefail
cd "$(dirname "$0")/.."
name=$1 games=${2:-60}
damma() { ${DAMMA:-cargo run --quiet --release --} "$@"; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

level() { printf 'mcts:models/%s@level%s' "$name" "$1"; }
for weaker in 1 2 3 4 5 6 7 8 9; do
    stronger=$((weaker + 1))
    # The strongest search long: fewer games do.
    count=$games
    if ((stronger == 10)); then count=$((games / 3 / 2 * 2)); fi
    damma match "$(level $stronger)" "$(level $weaker)" --games "$count" --out "$work/$weaker.json" > /dev/null
done
for pair in 4:1 5:1 6:1 7:3 8:3; do
    damma match "$(level "${pair%:*}")" "ab-${pair#*:}" --games "$games" --out "$work/ab$pair.json" > /dev/null
done
damma match "$(level 1)" random --games "$games" --out "$work/random.json" > /dev/null
damma match ab-3 ab-1 --preset "$name" --games "$games" --out "$work/ab.json" > /dev/null
damma ratings "$work"/*.json --prior --json > "$work/ratings"
python3 - "$work/ratings" "models/$name/levels.json" "$name" << 'PYTHON'
import json, sys
ratings, target, name = sys.argv[1:]
elo = {player["name"]: player["elo"] for player in json.load(open(ratings))["players"]}
levels = [{"level": n, "elo": round(elo[f"mcts:models/{name}@level{n}"])} for n in range(1, 11)]
with open(target, "w") as file:
    json.dump(levels, file)
    file.write("\n")
print(f"| `{name}` | " + " | ".join(str(level["elo"]) for level in levels) + f" | {round(elo['random'])} |")
PYTHON
