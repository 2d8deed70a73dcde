"""PN532 on its high-speed UART, 115200 8N1: sightings out of what it answers to the host that polls it."""

import msgspec

from doubtable.readers.pn532_frames import listed, scan
from doubtable.readers.pn532_host import Pn532Host
from doubtable.readers.presence import ReaderState, Sighting, Step, begun, heard, missed, seen


class Pn532(msgspec.Struct, frozen=True):
    """The listening side: sightings out of what the reader answers to whoever asks it."""

    name: str = "pn532"
    baud: int = 115_200

    def host(self) -> Pn532Host:
        return Pn532Host()

    def start(self) -> ReaderState:
        return ReaderState()

    def due(self, state: ReaderState) -> int | None:
        return None  # only answers say that a tag is gone

    def advance(self, state: ReaderState, ns: int) -> Step:
        return state, ()

    def feed(self, state: ReaderState, ns: int, data: bytes) -> Step:
        frames, rest = scan(begun(state, ns) + data)
        state = heard(state, ns, rest)
        sightings: tuple[Sighting, ...] = ()
        for frame in frames:
            answer = listed(frame.body)
            if answer is not None:
                state, came = seen(state, ns, answer[1], None) if answer[0] else missed(state, ns)
                sightings += came
        return state, sightings
