#!/usr/bin/env bash
# Attacks and loads a server over loopback: tests/serve/abuse.py, faults.py and load.py, requests made up from the
# OpenAPI document, and the two clients.
#
#   tests/serve/check.sh [PATH_OF_DAMMA]
#
# Needs python3 with venv, and Node 20; the rest comes from PyPI.
set -euo pipefail
binary=${1:+$(realpath "$1")}
cd "$(dirname "$0")"
if [ -z "$binary" ]; then
    cargo build --quiet --release --manifest-path ../../Cargo.toml
    binary=$(realpath "${CARGO_TARGET_DIR:-../../target}/release/damma")
fi
if ! command -v node > /dev/null; then
    apt-get update -qq && apt-get install -y -qq nodejs
fi
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2> /dev/null || true; rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check aiohttp==3.14.5 schemathesis==4.32.5

status=0
"$work/venv/bin/python" abuse.py "$binary" || status=1
"$work/venv/bin/python" faults.py "$binary" || status=1
"$work/venv/bin/python" load.py "$binary" --seconds 15 || status=1

printf '[limits]\nrequests_per_second = 0\nvisits = 2000\n' > "$work/serve.toml"
(cd ../.. && exec "$binary" serve --listen 127.0.0.1:0 --database "$work/games.sqlite" --config "$work/serve.toml") > "$work/out" &
server=$!
url=
for _ in $(seq 300); do
    url=$(grep -os 'http://.*' "$work/out" || true)
    [ -z "$url" ] && kill -0 "$server" 2> /dev/null || break
    sleep 0.1
done
[ -n "$url" ] || { echo "the server did not start" >&2; exit 1; }
# A session that is there, for all that needs one.
python3 - "$url" > "$work/schemathesis.toml" << 'SESSION'
import json, sys, urllib.request
game = {"game": {"preset": "zamma"}, "white": {"kind": "human"}, "black": {"kind": "open"}}
request = urllib.request.Request(sys.argv[1] + "/api/sessions", json.dumps(game).encode(), {"Content-Type": "application/json"})
with urllib.request.urlopen(request) as answer:
    print(f'[parameters]\n"path.id" = "{json.load(answer)["session"]["id"]}"')
SESSION
# The socket is no request, and a stream of lines no JSON: both are attacked above. A schema cannot say all that
# makes a request a good one, so good ones that are refused are no fault.
(cd "$work" && "$work/venv/bin/schemathesis" run "$url/openapi.json" --max-examples 40 --workers 2 \
    --checks not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance \
    --exclude-path '/api/sessions/{id}/socket' --exclude-path /api/analyze/stream) || status=1

python3 ../../clients/python/play.py "$url" kharberg | tail -n 3 || status=1
play=(../../clients/javascript/play.mjs "$url" khreibga)
if node -e 'process.exit(typeof WebSocket === "undefined" ? 1 : 0)'; then
    node "${play[@]}" | tail -n 3 || status=1
elif node --experimental-websocket -e 0 2> /dev/null; then
    node --experimental-websocket "${play[@]}" | tail -n 3 || status=1
else
    echo "this Node has no WebSocket; the client in JavaScript was not tried"
fi
exit "$status"
