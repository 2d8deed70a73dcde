"""Chips are found by label, whatever their number; and what libgpiod's module must be."""

import sys
from collections.abc import Iterator
from types import ModuleType, SimpleNamespace

import pytest

from devices.fake_gpio import EXPANDER, PI4
from doubtable.devices.chips import FoundChip, KernelLines, find_chip, load_gpiod
from doubtable.devices.kernel_edges import LineEdge
from doubtable.devices.ports import DeviceError

HEADER = FoundChip("/dev/gpiochip4", "pinctrl-rp1", 54)
BRCM = [FoundChip(f"/dev/gpiochip{n}", "gpio-brcmstb@107d508500", 32) for n in (0, 1, 2, 3, 10, 11, 12, 13)]


@pytest.mark.parametrize(
    ("found", "label", "number"),
    [
        pytest.param([*BRCM[:4], HEADER], "pinctrl-rp1", 4, id="Pi 5, older kernel"),
        pytest.param([HEADER._replace(path="/dev/gpiochip0"), *BRCM[4:]], "pinctrl-rp1", 0, id="Pi 5, newer kernel"),
        pytest.param([PI4, EXPANDER], "pinctrl-bcm2711", 0, id="Pi 4"),
        pytest.param([EXPANDER, PI4._replace(path="/dev/gpiochip12")], "pinctrl-bcm2711", 12, id="two digits"),
    ],
)
def test_the_label_decides_and_not_the_number(found: list[FoundChip], label: str, number: int) -> None:
    assert find_chip(found, [label]).number == number


def test_a_label_that_is_not_there_is_a_fault_that_lists_what_is() -> None:
    with pytest.raises(DeviceError) as caught:
        find_chip([PI4, EXPANDER], ["pinctrl-rp1"])
    assert str(caught.value) == (
        'GPIO chip "pinctrl-rp1": not there (found: /dev/gpiochip0 "pinctrl-bcm2711" (58 lines), '
        '/dev/gpiochip1 "raspberrypi-exp-gpio" (8 lines)); name one of these by its label, or by its path'
    )


def test_labels_are_looked_for_in_their_order() -> None:
    later_first = find_chip([PI4, HEADER], ["pinctrl-rp1", "pinctrl-bcm2711"])
    assert later_first == HEADER
    assert find_chip([PI4], ["pinctrl-rp1", "pinctrl-bcm2711"]) == PI4
    with pytest.raises(DeviceError, match='GPIO chip "pinctrl-rp1" or "pinctrl-bcm2835": not there'):
        find_chip([PI4], ["pinctrl-rp1", "pinctrl-bcm2835"])


def test_two_chips_of_one_label_are_not_guessed_between() -> None:
    with pytest.raises(DeviceError, match=r"2 chips have the label .*gpiochip0.*gpiochip1.*; name one by its path"):
        find_chip(BRCM[:2], ["gpio-brcmstb@107d508500"])


def test_a_path_overrides_the_label() -> None:
    assert find_chip(BRCM, ["pinctrl-rp1"], "/dev/gpiochip2") == BRCM[2]


def test_a_path_that_is_not_there() -> None:
    with pytest.raises(DeviceError, match=r"GPIO chip /dev/gpiochip7: not there \(found: /dev/gpiochip0"):
        find_chip([PI4], ["pinctrl-bcm2711"], "/dev/gpiochip7")


def test_a_machine_without_gpio_is_told_how_to_play() -> None:
    with pytest.raises(DeviceError, match='this machine has no GPIO chip; play without hardware: source = "simulated"'):
        find_chip([], ["pinctrl-rp1"])


def test_a_path_without_a_number_cannot_be_given_to_lgpio() -> None:
    with pytest.raises(DeviceError, match=r"GPIO chip /dev/null: has no number"):
        _ = FoundChip("/dev/null", "x", 1).number


@pytest.fixture
def module_named_gpiod() -> Iterator[ModuleType]:
    real = sys.modules.get("gpiod")
    fake = sys.modules["gpiod"] = ModuleType("gpiod")
    yield fake
    del sys.modules["gpiod"]
    if real is not None:
        sys.modules["gpiod"] = real


def test_generation_1_of_libgpiod_is_refused_with_the_way_out(module_named_gpiod: ModuleType) -> None:
    module_named_gpiod.version_string = lambda: "1.6.3"  # type: ignore[attr-defined]
    with pytest.raises(DeviceError, match=r"gpiod is 1\.6\.3, an older generation .*; install libgpiod 2 for Python"):
        load_gpiod()


def test_a_missing_gpiod_is_named_with_its_cause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gpiod", None)  # what an import that fails looks like
    with pytest.raises(DeviceError, match=r"the Python module gpiod cannot be loaded .*; install libgpiod 2"):
        load_gpiod()


RISING, FALLING = object(), object()


class Request:
    """libgpiod's request object as far as it is used."""

    offsets = (4, 17)
    most = 0
    released = False

    def wait_edge_events(self, timeout: float) -> bool:
        return timeout == 0.25

    def read_edge_events(self, max_events: int) -> list[SimpleNamespace]:
        self.most = max_events
        first = SimpleNamespace(timestamp_ns=1004, line_offset=17, event_type=RISING, global_seqno=7)
        return [first, SimpleNamespace(timestamp_ns=1003, line_offset=4, event_type=FALLING, global_seqno=8)]

    def get_values(self) -> list[SimpleNamespace]:
        return [SimpleNamespace(value=0), SimpleNamespace(value=1)]

    def release(self) -> None:
        self.released = True


def test_a_request_of_libgpiod_becomes_edges_and_levels_by_line() -> None:
    request = Request()
    lines = KernelLines(request, RISING)
    assert lines.wait(0.25)
    assert lines.read() == [LineEdge(1004, 17, 1, 7), LineEdge(1003, 4, 0, 8)]
    assert request.most == 1024
    assert lines.levels() == {4: 0, 17: 1}
    lines.close()
    assert request.released
