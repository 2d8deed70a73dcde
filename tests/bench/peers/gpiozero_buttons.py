"""gpiozero's buttons on mock pins, with `when_pressed`: whoever is called back first was first."""

import json
import sys
import time

from gpiozero import Button
from gpiozero.pins.mock import MockFactory


def main() -> None:
    races = json.loads(sys.stdin.readline())
    factory = MockFactory()
    seats = sorted({seat for race in races for _, edges in race for _, seat, _ in edges})
    buttons = {seat: Button(seat + 1, pin_factory=factory) for seat in seats}
    pins = {seat: button.pin for seat, button in buttons.items()}
    order: list[int] = []
    for seat, button in buttons.items():
        button.when_pressed = lambda seat=seat: order.append(seat)
    sys.stdout.write("ready\n")
    for _ in sys.stdin:
        began = time.perf_counter()
        for race in races:
            order.clear()
            for _, edges in race:
                for _, seat, level in edges:
                    if level:
                        pins[seat].drive_low()
                    else:
                        pins[seat].drive_high()
            assert order[0] == race[0][1][0][1]
        sys.stdout.write(f"{time.perf_counter() - began}\n")


if __name__ == "__main__":
    main()
