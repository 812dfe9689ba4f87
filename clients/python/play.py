"""Plays a whole game against a bot over HTTP, with random moves. Standard library only.

    python3 play.py [http://127.0.0.1:8080] [zamma]
"""

import json
import random
import sys
import urllib.request


def call(url, body=None):
    """Sends JSON, or asks without a body, and gives the answer."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return answer.read().decode()


def main():
    if "--help" in sys.argv or "-h" in sys.argv:
        print(__doc__)
        return
    server = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8080"
    preset = sys.argv[2] if len(sys.argv) > 2 else "zamma"
    created = json.loads(call(f"{server}/api/sessions", {
        "game": {"preset": preset},
        "white": {"kind": "human", "name": "Python"},
        "black": {"kind": "bot", "bot": preset, "level": 3},
    }))
    session, token = created["session"], created["tokens"]["white"]
    path = f"{server}/api/sessions/{session['id']}"
    if session["thinking"]:  # Black begins in some games.
        session = json.loads(call(f"{path}/commands", {"token": token, "type": "state"}))
        while session["thinking"]:
            session = json.loads(call(f"{path}?after={session['version']}"))
    while session["status"] == "playing":
        action = random.choice(session["view"]["actions"])["action"]
        session = json.loads(call(f"{path}/commands", {
            "token": token, "type": "move", "ply": session["ply"], "move": action, "wait": True,
        }))
        print(session["turns"][-1], flush=True)
    print(session["outcome"])
    print(call(f"{path}/pdn"))


if __name__ == "__main__":
    main()
