from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from doubtable import real_table
from doubtable.config import load
from doubtable.screen.examples import NOW, examples
from doubtable.screen.sounds import SOUNDS
from doubtable.screen.speaker import Loudness, Speaker
from doubtable.screen.voice import Voice, open_voice


@pytest.fixture
def speaker() -> Iterator[Speaker]:
    made = Speaker()
    yield made
    made.close()


def test_quiet_hours_over_midnight_are_silent_and_the_rest_is_not() -> None:
    loud = Loudness(volume=60, quiet=(22 * 60, 8 * 60))
    assert [loud.at(minute) for minute in (21 * 60 + 59, 22 * 60, 0, 7 * 60 + 59, 8 * 60)] == [60, 0, 0, 0, 60]


def test_quiet_hours_within_a_day_and_none_at_all() -> None:
    loud = Loudness(quiet=(13 * 60, 15 * 60))
    assert [loud.at(minute) for minute in (12 * 60, 14 * 60, 15 * 60)] == [70, 0, 70]
    assert {Loudness().at(minute) for minute in range(1440)} == {70}


def test_mute_is_silent_at_any_time() -> None:
    assert {Loudness(muted=True).at(minute) for minute in range(0, 1440, 60)} == {0}


def test_every_sound_plays_on_a_device(speaker: Speaker) -> None:
    assert speaker.open()
    assert speaker.open()  # a second time changes nothing
    speaker.prepare()
    for name in (*SOUNDS, "counted"):
        pygame.mixer.stop()
        speaker.play(name)
        assert pygame.mixer.get_busy(), name


def test_muted_plays_nothing(speaker: Speaker) -> None:
    speaker.open()
    speaker.loudness = Loudness(muted=True)
    speaker.play("lock")
    speaker.hold(700)
    assert not pygame.mixer.get_busy()


def test_letting_go_ends_the_tone_of_the_hold(speaker: Speaker) -> None:
    speaker.open()
    speaker.hold(700)
    assert pygame.mixer.get_busy()
    speaker.release()
    assert not pygame.mixer.get_busy()


def test_no_device_is_silence_and_no_error(monkeypatch: pytest.MonkeyPatch, speaker: Speaker) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "there-is-no-such-driver")
    assert not speaker.open()
    assert "no sound" in speaker.fault
    speaker.prepare()
    speaker.play("lock")
    speaker.play("counted", number=3)
    speaker.hold(700)
    speaker.release()
    speaker.close()
    speaker.close()


SDLS_OWN = "System audio output device"  # what SDL's dummy driver calls its only one


def test_the_device_that_table_toml_names_is_opened(caplog: pytest.LogCaptureFixture) -> None:
    voice = open_voice(Loudness(), SDLS_OWN)
    assert pygame.mixer.get_init() is not None
    voice.close()
    assert caplog.messages == []


def test_another_device_than_the_named_one_is_never_taken(caplog: pytest.LogCaptureFixture) -> None:
    voice = open_voice(Loudness(), "Bar, left")
    assert pygame.mixer.get_init() is None
    assert caplog.messages == ['no sound: "Bar, left": No such device']
    voice.follow(next(view for name, view, _ in examples(4) if name == "window"), NOW)
    voice.follow(next(view for name, view, _ in examples(4) if name == "reveal"), NOW)  # silence, no error
    voice.close()
    assert len(caplog.messages) == 1


@pytest.mark.parametrize(
    ("sound", "opened"),
    [
        (
            f'device = "{SDLS_OWN}"\nvolume = 40\nquiet_hours = "22:00-08:00"\n',
            (Loudness(40, quiet=(1320, 480)), SDLS_OWN),
        ),
        ("", (Loudness(70), "")),
    ],
)
def test_what_table_toml_says_of_sound_reaches_the_loudspeaker(
    sound: str, opened: tuple[Loudness, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[tuple[Loudness, str]] = []
    monkeypatch.setattr("doubtable.screen.voice.open_voice", lambda *facts: given.append(facts))
    path = tmp_path / "table.toml"
    path.write_text(f'plan = "4-gpio"\n[sound]\n{sound}')
    real_table._voice(load(path, environ={"HOME": str(tmp_path)}))
    assert given == [opened]


@pytest.mark.parametrize(
    ("minute", "quiet", "fault", "why"),
    [
        (23 * 60, (22 * 60, 8 * 60 + 5), "", ("VOLUME {count}, QUIET UNTIL {time}", {"time": "08:05"})),
        (12 * 60, (22 * 60, 8 * 60 + 5), "", None),
        (0, (0, 0), "", None),
        (12 * 60, (0, 0), "no sound: no such device", ("VOLUME {count}, NO LOUDSPEAKER", {})),
    ],
)
def test_a_voice_says_why_it_is_silent(
    minute: int, quiet: tuple[int, int], fault: str, why: tuple[str, dict[str, str]] | None
) -> None:
    speaker = Speaker(Loudness(70, quiet=quiet))
    speaker.fault = fault
    assert Voice(speaker, lambda: minute).silence() == why


def test_the_device_may_come_later(monkeypatch: pytest.MonkeyPatch, speaker: Speaker) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "there-is-no-such-driver")
    speaker.open()
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    assert speaker.open()
    assert speaker.fault == ""
