"""Loads a server on loopback: many games over WebSockets, batched and unbatched analysis, overload.

    load.py PATH_OF_DAMMA [--games 200] [--seconds 20] [--checkpoint PATH] [--json FILE]

With --checkpoint, the throughput of that one is measured too: of a tower of convolutions, say, where an evaluation
costs more than all the rest.

The clients share the machine with the server, so figures are what both together can do. Ends with counts of
passed and failed.
"""

import argparse
import asyncio
import json
import os
import random
import sys
import time

import aiohttp

from server import Checks, Server

FREE = "[limits]\nrequests_per_second = 0\n"


def percentile(times, share):
    return sorted(times)[min(len(times) - 1, int(share * len(times)))] * 1_000


async def play(client, server, preset, until, times, faults, rng):
    """Plays games over a socket until the time is over, and notes how long each move took with its answer."""
    while time.monotonic() < until:
        seats = {"white": {"kind": "human"}, "black": {"kind": "bot", "bot": preset, "visits": 64}}
        async with client.post(f"{server.url}/api/sessions", json={"game": {"preset": preset}, **seats}) as answer:
            created = await answer.json()
            if answer.status != 201:
                faults.append(created)
                return
        url = f"{server.url}/api/sessions/{created['session']['id']}/socket?token={created['tokens']['white']}"
        async with client.ws_connect(url) as link:
            session, asked, version = None, None, 0
            while time.monotonic() < until:
                message = await link.receive_json(timeout=60)
                if message["type"] != "state":
                    faults.append(message)
                    return
                session = message["session"]
                if session["version"] < version:
                    faults.append(f"version {session['version']} after {version}")
                version = session["version"]
                if session["thinking"]:
                    continue
                if asked is not None:
                    times.append(time.monotonic() - asked)
                if session["status"] == "over":
                    break
                move = rng.choice(session["view"]["actions"])["action"]
                asked = time.monotonic()
                await link.send_json({"type": "move", "ply": session["ply"], "move": move})
        # The rules say the same of all that was played.
        if session and rng.random() < 0.05:
            body = {"game": session["game"], "moves": session["turns"]}
            async with client.post(f"{server.url}/api/positions", json=body) as answer:
                replayed = await answer.json()
                if answer.status != 200 or replayed["view"]["position"] != session["view"]["position"]:
                    faults.append(replayed)


async def games(server, count, seconds):
    times, faults, memory = [], [], [server.memory()]
    until = time.monotonic() + seconds
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as client:
        presets = ["zamma", "damma8"]
        players = [
            asyncio.create_task(play(client, server, presets[number % 2], until, times, faults, random.Random(number)))
            for number in range(count)
        ]
        # A tenth of the time is for warming up.
        await asyncio.sleep(seconds / 10)
        while time.monotonic() < until - 1:
            memory.append(server.memory())
            await asyncio.sleep(max(1.0, seconds / 20))
        await asyncio.gather(*players)
    return times, faults, memory


async def analyses(server, bot, clients, seconds, visits):
    """Gives simulations a second of so many clients, each asking for the next position as soon as it has an answer."""
    done = 0
    until = time.monotonic() + seconds

    async def ask():
        nonlocal done
        body = json.dumps({"bot": bot, "visits": visits}).encode()
        head = f"POST /api/analyze HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        while time.monotonic() < until:
            writer.write(head.encode() + body)
            fields = await reader.readuntil(b"\r\n\r\n")
            length = next(int(line.split(b":")[1]) for line in fields.split(b"\r\n") if line.lower().startswith(b"content-length"))
            await reader.readexactly(length)
            assert b" 200 " in fields[:20], fields
            done += visits
        writer.close()

    begun = time.monotonic()
    await asyncio.gather(*(ask() for _ in range(clients)))
    return done / (time.monotonic() - begun)


async def overload(server):
    """Asks for more than there is room for, and gives how many were answered and refused."""
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as client:
        async def ask():
            async with client.post(f"{server.url}/api/analyze", json={"bot": "damma8", "visits": 20_000}) as answer:
                body = await answer.json(content_type=None)
                return answer.status, answer.headers.get("Retry-After"), body
        answers = await asyncio.gather(*(ask() for _ in range(64)))
        await asyncio.sleep(0.1)
        after = await ask()
    return answers, after


def throughput(damma, bot, bots, visits):
    """Gives simulations a second of 32 clients with batches and without, and of one client."""
    figures = {}
    for name, settings, clients in [("batched", "", 32), ("unbatched", "[search]\nbatch = 1\n", 32), ("alone", "", 1)]:
        with Server(damma, FREE + settings + bots) as server:
            figures[name] = asyncio.run(analyses(server, bot, clients, 4, visits))
    ratio = {f"{bot}_batched_to_unbatched": round(figures["batched"] / figures["unbatched"], 2)}
    return {f"{bot}_simulations_per_second_{name}": round(figure) for name, figure in figures.items()} | ratio


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("damma")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--checkpoint")
    parser.add_argument("--json")
    args = parser.parse_args()
    checks, figures = Checks(), {}

    with Server(args.damma, FREE) as server:
        times, faults, memory = asyncio.run(games(server, args.games, args.seconds))
        settled = memory[len(memory) // 4]
        figures |= {
            "games": args.games, "moves": len(times), "moves_per_second": round(len(times) / args.seconds),
            "p50_ms": round(percentile(times, 0.5), 1), "p99_ms": round(percentile(times, 0.99), 1),
            "memory_start_mib": round(memory[0]), "memory_settled_mib": round(settled), "memory_end_mib": round(memory[-1]),
        }
        checks.that(f"{args.games} games at once stay right", not faults and times, faults[:3])
        checks.that("memory does not grow", memory[-1] < settled * 1.15 + 8, memory)

    figures |= throughput(args.damma, "damma8", "", 2_000)
    if args.checkpoint:
        bots = f"[bots]\ncostly = {json.dumps(os.path.realpath(args.checkpoint))}\n"
        figures |= throughput(args.damma, "costly", bots, 50)

    with Server(args.damma, FREE + "[search]\nthreads = 1\nbatch = 1\nwaiting = 4\n") as server:
        answers, after = asyncio.run(overload(server))
        refused = [answer for answer in answers if answer[0] == 503]
        served = [answer for answer in answers if answer[0] == 200]
        figures |= {"overload_served": len(served), "overload_refused": len(refused)}
        checks.that("too much is refused with Retry-After", refused and all(answer[1] for answer in refused), answers[:3])
        checks.that("what is taken on is answered", len(served) + len(refused) == 64 and len(served) >= 5, answers[:3])
        checks.that("and then it recovers", after[0] == 200, after)

    for name, value in figures.items():
        print(f"{name:34} {value}")
    if args.json:
        with open(args.json, "w", encoding="utf-8") as file:
            json.dump(figures, file, indent=2)
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
