import itertools

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.panel_bench import FIRMWARE, firmware, vectors
from doubtable.devices import panel_protocol as protocol
from doubtable.devices.panel_protocol import Events, FrameReader, Hello, Sample, ahead, frame, message

VECTORS = vectors()
TO_PANEL = {
    "hello?": protocol.ask_hello(),
    "resume": protocol.resume(17),
    "ping": protocol.ping(5, 17),
    "levels?": protocol.ask_levels(9),
    "lamps": protocol.lamps(0x1001),
    "lamps off": protocol.lamps(0),
    "status?": protocol.ask_status(),
    "stop": protocol.stop(),
}


def plain(value: object) -> object:
    """A message's fields as the vectors have them."""
    if isinstance(value, msgspec.Struct):
        return [plain(field) for field in msgspec.structs.astuple(value)]
    if isinstance(value, tuple):
        return [plain(field) for field in value]
    return value.hex() if isinstance(value, bytes) else value


@pytest.mark.parametrize("vector", VECTORS["to_panel"], ids=lambda vector: vector["name"])
def test_frames_to_the_panel(vector: dict[str, str]) -> None:
    assert TO_PANEL[vector["name"]] == bytes.fromhex(vector["frame"])


@pytest.mark.parametrize("vector", VECTORS["to_host"], ids=lambda vector: vector["name"])
def test_frames_from_the_panel(vector: dict[str, object]) -> None:
    ((kind, payload),) = FrameReader().feed(bytes.fromhex(str(vector["frame"])))
    assert kind == vector["kind"]
    assert plain(message(kind, payload)) == vector["fields"]


@pytest.mark.parametrize("vector", VECTORS["no_frames"], ids=lambda vector: vector["name"])
def test_what_is_no_frame_is_counted_once_and_dropped_alone(vector: dict[str, object]) -> None:
    reader = FrameReader()
    good = protocol.ping(1, 1)
    assert len(reader.feed(bytes.fromhex(str(vector["bytes"])) + good)) == 1
    assert reader.bad == vector["bad"]


def test_a_restart_in_mid_line() -> None:
    """A far board that restarted while it spoke: the torn piece is dropped and counted, the next frame is read."""
    torn = bytes.fromhex("70303A2095ED") + b"bumper_front_top.change=0;" + b"\xf6"
    boot = b"I (12) boot: ESP-IDF v4.4 2nd stage bootloader@87\r\n"
    reader = FrameReader()
    assert reader.feed(torn + boot) == []
    ((kind, payload),) = reader.feed(bytes.fromhex(VECTORS["to_host"][2]["frame"]))
    assert isinstance(message(kind, payload), Events)
    assert reader.bad == 1


@given(st.integers(1, 255), st.binary(max_size=240))
def test_both_ends_write_the_same_frame(kind: int, payload: bytes) -> None:
    assert frame(kind, payload) == firmware("frames").pack(kind, payload)


@given(st.lists(st.tuples(st.integers(1, 255), st.binary(max_size=60)), max_size=6), st.data())
def test_frames_come_out_whatever_the_chunks(frames: list[tuple[int, bytes]], data: st.DataObject) -> None:
    stream = b"".join(frame(kind, payload) for kind, payload in frames)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=8)))
    reader = FrameReader()
    chunks = [stream[begin:end] for begin, end in itertools.pairwise([0, *cuts, len(stream)])]
    assert [each for chunk in chunks for each in reader.feed(chunk)] == frames
    assert reader.bad == 0


@given(st.binary(max_size=700))
def test_noise_never_wedges_the_reader(noise: bytes) -> None:
    reader = FrameReader()
    reader.feed(noise)
    assert (0x03, bytes(8)) in reader.feed(frame(0x03, bytes(8)))


@given(st.integers(0, 255), st.binary(max_size=240))
def test_any_payload_is_a_message_or_none(kind: int, payload: bytes) -> None:
    message(kind, payload)


def test_a_payload_that_is_too_long() -> None:
    with pytest.raises(ValueError, match="300 bytes"):
        frame(1, bytes(300))


def test_the_hello_of_another_protocol_still_names_its_firmware() -> None:
    assert message(0x81, bytes([9, 2, 3, 4]) + b"whatever") == Hello(9, (2, 3, 4), 0, 0, 0, 0, b"")
    assert message(0x81, b"\x01\x01") is None


def test_edges_of_a_sample_in_the_order_of_their_numbers() -> None:
    assert Sample(1, 0b0101, 0b0111).edges() == [(0, 1), (1, 0), (2, 1)]


@pytest.mark.parametrize(
    ("number", "of", "difference"),
    [(5, 3, 2), (3, 5, -2), (0, 0, 0), (5, 4294967290, 11), (4294967290, 5, -11), (1 << 31, 0, -(1 << 31))],
)
def test_ahead(number: int, of: int, difference: int) -> None:
    assert ahead(number, of) == difference


@pytest.mark.parametrize("vector", [*VECTORS["to_panel"], *VECTORS["to_host"]], ids=lambda vector: vector["name"])
def test_the_documents_frames_are_these(vector: dict[str, str]) -> None:
    page = (FIRMWARE.parent / "docs" / "panel-protocol.md").read_text()
    assert vector["frame"].upper() in page or len(vector["frame"]) > 200
