"""A public client of Hub, the engine class of pydraughts, plays English draughts against `damma engine`.

    play.py PATH_OF_DAMMA

What is legal is decided by pydraughts alone. Ends with counts of passed and failed.
"""

import os
import random
import stat
import sys
import tempfile

import draughts
from draughts.engine import HubEngine, Limit


def games(engine):
    """Plays whole games, the engine against random moves with either colour, and yields (name, what went wrong)."""
    ending = "B:W29,30,K32:B1,2,3,4,10"
    for seed, own_turn, fen in [(1, 0, None), (2, 1, None), (3, 0, None), (4, 1, None), (5, 0, ending), (6, 1, "W:W5,K6,22:BK32")]:
        rng = random.Random(seed)
        board = draughts.Board(variant="english") if fen is None else draughts.Board(variant="english", fen=fen)
        plies, fault = 0, None
        while fault is None and not board.is_over() and plies < 300:
            legal = board.legal_moves()
            if plies % 2 == own_turn:
                move = engine.play(board, Limit(depth=4), False).move
                if move.pdn_move not in [other.pdn_move for other in legal]:
                    fault = f"ply {plies}: {move.hub_move} is not legal"
                    break
            else:
                move = rng.choice(legal)
            board.push(move)
            plies += 1
        if fault is None and not board.is_over():
            fault = f"no end after {plies} plies"
        # pydraughts calls who begins 1 and the other 2.
        winner = board.winner() if fault is None else None
        print(f"game {seed}: {plies} plies, winner {winner}, engine plays {own_turn + 1}", flush=True)
        yield f"game {seed} is legal to its end", fault
        if fen is None:
            yield f"game {seed} is won against random moves", None if winner == own_turn + 1 else winner


def main():
    damma = os.path.realpath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        # The client takes a program without arguments.
        script = os.path.join(folder, "engine.sh")
        with open(script, "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\nexec "{damma}" engine --level ab-4\n')
        os.chmod(script, stat.S_IRWXU)
        engine = HubEngine(script)
        results = [("it names itself", None if engine.id.get("name") == "Damma" else engine.id)]
        results.append(("it plays english", None if "english" in engine.variants else engine.variants))
        engine.configure({"variant": "english"})
        engine.init()
        engine.ping()
        results += list(games(engine))
        engine.quit()
        engine.p.communicate()
    failed = [(name, fault) for name, fault in results if fault is not None]
    for name, fault in failed:
        print(f"failed  {name}: {fault}")
    print(f"{len(results) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
