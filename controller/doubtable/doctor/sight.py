"""Screen and sound: what is connected, and what a guest sees and hears."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from doubtable.doctor.case import Case
from doubtable.doctor.findings import Finding
from doubtable.doctor.machine import Machine
from doubtable.doctor.opened import running_device
from doubtable.timing import MS, S

ANSWERED_WITHIN = 60 * S
TURN = 500 * MS


class Connector(NamedTuple):
    """A socket for a screen: its name ("HDMI-A-1"), whether one is connected, and the sizes that it offers."""

    name: str
    connected: bool
    modes: tuple[str, ...]


def screen(case: Case) -> Iterator[Finding]:
    """Whether a screen is connected, has the configured size, and shows a picture."""
    config = case.config.screen
    if config.driver == "none":
        yield Finding("screen", "ok", "none: the table is played by its lamps")
        return
    at_table = running_device(case, "screen", "plug a screen in: it is looked for every 5 s")
    if at_table is not None:
        yield at_table
        return
    connected = _connected(case)
    yield connected
    if case.person.there and case.machine.real and connected.state != "fault" and not case.all_simulated:
        yield from _seen(case)


def _connected(case: Case) -> Finding:
    config = case.config.screen
    found = _connectors(case.machine)
    if not found:
        todo = "on a Pi: dtoverlay=vc4-kms-v3d in /boot/firmware/config.txt"
        return Finding("screen", "unknown", "this system does not say which screens it has", todo)
    live = [each for each in found if each.connected]
    if not live:
        names = ", ".join(each.name for each in found)
        window = case.all_simulated or config.driver in ("x11", "wayland")
        todo = "its cable and its supply; switch it on before the Pi"
        return Finding("screen", "warning" if window else "fault", f"none is connected ({names})", todo)
    names = ", ".join(f"{each.name} {each.modes[0] if each.modes else 'of unknown size'}" for each in live)
    if config.size is not None:
        asked = f"{config.size[0]}x{config.size[1]}"
        if not any(asked in each.modes for each in live):
            what = f"{names}: does not offer {asked}"
            modes = ", ".join(dict.fromkeys(mode for each in live for mode in each.modes)) or "none known"
            return Finding("screen", "warning", what, f"screen.size in table.toml: one of {modes}, or leave it out")
    return Finding("screen", "ok", f"{names}, driver {config.driver}")


def _connectors(machine: Machine) -> list[Connector]:
    found = []
    for path in machine.glob("/sys/class/drm/card*-*"):
        status = machine.text(f"{machine.shown(path)}/status")
        name = path.name.partition("-")[2]
        if status is not None and not name.startswith("Writeback"):
            modes = dict.fromkeys((machine.text(f"{machine.shown(path)}/modes") or "").split())
            found.append(Connector(name, status == "connected", tuple(modes)))
    return found


def _seen(case: Case) -> Iterator[Finding]:
    """Show a test picture with the table's own driver, size and turn, and ask."""
    import pygame  # noqa: PLC0415 - only where somebody looks

    from doubtable.doctor.trial_picture import draw  # noqa: PLC0415
    from doubtable.screen.display import Display  # noqa: PLC0415

    config = case.config.screen
    driver = "" if config.driver == "auto" else config.driver
    display = Display(config.size, config.turn, driver)
    try:
        why = display.attend(case.clock())
        if not display.shown:
            yield Finding("screen", "fault", why, "screen.driver in table.toml, the group video, its cable")
            return
        width, height = display.panel.width, display.panel.height
        about = f"{pygame.display.get_driver()} {width}x{height}"
        draw(display, case.clock())
        case.person.say("The screen shows a frame at its very edge and an arrow that points up. Enter: yes. n: no.")
        yield _answer(case, "screen", about, "shows the whole picture upright", "does not", "screen.size, screen.turn")
    finally:
        display.close()


def _answer(case: Case, name: str, about: str, good: str, bad: str, todo: str) -> Finding:
    typed = case.person.wait(ANSWERED_WITHIN)
    if typed is None:
        return Finding(name, "unknown", "nobody said", f"doubtable doctor --only {name}", about)
    if typed.lower().startswith("n"):
        return Finding(name, "fault", bad, todo, about)
    return Finding(name, "ok", good, about=about)


def sound(case: Case) -> Iterator[Finding]:
    """Whether there is a sound device, and whether it is heard. Every sound has its twin on lamps or screen."""
    config = case.config.sound
    if config.volume == 0:
        yield Finding("sound", "ok", "muted: sound.volume = 0")
        return
    listed = case.machine.text("/proc/asound/cards")
    if listed is None:
        yield Finding("sound", "unknown", "this system does not say which sound devices it has", "aplay -l")
        return
    cards = re.findall(r"^\s*\d+ \[(\w+)\s*\]: (.+)$", listed, re.MULTILINE)
    if not cards:
        yield Finding("sound", "warning", "no sound device: the table is silent", "plug the speaker in, then aplay -l")
        return
    names = ", ".join(long for _, long in cards)
    if config.device is not None and not any(_same(config.device, card) for card in cards):
        what = f'"{config.device}" is not there; there are {names}'
        yield Finding("sound", "warning", what, "sound.device in table.toml, or plug that speaker in")
        return
    yield Finding("sound", "ok", f"{config.device or names}, volume {config.volume}")
    if case.person.there and case.machine.real and case.running is None:
        yield from _heard(case)


def _same(device: str, card: tuple[str, str]) -> bool:
    """SDL writes "USB Audio Device, USB Audio", the kernel "USB-Audio - USB Audio Device"."""
    short, long = card
    first = device.partition(",")[0].strip().lower()
    return first in long.lower() or first == short.lower()


def _heard(case: Case) -> Iterator[Finding]:
    from doubtable.screen.speaker import Loudness, Speaker  # noqa: PLC0415 - only where somebody listens

    speaker = Speaker(Loudness(case.config.sound.volume), case.config.sound.device or "")
    try:
        if not speaker.open():
            yield Finding("sound", "warning", speaker.fault, "the group audio; another program may have it")
            return
        for number in (1, 2, 3):
            speaker.play("counted", number=number)
            case.person.wait(TURN)
        case.person.say("Three rising tones were played. Enter: heard at every seat. n: not heard.")
        todo = "the speaker's own knob, alsamixer, sound.volume and sound.device in table.toml"
        yield _answer(case, "sound", "three tones", "heard", "not heard", todo)
    finally:
        speaker.close()
