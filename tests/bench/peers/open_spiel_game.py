"""OpenSpiel's python_liars_poker played at random: legal actions asked, one of them done."""

import json
import random
import sys
import time

import pyspiel  # type: ignore[import-not-found]
from open_spiel.python.games import liars_poker  # type: ignore[import-not-found]  # noqa: F401 - registers the game


def main() -> None:
    given = json.loads(sys.stdin.readline())
    game = pyspiel.load_game("python_liars_poker", {"players": given["players"]})
    sys.stdout.write("ready\n")
    for _ in sys.stdin:
        dice = random.Random(1)
        done, took = 0, 0.0
        while done < given["acts"]:
            state = game.new_initial_state()
            while state.is_chance_node():
                state.apply_action(dice.choice(state.chance_outcomes())[0])
            began = time.perf_counter()
            while not state.is_terminal() and done < given["acts"]:
                state.apply_action(dice.choice(state.legal_actions()))
                done += 1
            took += time.perf_counter() - began
        sys.stdout.write(f"{took}\n")


if __name__ == "__main__":
    main()
