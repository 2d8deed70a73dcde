"""A service that cannot start shows why, and ends as soon as somebody has mended it."""

import itertools
import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from devices.panel_bench import Cable, Panel
from doubtable.fault_page import GOES_ON, LOOK_EVERY, SHOWN_FOR, TITLE, Lamps, hold, settings, words
from doubtable.screen.display import Display
from doubtable.screen.lettering import Lettering
from doubtable.screen.palette import INK
from doubtable.screen.words import LANGUAGES
from doubtable.service import File


@pytest.fixture
def display(monkeypatch: pytest.MonkeyPatch) -> Iterator[Display]:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    made = Display((1024, 600), driver="dummy", full=False)
    yield made
    made.close()
    pygame.quit()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "table.toml"
    path.write_text("seets = 4\n")
    return path


def has_ink() -> bool:
    surface = pygame.display.get_surface()
    assert surface is not None
    wide, high = surface.get_size()
    return any(surface.get_at((x, y))[:3] == INK for x in range(wide) for y in range(high // 8, high // 2, 3))


def test_the_fault_is_on_the_screen_until_the_file_is_mended(display: Display, file: Path) -> None:
    seen = []

    def wait(seconds: float) -> None:
        seen.append(has_ink())
        if len(seen) == 3:
            file.write_text('plan = "8-gpio"\n')
        assert len(seen) <= 3

    hold(f"{file}: seets: unknown key: do you mean seats?", File(file), display, lambda: False, wait)
    assert seen == [True, True, True]
    assert not display.shown


def drawn(monkeypatch: pytest.MonkeyPatch, display: Display, file: File) -> tuple[list[str], tuple[int, int]]:
    """The texts of the page, and the size of its picture."""
    texts: list[str] = []
    plain = Lettering.line

    def line(self: Lettering, text: str, *rest: object) -> pygame.Surface:
        texts.append(text)
        return plain(self, text, *rest)  # type: ignore[arg-type]

    sizes: list[tuple[int, int]] = []
    monkeypatch.setattr(Lettering, "line", line)
    hold("why", file, display, lambda: bool(sizes), lambda seconds: sizes.append(display.panel.size))
    return texts, sizes[0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_speaks_the_tables_language_and_is_turned_as_the_table_is(
    language: str, display: Display, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text(f'[screen]\nturn = 270\nlanguage = "{language}"\n[seets.3]\n')
    texts, size = drawn(monkeypatch, display, File(file))
    said = words({"screen.language": language})
    assert " ".join(texts) == f"{said.say(TITLE)} why {said.say(GOES_ON)}"
    assert size == (600, 1024)
    assert (said.say(TITLE) == TITLE) == (language == "en")


def test_what_was_changed_at_the_table_goes_before_its_file(tmp_path: Path, file: Path) -> None:
    changed = {"version": 1, "settings": {"screen.turn": 180, "screen.language": "de"}}
    (tmp_path / "settings.json").write_text(json.dumps(changed))
    file.write_text(f'state = "{tmp_path}"\n[screen]\nturn = 90\nlanguage = "es"\n[what\n')
    known = settings(File(file))
    assert (known["screen.turn"], words(known).language) == (180, "de")


@pytest.mark.parametrize(
    "text",
    [
        '[screen]\nturn = 91\nlanguage = "fr"\n[panel]\nport = 7\n',
        '[screen]\nturn = true\nlanguage = 3\n[panel]\nport = "ttyACM0"\n',
        'state = "/nowhere/\\u0000"\n[screen]\nturn = "90"\n[panel]\nport = "/dev/\\u0000"\n',
    ],
)
def test_settings_that_are_wrong_are_passed_over(text: str, display: Display, file: Path) -> None:
    file.write_text(text)
    hold("why", File(file), display, lambda: False, lambda seconds: file.unlink(missing_ok=True))
    assert display.panel.size == (1024, 600)


class ServedPanel:
    """The panel's own program on a pty, in a thread; the lamps that were lit, in their order."""

    def __init__(self, folder: Path) -> None:
        self.panel = Panel()
        self.cable = Cable(folder, self.panel)
        self.lit: list[int] = []
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        begin = time.monotonic_ns()
        while not self._end.wait(0.001):
            self.panel.us = (time.monotonic_ns() - begin) // 1000
            self.cable.serve()
            if self.panel.link.lamps != (self.lit[-1] if self.lit else 0):
                self.lit.append(self.panel.link.lamps)

    def until(self, changes: int) -> None:
        """Wait until the lamps have changed so often."""
        end = time.monotonic() + 60
        while len(self.lit) < changes:
            assert time.monotonic() < end, self.lit
            self._end.wait(0.002)

    def close(self) -> None:
        self._end.set()
        self._thread.join()
        self.cable.pull()


@pytest.fixture
def panel(tmp_path: Path) -> Iterator[ServedPanel]:
    made = ServedPanel(tmp_path)
    yield made
    made.close()


def test_the_lamps_of_a_panel_light_by_turns(panel: ServedPanel, display: Display, file: Path) -> None:
    file.write_text(f'[panel]\nport = "{panel.cable.path}"\n[seats.1]\nbuton = 0\n')
    rounds = itertools.count(1)

    def wait(seconds: float) -> None:
        done = next(rounds)
        panel.until(done)
        if done == 3:
            file.unlink()

    hold("why", File(file), display, lambda: False, wait)
    panel.until(4)
    odd, even = 0b1010101010101, 0b0101010101010
    assert panel.lit == [even, odd, even, 0]


def test_a_panel_that_is_not_there_or_taken_lights_nothing(panel: ServedPanel, tmp_path: Path) -> None:
    first, second, none = (Lamps(str(each)) for each in (panel.cable.path, panel.cable.path, tmp_path / "none"))
    for lamps in (first, second, none):
        lamps.show(0)
    panel.until(1)
    second.show(1)
    none.show(1)
    second.close()
    none.close()
    assert panel.lit == [0b0101010101010]
    first.close()
    first.close()


def test_a_file_that_comes_and_one_that_is_replaced(display: Display, file: Path) -> None:
    for change in (file.unlink, lambda: file.write_text("x")):
        rounds: list[float] = []

        def wait(seconds: float, rounds: list[float] = rounds, change: object = change) -> None:
            rounds.append(seconds)
            assert callable(change)
            change()

        hold("why", File(file), display, lambda: False, wait)
        assert rounds == [LOOK_EVERY]


def test_what_was_mended_before_the_page_came_up_is_not_overlooked(display: Display, file: Path) -> None:
    seen = File(file)
    file.write_text("mended")
    rounds: list[float] = []
    hold("why", seen, display, lambda: False, rounds.append)
    assert rounds == []


def test_it_ends_by_itself_and_when_told(display: Display, file: Path) -> None:
    rounds: list[float] = []
    hold("why", File(file), display, lambda: False, rounds.append)
    assert sum(rounds) == SHOWN_FOR
    rounds.clear()
    hold("why", File(file), display, lambda: bool(rounds), rounds.append)
    assert len(rounds) == 1


def test_without_a_screen_it_waits_all_the_same(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    display = Display()  # nobody asked for "dummy": that is no screen
    why: list[str] = []
    hold("why", File(file), display, lambda: False, lambda seconds: why.append(display.retry.why))
    assert len(why) * LOOK_EVERY == SHOWN_FOR
    assert "dummy" in why[0]
    pygame.quit()


def test_the_longest_list_of_problems_fits(display: Display, file: Path) -> None:
    many = "\n".join(f"{file}: seats.{seat}.button: line 2 is used twice: take another one" for seat in range(1, 14))
    hold(many, File(file), display, lambda: False, lambda seconds: file.unlink(missing_ok=True))


def test_the_service_manager_waits_longer_than_the_page(request: pytest.FixtureRequest) -> None:
    unit = (request.config.rootpath / "deploy" / "systemd" / "doubtable.service").read_text()
    patience = next(line for line in unit.splitlines() if line.startswith("TimeoutStartSec="))
    assert int(patience.partition("=")[2]) >= 2 * SHOWN_FOR
