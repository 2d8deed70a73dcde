"""What one writes first: a loop that draws the whole table 60 times a second, changed or not.

python plain_loop.py SECONDS   says how many per cent of a processor it takes
"""

import os
import sys
import time

os.environ["SDL_VIDEODRIVER"] = "dummy"

import pygame

SIZE, SEATS = (1024, 600), 13
CLAIM, HELP = "Ann: 3 SEVENS", "DOUBT? SLAP!"


class Plain:
    """Names, numbers of cards and lamps of all seats, the claim and a line of help."""

    def __init__(self) -> None:
        pygame.display.init()
        pygame.font.init()
        self.surface = pygame.display.set_mode(SIZE)
        self.font, self.large = pygame.font.Font(None, 40), pygame.font.Font(None, 110)

    def draw(self) -> None:
        """One frame."""
        surface = self.surface
        surface.fill((10, 20, 10))
        for seat in range(SEATS):
            x, y = 60 + seat % 7 * 145, 60 + seat // 7 * 460
            pygame.draw.circle(surface, (240, 200, 60), (x, y), 42, 0 if seat % 2 else 4)
            surface.blit(self.font.render(str(seat * 4), True, (250, 250, 250)), (x - 16, y - 14))
            surface.blit(self.font.render(f"Seat {seat + 1}", True, (250, 250, 250)), (x - 50, y + 46))
        surface.blit(self.large.render(CLAIM, True, (250, 250, 250)), (220, 200))
        surface.blit(self.large.render(HELP, True, (240, 200, 60)), (220, 320))
        pygame.display.flip()


def main(seconds: float) -> None:
    plain, clock = Plain(), pygame.time.Clock()
    plain.draw()
    began, used = time.monotonic(), time.process_time()
    while time.monotonic() - began < seconds:
        pygame.event.get()
        plain.draw()
        clock.tick(60)
    share = (time.process_time() - used) / (time.monotonic() - began)
    sys.stdout.write(f"{100 * share}\n")


if __name__ == "__main__":
    main(float(sys.argv[1]))
