"""Machines made of files, for the doctor: /sys, /proc, /dev, /etc and programs below one folder."""

import json
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Self

import pytest

from doubtable.config import Config, load
from doubtable.doctor import Case, Finding, Machine, Nobody, Person, Running, examine
from doubtable.house_rules import check_options

PACKAGES = sysconfig.get_paths()["purelib"]

# A Raspberry Pi 4 on which a table for three runs well.
PI4: Mapping[str, str] = {
    "/proc/device-tree/model": "Raspberry Pi 4 Model B Rev 1.4\0",
    "/proc/sys/kernel/osrelease": "6.12.47+rpt-rpi-v8\n",
    "/proc/stat": "cpu 1 2 3\nbtime 1790000000\n",
    "/proc/uptime": "3600.12 7000.00\n",
    "/proc/self/status": "Name:\tdoubtable\nUid:\t1000\t1000\t1000\t1000\nGid:\t1000\t1000\t1000\t1000\n"
    "Groups:\t20 29 44 105 106 986 1000 \n",
    "/proc/self/mounts": "/dev/mmcblk0p2 / ext4 rw,noatime 0 0\n",
    "/proc/cmdline": "console=tty1 root=PARTUUID=4-02 rootfstype=ext4\n",
    "/proc/1/comm": "systemd\n",
    "/proc/asound/cards": " 0 [Device         ]: USB-Audio - USB Audio Device\n"
    "                      C-Media USB Audio Device at usb-1\n",
    "/etc/passwd": "root:x:0:0::/root:/bin/sh\nann:x:1000:1000::/home/ann:/bin/sh\n",
    "/etc/group": "root:x:0:\ndialout:x:20:ann\naudio:x:29:ann\nvideo:x:44:ann\nrender:x:105:ann\ninput:x:106:ann\n"
    "gpio:x:986:ann\nann:x:1000:\n",
    "/sys/class/drm/card1-HDMI-A-1/status": "connected\n",
    "/sys/class/drm/card1-HDMI-A-1/modes": "1024x600\n1024x600\n800x480\n",
    "/sys/class/drm/card1-HDMI-A-2/status": "disconnected\n",
    "/sys/class/drm/card1-HDMI-A-2/modes": "",
    "/sys/class/rtc/rtc0/name": "rtc-ds1307 1-0068\n",
    "/dev/gpiochip0": json.dumps({"label": "pinctrl-bcm2711", "lines": 58}),
    "/dev/gpiochip1": json.dumps({"label": "raspberrypi-exp-gpio", "lines": 8}),
    "/dev/ttyS0": "",
    "/usr/bin/vcgencmd": "#!/bin/sh\necho throttled=0x0\n",
    "/usr/bin/timedatectl": "#!/bin/sh\necho yes\n",
    "/usr/bin/df": "#!/bin/sh\necho head\necho /dev/mmcblk0p2 30000000 9000000 21000000 30% /\n",
}
PI4_PACKAGES = {"gpiod": "2.2.3", "gpiozero": "2.0.1", "lgpio": "0.2.2.0", "pygame-ce": "2.5.5", "pyserial": "3.5"}

GPIO = """
[buttons]
source = "gpio"
[screen]
driver = "kmsdrm"
[seats.1]
name = "Ann"
button = 4
lamp = 22
[seats.2]
button = 5
lamp = 23
[seats.3]
button = 6
lamp = 24
"""
STATE = "/var/lib/doubtable"
READER = '[reader]\nkind = "rdm6300"\nport = "/dev/serial0"\n'


class FakeMachine:
    """A folder that is a machine. ``files`` change PI4's: a text, or None for a file that is not there."""

    def __init__(self, root: Path, files: Mapping[str, str | None], packages: Mapping[str, str | None]) -> None:
        self.root = root
        for path, text in {**PI4, **files}.items():
            if text is not None:
                self.write(path, text)
        for name, version in {**PI4_PACKAGES, **packages}.items():
            if version is not None:
                metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
                self.write(f"{PACKAGES}/{name.replace('-', '_')}-{version}.dist-info/METADATA", metadata)
        if (root / "dev/ttyS0").exists():
            (root / "dev/serial0").symlink_to("ttyS0")

    def write(self, path: str, text: str) -> None:
        place = self.root / path.lstrip("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
        if "/bin/" in path:
            place.chmod(0o755)

    @property
    def state(self) -> Path:
        """The table's state directory."""
        return self.root / STATE.lstrip("/")

    def config(self, text: str) -> Config:
        """The table.toml ``text``."""
        path = self.root / "table.toml"
        path.write_text(f'state = "{STATE}"\n{text}')
        return load(path, check_options)

    def examine(
        self, text: str, only: str, person: Person | None = None, running: Running | None = None
    ) -> list[Finding]:
        """The findings of one section for the table of ``text``."""
        machine = Machine(self.root, {})
        return list(examine(Case(self.config(text), machine, person or Nobody(lambda s: None), running), [only]))


class FakeChip:
    """What gpiod.Chip is, on a fake machine: its facts stand in the node."""

    def __init__(self, path: str) -> None:
        self._facts: dict[str, Any] = json.loads(Path(path).read_text() or "{}")
        if "error" in self._facts:
            raise OSError(self._facts["error"], "as the test wants it")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is open."""

    def get_info(self) -> SimpleNamespace:
        return SimpleNamespace(label=self._facts["label"], num_lines=self._facts["lines"])

    def get_line_info(self, line: int) -> SimpleNamespace:
        holder = self._facts.get("held", {}).get(str(line))
        return SimpleNamespace(offset=line, used=holder is not None, consumer=holder)


def fake_gpiod(monkeypatch: pytest.MonkeyPatch, generation: int = 2) -> None:
    """libgpiod's Python module, reading fake nodes."""
    module = SimpleNamespace(Chip=FakeChip, version_string=lambda: "1.6.3")
    if generation == 2:
        module.LineSettings = object
    monkeypatch.setitem(sys.modules, "gpiod", module)
