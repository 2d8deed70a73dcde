"""Every finding that needs no device to be opened, in each of its states, on machines made of files."""

import ast
import errno
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import doubtable.doctor
from decks.deck_bench import tag, whole
from doctor.machines import GPIO, PI4, READER, STATE, FakeMachine, fake_gpiod
from doubtable import __version__, decks
from doubtable.cards import Card
from doubtable.decks import Deck
from doubtable.desk import DeviceReport, Report
from doubtable.doctor import SECTIONS, Running

PLAIN = GPIO.strip() + "\n"
SIMULATED = "[buttons]\n"
RPIGPIO = PLAIN + '[lamps]\nfactory = "rpigpio"\n'
NOBODYS = {"/proc/self/status": PI4["/proc/self/status"].replace("20 29 44 105 106 986 1000", "1000")}
NOT_ENTERED = {"/etc/group": PI4["/etc/group"].replace(":ann", ":")}
USB = '[reader]\nkind = "pn532"\nport = "/dev/serial/by-id/usb-1a86_USB_Serial-if00-port0"\n'
RUNS = Running(lambda since: (0, []), Report(__version__, 77, "/var/lib/doubtable", devices=(DeviceReport("screen"),)))


def at_table(*devices: DeviceReport, version: str = __version__) -> Running:
    return Running(lambda since: (0, []), Report(version, 77, "/var/lib/doubtable", devices=devices))


class Shown(NamedTuple):
    """One machine and what the doctor says of it: section, state, some words; ``table`` is its table.toml."""

    section: str
    state: str
    says: str
    table: str = PLAIN
    files: Mapping[str, str | None] = {}
    packages: Mapping[str, str | None] = {}
    running: Running | None = None
    decks: tuple[Deck, ...] = ()


def throttled(word: str) -> dict[str, str | None]:
    return {"/usr/bin/vcgencmd": f"#!/bin/sh\necho throttled={word}\n"}


def df(free: int) -> dict[str, str | None]:
    return {"/usr/bin/df": f"#!/bin/sh\necho head\necho /dev/mmcblk0p2 30000000 9000000 {free} 30% /\n"}


def chips(*facts: dict[str, object]) -> dict[str, str | None]:
    nodes: dict[str, str | None] = {"/dev/gpiochip0": None, "/dev/gpiochip1": None}
    return nodes | {f"/dev/gpiochip{each.pop('number')}": json.dumps(each) for each in facts}


def overlay(more: str) -> dict[str, str | None]:
    root = "overlay / overlay rw,noatime,lowerdir=/lower,upperdir=/upper/data,workdir=/upper/work 0 0\n"
    return {"/proc/self/mounts": root + more}


NO_CLOCK: dict[str, str | None] = {"/sys/class/rtc/rtc0/name": None}
HEADER = [{"number": n, "label": "gpio-brcmstb", "lines": 32} for n in range(4)]
ON_DATA = '[journal]\npath = "/persistent/journal.db"\n' + PLAIN
ONE_CARD_SHORT = Deck("red", 1, dict(list(whole("red").cards.items())[1:]))

CASES = [
    # the table
    Shown("table", "ok", "3 seats on gpio"),
    Shown("table", "ok", "does not run: its devices are tried from here"),
    Shown("table", "ok", "simulated seats: their buttons are keys", SIMULATED),
    Shown("table", "ok", "seats 3 of 3 are simulated", PLAIN.replace("button = 6\nlamp = 24", 'source = "simulated"')),
    Shown("table", "warning", "seat 3 has no lamp", PLAIN.replace("lamp = 24\n", "")),
    Shown("table", "ok", "runs as process 77 and was asked", running=at_table()),
    Shown("table", "warning", "with version 0.0.9, installed is", running=at_table(version="0.0.9")),
    Shown("table", "unknown", "closed to this user", running=Running(lambda since: (0, []), None)),
    # the board
    Shown("model", "ok", "Raspberry Pi 4 Model B Rev 1.4"),
    Shown("model", "ok", "ThinkPad: no Raspberry Pi, and nothing", SIMULATED,
          {"/proc/device-tree/model": None, "/sys/class/dmi/id/product_name": "ThinkPad\n"}),
    Shown("model", "warning", "Orange Pi: no Raspberry Pi, but", files={"/proc/device-tree/model": "Orange Pi"}),
    Shown("model", "unknown", "does not say what it is", files={"/proc/device-tree/model": None}),
    Shown("kernel", "ok", "6.12.47+rpt-rpi-v8"),
    Shown("kernel", "fault", "5.4.0: older than 5.10", files={"/proc/sys/kernel/osrelease": "5.4.0\n"}),
    Shown("kernel", "warning", "5.4.0: older", SIMULATED, {"/proc/sys/kernel/osrelease": "5.4.0\n"}),
    Shown("kernel", "unknown", "does not say its kernel", files={"/proc/sys/kernel/osrelease": None}),
    # F38
    Shown("supply", "ok", "no under-voltage and no throttling", files=throttled("0x0")),
    Shown("supply", "fault", "under-voltage and throttled now, under-voltage and throttled earlier (0x50005)",
          files=throttled("0x50005")),
    Shown("supply", "warning", "under-voltage and throttled earlier (0x50000)", files=throttled("0x50000")),
    Shown("supply", "warning", "soft temperature limit now, soft temp", files=throttled("0x80008")),
    Shown("supply", "warning", "frequency capped and throttled earlier", files=throttled("0x60000")),
    Shown("supply", "unknown", "vcgencmd is missing", files={"/usr/bin/vcgencmd": None}),
    Shown("supply", "unknown", 'vcgencmd does not say ("VCHI initialization failed")',
          files={"/usr/bin/vcgencmd": "#!/bin/sh\necho VCHI initialization failed >&2\nexit 255\n"}),
    # the system
    Shown("clock", "ok", "set over the network; a battery keeps it"),
    Shown("clock", "ok", "set by its own clock; a battery", files={"/usr/bin/timedatectl": "#!/bin/sh\necho no\n"}),
    Shown("clock", "ok", "no battery keeps it: without a network", files=NO_CLOCK),
    Shown("clock", "ok", "no battery keeps it", files={"/sys/class/rtc/rtc0/battery_voltage": "2000\n"}),
    Shown("clock", "fault", "it is not set: it says 1970-01-01", files={"/proc/stat": "btime 5\n"}),
    Shown("clock", "warning", "not set since the start, and no battery",
          files={**NO_CLOCK, "/usr/bin/timedatectl": "#!/bin/sh\necho no\n"}),
    Shown("clock", "unknown", "nothing says whether it is set", files={**NO_CLOCK, "/usr/bin/timedatectl": None}),
    Shown("clock", "unknown", "does not say its time of day", files={"/proc/stat": None}),
    Shown("disk", "ok", "20507 MB free at /", files=df(21_000_000)),
    Shown("disk", "warning", "146 MB free at /", files=df(150_000)),
    Shown("disk", "fault", "9 MB free at /: games are not kept", files=df(10_000)),
    Shown("disk", "unknown", "df does not say", files={"/usr/bin/df": None}),
    Shown("disk", "unknown", "df does not say", files={"/usr/bin/df": "#!/bin/sh\necho no such file\nexit 1\n"}),
    # F37
    Shown("journal", "ok", "permanent, on / (ext4)"),
    Shown("journal", "fault", "journal not on permanent storage: / is overlay", files=overlay("")),
    Shown("journal", "ok", "permanent, on /persistent (ext4)", ON_DATA,
          overlay("/dev/mmcblk0p2 /persistent ext4 rw,relatime 0 0\n")),
    Shown("journal", "fault", "journal not on permanent storage: /persistent is overlay", ON_DATA,
          overlay("overlay /persistent overlay rw,lowerdir=/lower/persistent 0 0\n")),
    Shown("journal", "fault", "read-only", files={"/proc/self/mounts": "/dev/mmcblk0p2 / ext4 ro 0 0\n"}),
    Shown("journal", "ok", "permanent", files={f"{STATE}/journal.db": "SQLite format 3\0and more"}),
    Shown("journal", "ok", "permanent", files={f"{STATE}/journal.db": ""}),
    Shown("journal", "fault", "it is no journal", files={f"{STATE}/journal.db": "dear diary"}),
    Shown("journal", "fault", "it is no file", files={f"{STATE}/journal.db/x": ""}),
    Shown("journal", "fault", f"{STATE} is no folder, and none can be made in it", files={STATE: ""}),
    Shown("journal", "unknown", "does not say what lies on which disk", files={"/proc/self/mounts": None}),
    Shown("groups", "ok", "user ann has gpio, video, render, input, audio"),
    Shown("groups", "ok", "user ann has gpio, dialout, video", READER + PLAIN),
    Shown("groups", "ok", "needs none", SIMULATED),
    Shown("groups", "ok", "user root may open everything",
          files={"/proc/self/status": "Uid:\t0\t0\t0\t0\nGid:\t0\t0\t0\t0\nGroups:\t\n"}),
    Shown("groups", "fault", "ann is not in the group gpio", files={**NOBODYS, **NOT_ENTERED}),
    Shown("groups", "fault", "ann is not in the group gpio", files=NOBODYS),
    Shown("groups", "warning", "not in the group audio: the table is silent", files=NOBODYS),
    Shown("groups", "unknown", "does not say which groups", files={"/proc/self/status": None}),
    Shown("groups", "fault", "bar is not in the group gpio", running=at_table(), files={
        "/proc/77/status": "Uid:\t6\t6\t6\t6\nGid:\t6\t6\t6\t6\nGroups:\t\n", "/etc/passwd": "bar:x:6:6::/:/\n"}),
    # the software
    Shown("versions", "ok", f"doubtable {__version__}, Python 3"),
    Shown("versions", "ok", "gpiod 2.2.3, gpiozero 2.0.1, lgpio 0.2.2.0, pygame-ce 2.5.5"),
    Shown("versions", "ok", "pygame-ce", SIMULATED, packages={"gpiod": None, "lgpio": None, "gpiozero": None}),
    Shown("versions", "fault", "gpiod 1.6.3: buttons need libgpiod 2.2", packages={"gpiod": "1.6.3"}),
    Shown("versions", "fault", "gpiod is not installed, or is the one of Debian 12", packages={"gpiod": None}),
    Shown("versions", "fault", "lgpio is the empty release 0.0.0.2", packages={"lgpio": "0.0.0.2"}),
    Shown("versions", "fault", "lgpio is not installed", packages={"lgpio": None}),
    Shown("versions", "fault", "gpiozero 1.5.0", packages={"gpiozero": "1.5.0"}),
    Shown("libraries", "ok", "neither RPi.GPIO nor rpi-lgpio"),
    Shown("libraries", "ok", "RPi.GPIO 0.7.1, so none", packages={"RPi.GPIO": "0.7.1"}),
    Shown("libraries", "fault", "RPi.GPIO 0.7.1 and rpi-lgpio 0.6 are both installed",
          packages={"RPi.GPIO": "0.7.1", "rpi-lgpio": "0.6"}),
    Shown("libraries", "warning", "does not work on a Raspberry Pi 5", packages={"RPi.GPIO": "0.7.1"},
          files={"/proc/device-tree/model": "Raspberry Pi 5 Model B Rev 1.0"}),
    Shown("libraries", "fault", "does not work on a Raspberry Pi 5", RPIGPIO,
          {"/proc/device-tree/model": "Raspberry Pi 500 Rev 1.0"}, {"RPi.GPIO": "0.7.1"}),
    Shown("libraries", "fault", "neither RPi.GPIO nor rpi-lgpio is installed", RPIGPIO),
    Shown("usb", "ok", "nothing hangs on a serial port on USB"),
    Shown("usb", "ok", "nobody takes /dev/serial/by-id/usb-1a86", USB + PLAIN),
    Shown("usb", "warning", "ModemManager runs: it sends AT", USB + PLAIN, {"/proc/300/comm": "ModemManager\n"}),
    Shown("usb", "ok", "the rules keep it away", USB + PLAIN, {
        "/proc/300/comm": "ModemManager\n", "/usr/lib/udev/rules.d/99-doubtable.rules": "#"}),
    Shown("usb", "warning", "brltty runs: it takes CH340", USB + PLAIN, {
        "/proc/300/comm": "brltty\n", "/etc/udev/rules.d/99-doubtable.rules": "#"}),
    Shown("usb", "unknown", "does not say which programs run", USB + PLAIN, {"/proc/1/comm": None}),
    # F40: the chip by its label, wherever it stands
    Shown("chip", "ok", 'gpiochip0 "pinctrl-bcm2711", Raspberry Pi 4: all 6 lines are free'),
    Shown("chip", "ok", "none is needed", SIMULATED),
    Shown("chip", "ok", 'gpiochip4 "pinctrl-rp1", Raspberry Pi 5', files=chips(
        *({**each} for each in HEADER), {"number": 4, "label": "pinctrl-rp1", "lines": 54})),
    Shown("chip", "ok", 'gpiochip0 "pinctrl-rp1"', files=chips(
        {"number": 0, "label": "pinctrl-rp1", "lines": 54},
        *({**each, "number": each["number"] + 10} for each in HEADER))),  # type: ignore[operator]
    Shown("chip", "fault", "not there (found: ", files=chips({"number": 0, "label": "gpio-brcmstb", "lines": 32})),
    Shown("chip", "fault", "this machine has no GPIO chip", files=chips()),
    Shown("chip", "fault", "2 chips have the label", files=chips(
        {"number": 0, "label": "pinctrl-rp1", "lines": 54}, {"number": 1, "label": "pinctrl-rp1", "lines": 54})),
    Shown("chip", "fault", "may not be opened by this user", files=chips({"number": 0, "error": errno.EACCES})),
    Shown("chip", "fault", "input/output error", files=chips({"number": 0, "error": errno.EIO})),
    Shown("chip", "ok", "all 6 lines", files=chips(
        {"number": 0, "label": "pinctrl-bcm2711", "lines": 58}, {"number": 1, "error": errno.ENODEV})),
    Shown("chip", "fault", "has 5 lines, and none of 5 (button of seat 2)",
          files=chips({"number": 0, "label": "pinctrl-bcm2711", "lines": 5})),
    Shown("chip", "fault", 'line 5 (button of seat 2): held already by "spi0 CS0"', files=chips(
        {"number": 0, "label": "pinctrl-bcm2711", "lines": 58, "held": {"5": "spi0 CS0", "19": "fan"}})),
    Shown("chip", "ok", "lines are held by the running table", running=at_table(), files=chips(
        {"number": 0, "label": "pinctrl-bcm2711", "lines": 58, "held": {"5": "doubtable", "22": "lg"}})),
    Shown("chip", "fault", 'held already by "fan"', running=at_table(), files=chips(
        {"number": 0, "label": "pinctrl-bcm2711", "lines": 58, "held": {"5": "doubtable", "22": "fan"}})),
    # decks
    Shown("decks", "ok", "none, and no reader"),
    Shown("decks", "warning", "the reader reads tags, and no tag is a card", READER + PLAIN),
    Shown("decks", "ok", "red: 52 of 52 cards", decks=(whole("red"),)),
    Shown("decks", "warning", "red: 51 of 52 cards: the others", READER + PLAIN, decks=(ONE_CARD_SHORT,)),
    Shown("decks", "ok", "red: 51 of 52 cards; not needed here", decks=(ONE_CARD_SHORT,)),
    Shown("decks", "warning", "red are both in play", decks=(whole("red"), whole("blue", 100))),
    Shown("decks", "ok", "red: 52", decks=(whole("red"), whole("blue", 100, retired=True))),
    Shown("decks", "fault", "retire one of them",
          decks=(Deck("red", 1, {tag(1): Card("A", "S")}), Deck("blue", 1, {tag(1): Card("K", "S")}))),
    Shown("decks", "fault", "is no deck", files={"/var/lib/doubtable/decks/red.json": "{"}),
    # screen and sound
    Shown("screen", "ok", "none: the table is played by its lamps", PLAIN.replace("kmsdrm", "none")),
    Shown("screen", "ok", "HDMI-A-1 1024x600, driver kmsdrm"),
    Shown("screen", "warning", "does not offer 1920x1080", PLAIN.replace("[screen]", '[screen]\nsize = "1920x1080"')),
    Shown("screen", "ok", "1024x600", PLAIN.replace("[screen]", '[screen]\nsize = "800x480"')),
    Shown("screen", "fault", "none is connected (HDMI-A-1, HDMI-A-2)",
          files={"/sys/class/drm/card1-HDMI-A-1/status": "disconnected\n"}),
    Shown("screen", "warning", "none is connected", SIMULATED,
          {"/sys/class/drm/card1-HDMI-A-1/status": "disconnected\n"}),
    Shown("screen", "unknown", "does not say which screens", files={
        "/sys/class/drm/card1-HDMI-A-1/status": None, "/sys/class/drm/card1-HDMI-A-2/status": None}),
    Shown("screen", "ok", "works at the running table", running=RUNS),
    Shown("screen", "fault", "no screen: SDL found only the driver 'offscreen'", running=at_table(  # F33
        DeviceReport("screen", "no screen: SDL found only the driver 'offscreen'; see that it is connected"))),
    Shown("sound", "ok", "USB-Audio - USB Audio Device, volume 70"),
    Shown("sound", "ok", "USB Audio Device, USB Audio, volume 70",
          PLAIN + '[sound]\ndevice = "USB Audio Device, USB Audio"\n'),
    Shown("sound", "warning", '"vc4-hdmi" is not there; there are USB-Audio', PLAIN + '[sound]\ndevice = "vc4-hdmi"\n'),
    Shown("sound", "ok", "muted", PLAIN + "[sound]\nvolume = 0\n"),
    Shown("sound", "warning", "no sound device: the table is silent",
          files={"/proc/asound/cards": "--- no soundcards ---\n"}),
    Shown("sound", "unknown", "does not say which sound devices", files={"/proc/asound/cards": None}),
    # what is configured away
    Shown("panel", "ok", "none is configured"),
    Shown("buttons", "ok", "4 are simulated", SIMULATED),
    Shown("lamps", "ok", "none is wired", SIMULATED),
    Shown("reader", "ok", "none: verdicts are by agreement"),
    Shown("reader", "ok", "simulated: cards are laid on a tray", SIMULATED),
    # F41 and the reader's port
    Shown("reader", "fault", "/dev/serial0: there is no such port", READER + PLAIN, {"/dev/ttyS0": None}),
    Shown("reader", "fault", "there is no such port", USB + PLAIN),
    Shown("reader", "fault", "the system's console writes to it (ttyS0)", READER + PLAIN,
          {"/proc/cmdline": "console=ttyS0,115200 console=tty1\n"}),
    Shown("reader", "warning", "this is the small debug connector", READER + PLAIN, {
        "/proc/device-tree/model": "Raspberry Pi 5 Model B Rev 1.0", "/dev/ttyS0": None}),
]  # fmt: skip


@pytest.fixture(autouse=True)
def _gpiod(monkeypatch: pytest.MonkeyPatch) -> None:
    fake_gpiod(monkeypatch)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.section}-{case.state}-{case.says[:30]}")
def test_a_finding_in_each_of_its_states(case: Shown, tmp_path: Path) -> None:
    machine = FakeMachine(tmp_path, case.files, case.packages)
    for deck in case.decks:
        decks.save(machine.state, deck)
    found = machine.examine(case.table, case.section, running=case.running)
    said = [(each.state, " ".join(each.lines(9))) for each in found]
    assert any(state == case.state and case.says in text for state, text in said), said
    for each in found:
        assert each.name == case.section
        assert bool(each.todo) == (each.state != "ok"), f"whoever is told of trouble is told what to do: {each}"
        assert "\n" not in each.what + each.todo + each.about


def test_a_good_machine_has_no_fault_and_no_warning(tmp_path: Path) -> None:
    machine = FakeMachine(tmp_path, {}, {})
    decks.save(machine.state, whole("red"))
    standing = [name for name in SECTIONS if name not in ("buttons", "lamps", "panel", "reader")]
    found = [each for name in standing for each in machine.examine(PLAIN, name)]
    assert {each.state for each in found} == {"ok"}, [each for each in found if each.state != "ok"]


def test_gpiod_of_generation_1_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_gpiod(monkeypatch, generation=1)
    (found,) = FakeMachine(tmp_path, {}, {}).examine(PLAIN, "chip")
    assert found.state == "fault"
    assert "an older generation with another interface" in found.what


@pytest.mark.parametrize(("mine", "state"), [(True, "fault"), (False, "warning")])
def test_a_folder_that_may_not_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mine: bool, state: str
) -> None:
    machine = FakeMachine(tmp_path, {f"{STATE}/decks/.keep": ""}, {})
    owner = machine.state.stat().st_uid
    monkeypatch.setattr("os.access", lambda path, mode: False)
    monkeypatch.setattr("os.geteuid", lambda: owner if mine else owner + 1)
    (found,) = machine.examine(PLAIN, "journal")
    assert found.state == state
    assert f"{STATE} " in found.what


def test_a_user_who_may_not_look_is_told_so_and_gets_all_findings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A service's state directory is its own: whoever asks without sudo may not even look into it."""
    machine = FakeMachine(tmp_path, {f"{STATE}/decks/.keep": ""}, {})
    stat, iterdir = os.stat, Path.iterdir

    def refuse(path: object) -> None:
        if str(path).startswith(f"{machine.state}/"):
            raise PermissionError(13, "Permission denied", str(path))

    def refusing_stat(path: Any, *args: Any, **more: Any) -> os.stat_result:
        refuse(path)
        return stat(path, *args, **more)

    def refusing_iterdir(path: Path) -> Iterator[Path]:
        refuse(path)
        return iterdir(path)

    monkeypatch.setattr(os, "stat", refusing_stat)
    monkeypatch.setattr(Path, "iterdir", refusing_iterdir)
    standing = [name for name in SECTIONS if name not in ("buttons", "lamps", "panel", "reader")]
    found = {each.name: each for name in standing for each in machine.examine(PLAIN, name)}
    assert found["decks"].state == "unknown"
    assert found["decks"].what == f"{STATE}/decks may not be looked into by this user"
    assert found["disk"].state == "ok"


def test_a_group_that_needs_a_new_login_is_told_so(tmp_path: Path) -> None:
    found = FakeMachine(tmp_path, NOBODYS, {}).examine(PLAIN, "groups")
    assert {each.todo for each in found} == {"log out and in again"}
    found = FakeMachine(tmp_path / "b", {**NOBODYS, **NOT_ENTERED}, {}).examine(PLAIN, "groups")
    assert found[0].todo.startswith("sudo usermod -aG gpio ann")


def literals() -> Iterator[tuple[str, str]]:
    """Every (name, state) that stands as a pair of words in the doctor's own text."""
    for path in Path(doubtable.doctor.__path__[0]).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Finding":
                name, state = node.args[:2]
                if isinstance(name, ast.Constant) and isinstance(state, ast.Constant):
                    yield str(name.value), str(state.value)


def test_no_state_of_a_standing_finding_is_left_out() -> None:
    shown = {(case.section, case.state) for case in CASES}
    live = {"buttons", "lamps", "panel", "reader", "speed"}  # each has a file of its own
    # A picture that somebody looks at, tones that somebody hears: tests/doctor/test_sight.py.
    looked_at = {("screen", "unknown"), ("sound", "unknown")}
    # The tests above: root may look and write everywhere.
    forbidden = {("journal", "fault"), ("journal", "warning"), ("decks", "unknown")}
    missing = {pair for pair in literals() if pair[0] not in live} - shown - looked_at - forbidden
    assert missing == set()
