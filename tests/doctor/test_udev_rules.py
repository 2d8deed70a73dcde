"""The udev rules: what they do to a reader's adapter, to the panel, and to what is no concern of theirs.

A small reading of udev's language (matches, assignments, GOTO) is enough for our own file; udevadm checks its form
where it is there.
"""

import re
import shutil
import subprocess
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

RULES = Path(__file__).parents[2] / "deploy" / "udev" / "99-doubtable.rules"
PAIR = re.compile(r'([A-Z]+(?:\{\w+\})?)(==|!=|\+=|=)"([^"]*)"(?:, |$)')

Device = dict[str, str]

CH340 = {"ACTION": "add", "SUBSYSTEM": "usb", "ENV{DEVTYPE}": "usb_device", "ATTR{idVendor}": "1a86",
         "ATTR{idProduct}": "7523"}  # fmt: skip
# As brltty's rules leave it: they ask for a program by systemd.
CLAIMED = CH340 | {"ENV{BRLTTY_BRAILLE_DRIVER}": "bm", "ENV{SYSTEMD_WANTS}": "brltty-udev.service"}


def tty(vendor: str) -> Device:
    return {"ACTION": "add", "SUBSYSTEM": "tty", "SUBSYSTEMS": "usb", "ATTRS{idVendor}": vendor}


def rules() -> list[list[tuple[str, str, str]]]:
    """The lines as (key, operator, value), read whole or not at all."""
    read = []
    for line in RULES.read_text().splitlines():
        if line and not line.startswith("#"):
            pairs = PAIR.findall(line)
            assert "".join(f'{key}{operator}"{value}"' for key, operator, value in pairs) == line.replace(", ", "")
            read.append(pairs)
    return read


def after(device: Device) -> Device:
    """The device's properties after the rules."""
    device, label = dict(device), ""
    for pairs in rules():
        given = {key: value for key, operator, value in pairs if operator == "="}
        if label:
            label = "" if given.get("LABEL") == label else label
            continue
        fits = [
            any(fnmatchcase(device.get(key, ""), each) for each in value.split("|")) == (operator == "==")
            for key, operator, value in pairs
            if operator in ("==", "!=")
        ]
        if all(fits):
            label = given.get("GOTO", "")
            device |= {key: value for key, value in given.items() if key.startswith("ENV")}
    assert label == "", f"no LABEL {label}"
    return device


@pytest.mark.parametrize(
    ("vendor", "product"),
    [("1a86", "7523"), ("1a86", "5523"), ("10c4", "ea60"), ("0403", "6001"), ("0403", "6015"), ("2e8a", "0005")],
)
def test_adapters_and_panel_are_kept_from_brltty_and_modem_manager(vendor: str, product: str) -> None:
    seen = after(CLAIMED | {"ATTR{idVendor}": vendor, "ATTR{idProduct}": product})
    assert seen["ENV{ID_MM_DEVICE_IGNORE}"] == "1"
    assert seen["ENV{SYSTEMD_WANTS}"] == ""


@pytest.mark.parametrize("vendor", ["1a86", "10c4", "0403", "2e8a"])
def test_their_ports_are_kept_from_modem_manager(vendor: str) -> None:
    seen = after(tty(vendor))
    assert (seen["ENV{ID_MM_DEVICE_IGNORE}"], seen["ENV{ID_MM_PORT_IGNORE}"]) == ("1", "1")


def test_what_something_else_wants_of_an_adapter_stays() -> None:
    wanted = CH340 | {"ENV{SYSTEMD_WANTS}": "mine.service"}
    assert after(wanted)["ENV{SYSTEMD_WANTS}"] == "mine.service"


@pytest.mark.parametrize(
    "device",
    [
        CLAIMED | {"ATTR{idVendor}": "0904", "ATTR{idProduct}": "2000"},  # a Braille display
        CLAIMED | {"ATTR{idVendor}": "0403", "ATTR{idProduct}": "fe72"},  # one with FTDI's number
        CLAIMED | {"ACTION": "remove"},
        tty("12d1"),  # a modem
        tty("1a86") | {"ACTION": "remove"},
        {"ACTION": "add", "SUBSYSTEM": "input"},
    ],
)
def test_everything_else_is_left_alone(device: Device) -> None:
    assert after(device) == device


def test_udevadm_finds_no_fault() -> None:
    udevadm = shutil.which("udevadm")
    if udevadm is None:
        pytest.skip("udevadm is missing (Debian package udev)")
    ran = subprocess.run([udevadm, "verify", RULES], capture_output=True, text=True, check=False)
    if "Unknown command" in ran.stderr or "unknown" in ran.stderr.lower():
        pytest.skip("udevadm verify is missing (systemd 254 or newer, Debian 13)")
    assert ran.returncode == 0, ran.stdout + ran.stderr
