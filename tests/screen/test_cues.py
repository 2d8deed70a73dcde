from collections.abc import Iterable

import pytest
from msgspec.structs import replace

from doubtable.events import event
from doubtable.screen.cues import Cue, beats, cues
from doubtable.screen.examples import NOW, lay, reveal, window
from doubtable.screen.lettering import Lettering
from doubtable.screen.motion import TURN_NS
from doubtable.screen.scenes import draw
from doubtable.screen.sizes import Panel
from doubtable.screen.sounds import SOUNDS
from doubtable.screen.speaker import Speaker
from doubtable.screen.stage import Stage
from doubtable.screen.voice import BEAT_NS, Voice
from doubtable.screen.words import Words
from doubtable.view import HoldView, StripView, View

MS = 1_000_000


def names(before: View | None, after: View, events: Iterable[str] = ()) -> list[str]:
    told = [event(name, NOW, seat=1) for name in events]
    return [cue.name for cue in cues(before, after, told)]


def shown(*cards: tuple[str, bool]) -> View:
    return replace(reveal(4), cards=cards)


def dark(view: View) -> View:
    return replace(view, seats=(*view.seats[:2], replace(view.seats[2], lamp="dark", void="early"), *view.seats[3:]))


VERDICT = replace(lay(4), scene="verdict", verdict=(1, 3, True, 3, 12))
CASES: list[tuple[str, View, View, list[str]]] = [
    ("a claim", lay(4), window(4), ["lock"]),
    ("the same window", window(4), replace(window(4), number=3), []),
    ("a corrected claim", window(4), replace(window(4), claim=(1, 2, "7")), ["lock"]),
    ("a doubt", window(4), reveal(4), ["doubt"]),
    ("a right card", shown(), shown(("7H", True)), ["counted"]),
    ("a wrong card", shown(), shown(("TH", False)), []),
    ("any more", shown(), replace(shown(("7H", True)), scene="any_more"), ["counted", "any_more"]),
    ("true", shown(("7H", True)), VERDICT, ["true"]),
    ("a lie", shown(("7H", True)), replace(VERDICT, verdict=(1, 3, False, 1, 12)), ["false"]),
    ("too early", lay(4), dark(lay(4)), ["too_early"]),
    ("still dark", dark(lay(4)), dark(lay(4)), []),
    ("press again", window(4), replace(window(4), scene="press_again"), ["press_again"]),
    ("the window after it", replace(window(4), scene="press_again"), window(4), []),
    ("last round", lay(4), replace(lay(4), notices=(("LAST ROUND", {}),)), ["bell"]),
    ("over", VERDICT, replace(VERDICT, scene="over"), ["win"]),
    ("a declaration", lay(4), replace(lay(4), declaration="pair K", headline=("HAND", {"hand": "pair K"})), ["lock"]),
]


@pytest.mark.parametrize(("before", "after", "wanted"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_what_has_happened_is_heard(before: View, after: View, wanted: list[str]) -> None:
    assert names(before, after) == wanted


@pytest.mark.parametrize("panel", [Panel(800, 480, 7.0), Panel(1024, 600), Panel(480, 800, 7.0)], ids=str)
@pytest.mark.parametrize("case", [case for case in CASES if case[3]], ids=[case[0] for case in CASES if case[3]])
def test_what_is_heard_is_seen_too(case: tuple[str, View, View, list[str]], panel: Panel, lettering: Lettering) -> None:
    stage = Stage(panel, 4, Words(), lettering)
    turns = [
        [draw(view, NOW + later, stage) for later in (0, TURN_NS)] for view in case[1:3]
    ]  # a notice may take turns
    assert turns[0] != turns[1]


def test_nothing_is_heard_at_the_start() -> None:
    assert names(None, VERDICT) == []


def test_every_cue_is_a_sound() -> None:
    heard = {cue.name for _, before, after, _ in CASES for cue in cues(before, after)}
    assert heard - {"counted"} <= set(SOUNDS)


def test_cards_are_counted_upwards() -> None:
    two = shown(("7H", True), ("7S", True))
    assert cues(shown(("7H", True)), two) == (Cue("counted", 2),)


def strip(cursor: int) -> View:
    return replace(lay(4), strips=(StripView(1, ("-", "1", "2"), cursor),))


def test_a_strip_ticks_and_buzzes_when_it_is_back_at_none() -> None:
    assert names(strip(0), strip(1), ["tap"]) == ["tick"]
    assert names(strip(2), strip(0), ["tap"]) == ["low_buzz"]
    assert names(strip(1), strip(2), []) == []


def test_a_tap_that_does_nothing_ticks() -> None:
    assert names(strip(0), strip(0), ["tap"]) == ["tick"]


def test_the_heart_beats_until_the_first_card() -> None:
    assert [beats(view) for view in (window(4), reveal(4), shown(("7H", True)))] == [False, True, False]


class Listener(Speaker):
    """A loudspeaker that writes down what it is to play."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[str] = []

    def play(self, name: str, minute: int = 0, number: int = 1) -> None:
        self.heard.append(f"{name} {number}" if name == "counted" else name)

    def hold(self, hold_ms: int, minute: int = 0) -> None:
        self.heard.append(f"hold {hold_ms}")

    def release(self) -> None:
        self.heard.append("release")


@pytest.fixture
def listener() -> Listener:
    return Listener()


def test_a_voice_plays_each_cue_once(listener: Listener) -> None:
    voice = Voice(listener, lambda: 0)
    for number, view in enumerate((lay(4), lay(4), window(4), window(4))):
        voice.follow(replace(view, number=number), NOW)
    assert listener.heard == ["lock"]


def test_a_held_button_sounds_until_it_is_let_go_or_fires(listener: Listener) -> None:
    voice = Voice(listener, lambda: 0)
    held = replace(lay(4), holds=(HoldView(1, NOW, NOW + 700 * MS),))
    for view in (lay(4), held, held, lay(4)):
        voice.follow(view, NOW)
    assert listener.heard == ["hold 700", "release"]


def test_the_heart_beats_at_its_own_pace(listener: Listener) -> None:
    voice = Voice(listener, lambda: 0)
    for ms in range(0, 3 * BEAT_NS // MS, 20):
        voice.follow(reveal(4), NOW + ms * MS)
    assert listener.heard == ["heartbeat"] * 3
    assert voice.next_beat() == NOW + 3 * BEAT_NS
    voice.follow(shown(("7H", True)), NOW + 4 * BEAT_NS)
    assert listener.heard[3:] == ["counted 1"]
    assert voice.next_beat() is None
