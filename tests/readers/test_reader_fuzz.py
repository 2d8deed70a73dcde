"""Long damaged streams: no wrong id, no wedge, and the good frame after the damage is always read.

200,000 bytes per reader; DOUBTABLE_LONG=1 makes it 10,000,000. The seeds are fixed.
"""

import random
from collections.abc import Callable

import pytest

from doubtable.readers import READERS, Reader
from doubtable.readers.rdm6300 import rdm6300
from readers.reader_streams import (
    FUZZ_BYTES,
    cut,
    em4100_truth,
    line,
    listing,
    pn532,
    pn532_extended,
    pn532_truth,
    raw,
    rdm,
)

Maker = Callable[[random.Random], tuple[str, bytes]]
TELLING = b"\x00\x00\xff\xff\xd5\x4b\x01\x02\x03\x04\x0d\x0a\x7f0123456789ABCDEF"


def em4100(*kinds: Callable[[str], bytes]) -> Maker:
    def make(rng: random.Random) -> tuple[str, bytes]:
        tag = f"{rng.getrandbits(40):010X}"
        return tag, rng.choice(kinds)(tag)

    return make


def nfc(rng: random.Random) -> tuple[str, bytes]:
    uid = rng.randbytes(rng.choice([4, 7, 10])).hex().upper()
    body = listing(uid, rng.randbytes(rng.randint(1, 12)) if rng.random() < 0.3 else b"")
    return uid, rng.choice([pn532, pn532_extended])(body)


def damage(rng: random.Random, make: Maker) -> bytes:
    """Noise, or a frame with one fault or two."""
    _, frame = make(rng)
    at = rng.randrange(len(frame))
    before, byte, after = frame[:at], frame[at : at + 1], frame[at + 1 :]
    faults = [
        rng.randbytes(rng.randint(0, 40)),
        bytes(rng.choices(TELLING, k=rng.randint(0, 40))),
        before,
        after,
        before + after,
        before + byte + byte + after,
        before + bytes([byte[0] ^ 1 << rng.randrange(8)]) + after,
        before + rng.randbytes(rng.randint(1, 5)) + byte + after,
        before + make(rng)[1][rng.randrange(at + 1) :],
        bytes(byte ^ 0x80 for byte in frame),
    ]
    return rng.choice(faults)


@pytest.mark.parametrize(
    ("reader", "make", "truth", "longest", "seed"),
    [
        pytest.param(READERS["rdm6300"], em4100(rdm), em4100_truth, 16, 1, id="rdm6300"),
        pytest.param(READERS["rdm6300"], em4100(raw), em4100_truth, 16, 2, id="raw-checksum clone"),
        pytest.param(rdm6300(raw_checksum=False), em4100(rdm), em4100_truth, 16, 3, id="rdm6300 without clones"),
        pytest.param(READERS["id12"], em4100(line), em4100_truth, 16, 4, id="id12"),
        pytest.param(READERS["pn532"], nfc, pn532_truth, 280, 5, id="pn532"),
    ],
)
def test_no_wrong_id_no_wedge_and_the_next_good_frame_is_read(
    reader: Reader, make: Maker, truth: Callable[[bytes], set[str]], longest: int, seed: int
) -> None:
    rng = random.Random(seed)
    state, ns, fed, tail = reader.start(), 0, 0, b""
    while fed < FUZZ_BYTES:
        tag, good = make(rng)
        stream = b"".join(damage(rng, make) for _ in range(rng.randint(0, 3))) + good
        seen = []
        for chunk in cut(rng, stream, rng.choice([1, 3, 20, 400])):
            ns += rng.randint(0, 2_000_000)
            state, said = reader.feed(state, ns, chunk)
            seen += [sighting.id for sighting in said if sighting.present]
            assert len(state.buffer) < longest
        assert seen[-1:] == [tag], f"after {fed} bytes: {stream.hex(' ')}"
        assert set(seen) <= truth(tail + stream), f"after {fed} bytes: {stream.hex(' ')}"
        fed += len(stream)
        tail = stream[-longest:]


@pytest.mark.parametrize("kind", sorted(READERS))
def test_pure_noise_is_never_an_id(kind: str) -> None:
    rng = random.Random(9)
    reader = READERS[kind]
    state = reader.start()
    for n in range(FUZZ_BYTES // 500):
        state, said = reader.feed(state, n * 1_000_000, rng.randbytes(500))
        assert said == ()
