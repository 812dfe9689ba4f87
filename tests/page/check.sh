#!/usr/bin/env bash
# Plays on the web page in a browser: every game to its end, and everything around it.
#
#   tests/page/check.sh [PATH_OF_DAMMA]
#
# Without a path it builds the command. PAGE_SHOTS is a folder for screenshots; PAGE_URL is a server that runs
# already, then none is started; PAGE_ONLY is a part of the names of the checks to run.
# Needs Debian's chromium and Node 20 or newer; installs them where they are missing.
set -euo pipefail
binary=${1:+$(realpath "$1")}
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
server=
cleanup() {
    [ -z "$server" ] || kill "$server" 2> /dev/null || true
    rm -rf "$work"
}
trap cleanup EXIT
shots=${PAGE_SHOTS:-$work/shots}
mkdir -p "$shots"

url=${PAGE_URL:-}
if [ -z "$url" ]; then
    if [ -z "$binary" ]; then
        cargo build --quiet --release --manifest-path ../../Cargo.toml
        binary=$(realpath "${CARGO_TARGET_DIR:-../../target}/release/damma")
    fi
    (cd ../.. && exec "$binary" serve --listen 127.0.0.1:0 --database "$work/games.sqlite") > "$work/out" 2> "$work/err" &
    server=$!
    for _ in $(seq 300); do
        url=$(sed -n 's/^listening on //p' "$work/out" | head -n 1)
        [ -z "$url" ] || break
        kill -0 "$server" 2> /dev/null || break
        sleep 0.1
    done
    if [ -z "$url" ]; then
        echo "the server did not start:" >&2
        cat "$work/err" >&2
        exit 1
    fi
fi
status=0
node check.mjs "$url" "$shots" "${PAGE_ONLY:-}" || status=$?
if ((status)) && [ -s "$work/err" ]; then
    echo "the server said:" >&2
    tail -n 20 "$work/err" >&2
fi
exit "$status"
