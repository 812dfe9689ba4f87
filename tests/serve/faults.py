"""Looks for faults that a server has had: idle clients, searches nobody waits for, bots that changed their game.

    faults.py PATH_OF_DAMMA

Ends with counts of passed and failed.
"""

import json
import os
import resource
import signal
import socket
import subprocess
import sys
import time
import urllib.parse

from server import ROOT, Checks, Server

FREE = "[limits]\nrequests_per_second = 0\n"
PERSON = {"kind": "human"}
# Many kings: the baseline at depth 8 looks at this for minutes.
KINGS = "9/1W2BBB2/B2W5/4B4/BWW6/1BW1WW2B/6B2/3W4W/WW5W1 w - - - 0"


def bot_named(name, model):
    return f"{FREE}request_seconds = 5\n[bots]\n{name} = {json.dumps(os.path.realpath(os.path.join(ROOT, 'models', model)))}\n"


def begin(server, black=PERSON, preset="zamma"):
    """Begins a game, and gives its path and White's token."""
    _, _, created = server.call("/api/sessions", {"game": {"preset": preset}, "white": PERSON, "black": black})
    return f"/api/sessions/{created['session']['id']}", created["tokens"]["white"]


def post(server, path, body):
    """Sends a request and gives the connection, for clients that do not stay."""
    text = json.dumps(body).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {len(text)}\r\n\r\n"
    link = socket.create_connection(("127.0.0.1", server.port), timeout=20)
    link.sendall(head.encode() + text)
    return link


def get(server, path, method="GET"):
    """Gives the answer to a path that libraries would not send."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as link:
        link.sendall(f"{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
        answer = b""
        while part := link.recv(65_536):
            answer += part
    return answer


def idle_clients(checks, damma):
    with Server(damma, FREE + "connections = 20\n") as server:
        links = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(20)]
        with socket.create_connection(("127.0.0.1", server.port), timeout=25) as link:
            link.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
            try:
                answer = link.recv(100)
            except OSError:
                answer = b"nothing"
        checks.that("connections that send nothing are cut off, and make room", b"200" in answer, answer)
        for link in links:
            link.close()


def errors_of_extractors(checks, damma):
    with Server(damma, FREE) as server:
        _, fields, _ = server.call("/api/analyze/stream", raw=b" " * 300_000)
        checks.that("a stream that is too large is a problem", "problem+json" in fields["Content-Type"], fields["Content-Type"])
        for path in ["/api/sessions/%FF", "/api/bots/%FF", "/app/%FF"]:
            answer = get(server, path)
            checks.that(f"{path}, which is no text, is a problem", b"problem+json" in answer, answer)
        before = len(server.call("/metrics")[2])
        for number in range(200):
            get(server, "/", f"ODD{number}")
        grown = len(server.call("/metrics")[2]) - before
        checks.that("methods of clients' choice make no series of figures", grown < 5_000, f"{grown} bytes more")


def tokens_of_base64(checks, damma):
    token = "abcdEFGH+/ijklMNOP=="
    with Server(damma, f"tokens = [{json.dumps(token)}]\n") as server:
        query = urllib.parse.urlencode({"access_token": token})
        status = server.call(f"/api/sessions/{'0' * 32}?{query}")[0]
        checks.that("a token is understood as browsers write it in a query", status == 404, status)


def searches_nobody_waits_for(checks, damma):
    with Server(damma, FREE + "request_seconds = 5\n") as server:
        query = {"bot": "ab-8", "game": {"preset": "zamma"}, "position": KINGS}
        for _ in range(10):
            link = post(server, "/api/analyze", query)
            time.sleep(0.05)
            link.close()
        time.sleep(1)
        spent = processor_seconds(server)
        time.sleep(2)
        spent = processor_seconds(server) - spent
        checks.that("searches of the baseline end with their clients", spent < 1, f"{spent:.1f} s of processor in 2 s")
        server.process.send_signal(signal.SIGTERM)
        try:
            status = server.process.wait(timeout=12)
        except subprocess.TimeoutExpired:
            status = "still running"
        checks.that("SIGTERM ends a server that searches", status == 0, status)


def processor_seconds(server):
    with open(f"/proc/{server.process.pid}/stat", encoding="utf-8") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def bots_that_change(checks, damma):
    with Server(damma, bot_named("mine", "zamma")) as server:
        path, token = begin(server, {"kind": "bot", "bot": "mine", "visits": 64})
        server.kill()
        with open(server.config, "w", encoding="utf-8") as file:
            file.write(bot_named("mine", "damma8"))
        server.start()
        for _ in range(3):
            now = server.call(path)[2]
            if now["thinking"] or now["status"] != "playing":
                break
            move = now["view"]["actions"][0]["action"]
            server.call(f"{path}/commands", {"token": token, "type": "move", "ply": now["ply"], "move": move, "wait": True})
        now = server.call(path)[2]
        replayed = server.call("/api/positions", {"game": now["game"], "moves": now["turns"]})
        checks.that("a bot that plays another game now makes no illegal move", replayed[0] == 200, (now["turns"], replayed[2]))
        server.kill()
        server.start()
        status, _, body = server.call(path)
        checks.that("and its game can still be read", status == 200, body)


def clients_that_leave(checks, damma):
    with Server(damma, FREE) as server:
        paths = []
        for number in range(200):
            path, token = begin(server)
            link = post(server, f"{path}/commands", {"token": token, "type": "move", "ply": 0, "move": "d4-e5"})
            time.sleep(number % 20 * 0.0001)
            link.close()
            paths.append(path)
        time.sleep(1)
        shown = [server.call(path)[2]["ply"] for path in paths]
        server.kill()
        server.start()
        kept = [server.call(path)[2]["ply"] for path in paths]
        differ = sum(one != other for one, other in zip(shown, kept))
        checks.that("what was shown of moves whose clients left is what was kept", differ == 0, f"{differ} of 200 differ")


def disks_with_room_again(checks, damma):
    def small_files():
        # Only the soft limit, so that it can be lifted again.
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, resource.RLIM_INFINITY))

    with Server(damma, FREE, limit=small_files) as server:
        path, token = begin(server, {"kind": "bot", "bot": "zamma", "visits": 20_000})
        others = [begin(server) for _ in range(50)]
        server.call(f"{path}/commands", {"token": token, "type": "move", "ply": 0, "move": "d4-e5"})
        seats = {"game": {"preset": "zamma"}, "white": PERSON, "black": PERSON}
        while server.call("/api/sessions", seats)[0] == 201:
            pass
        # What is too much for a new game may do for a move or two.
        for other in others:
            status, _, problem = server.call(f"{other[0]}/commands", {"token": other[1], "type": "move", "ply": 0, "move": "d4-e5"})
            if status != 200:
                break
        checks.that("a move on a full disk is refused", status == 503 and problem["type"] == "storage", problem)
        checks.that("and has not happened", server.call(other[0])[2]["ply"] == 0)
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        status = server.call(f"{other[0]}/commands", {"token": other[1], "type": "move", "ply": 0, "move": "d4-e5"})[0]
        checks.that("with room again it is taken", status == 200, status)
        now = server.call(path)[2]
        for _ in range(3):
            if now["thinking"]:
                now = server.call(f"{path}?after={now['version']}")[2]
        checks.that("and the bot's move is made", not now["thinking"] and now["ply"] >= 2, now)


def main():
    checks, damma = Checks(), sys.argv[1]
    for look in [idle_clients, errors_of_extractors, tokens_of_base64, searches_nobody_waits_for,
                 bots_that_change, clients_that_leave, disks_with_room_again]:
        look(checks, damma)
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
