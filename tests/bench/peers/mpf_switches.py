"""MPF's switch controller on its virtual platform: timed handlers debounce, tell a hold, and take the first press."""

import asyncio
import json
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

from mpf.tests.MpfTestCase import MpfTestCase  # type: ignore[import-not-found]

DEBOUNCE, HOLD = 5, 700  # ms
AFTER = 1.0  # s of its clock between two races


class Machine(MpfTestCase):  # type: ignore[misc]
    """A machine with nothing but switches, on MPF's own clock that can be moved."""

    folder = ""

    def runTest(self) -> None:  # noqa: N802 - its name in unittest
        """Nothing is tested."""

    def get_absolute_machine_path(self) -> str:
        return self.folder

    def get_config_file(self) -> str:
        return "config.yaml"

    def get_platform(self) -> str:
        return "virtual"

    def get_options(self) -> dict[str, Any]:
        """As it is run in production: no debug words, and none on a switch that says the same twice."""
        return {**super().get_options(), "debug": False, "production": True}


class Race:
    """What the handlers write down."""

    def __init__(self) -> None:
        self.order: list[int] = []
        self.holds = 0

    def pressed(self, seat: int) -> None:
        self.order.append(seat)

    def released(self, seat: int) -> None:
        pass

    def held(self, seat: int) -> None:
        self.holds += 1


def main() -> None:
    races = json.loads(sys.stdin.readline())
    seats = sorted({seat for race in races for _, edges in race for _, seat, _ in edges})
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "config"
        config.mkdir()
        lines = ["#config_version=6", "switches:", *(f"  s{seat}:\n    number: {seat}" for seat in seats)]
        (config / "config.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")
        Machine.folder = folder
        machine = Machine()
        machine.setUp()
    controller, told = machine.machine.switch_controller, Race()
    switches = {seat: machine.machine.switches[f"s{seat}"] for seat in seats}
    for seat, switch in switches.items():
        controller.add_switch_handler_obj(switch, partial(told.pressed, seat), 1, DEBOUNCE)
        controller.add_switch_handler_obj(switch, partial(told.released, seat), 0, DEBOUNCE)
        controller.add_switch_handler_obj(switch, partial(told.held, seat), 1, HOLD)
    wires = {seat: (switch.hw_switch.number, switch.hw_switch.platform) for seat, switch in switches.items()}

    async def play() -> None:
        """All races inside its loop, on whose clock every read comes when it is due."""
        for race in races:
            told.order.clear()
            before = race[0][0]
            for at, edges in race:
                if at > before:
                    await asyncio.sleep((at - before) / 1e9)
                    before = at
                for _, seat, level in edges:
                    number, platform = wires[seat]
                    controller.process_switch_by_num(number, level, platform)
            await asyncio.sleep(AFTER)
            assert len(told.order) == len(seats), told.order

    sys.stdout.write("ready\n")
    for _ in sys.stdin:
        began = time.perf_counter()
        machine.loop.run_until_complete(play())
        sys.stdout.write(f"{time.perf_counter() - began}\n")
    machine.machine.stop()


if __name__ == "__main__":
    main()
