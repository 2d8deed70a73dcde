"""The conversation with the host: bytes in, bytes out, no port and no clock of its own.

Pure. The panel only answers, and sends events while it is attached: from a host's hello until three seconds without
any frame of the host. Events stay in the outbox until the host confirms them, so a host that stops reading, closes the
port or starts anew loses none that fit.
"""

from panel import protocol
from panel.frames import FrameReader, pack
from panel.outbox import Outbox
from panel.protocol import SAMPLES_PER_FRAME, WRAP

TYPE_CHECKING = False  # MicroPython has no typing; type checkers take this name as true
if TYPE_CHECKING:
    from collections.abc import Callable

    Counters = tuple[int, int, int, int]

SILENCE = 3_000_000  # us without a frame of the host after which it is gone
BEAT = 20_000  # us between two EVENTS frames when nothing happens
LONGEST_FROM_HOST = 32
QUESTIONS = 16  # unanswered ones that are kept; a host that asks faster loses the oldest


class Link:
    """One host at a time. ``lamps`` is what the host wants lit; ``stopped`` that it wants the program to end.

    ``clock`` gives the stamp of this moment. A ping counts as received when its first byte is read: it was sent before,
    and whatever time it then takes to be understood is the panel's and not the line's.
    """

    def __init__(self, outbox: Outbox, session: int, board: bytes, clock: "Callable[[], int]") -> None:
        self.attached = False
        self.lamps = 0
        self.stopped = False
        self._outbox = outbox
        self._session = session
        self._board = board
        self._clock = clock
        self._reader = FrameReader(LONGEST_FROM_HOST)
        self._began = 0  # when the frame that is being read began
        self._heard = 0
        self._beat = 0
        self._answers: list[tuple[int, int, int]] = []  # kind, token, stamp of the question
        self._start_over = False

    @property
    def bad(self) -> int:
        """Pieces of rubbish that were received and dropped."""
        return self._reader.bad

    def feed(self, byte: int) -> bool:
        """One byte of the host; True when half-sent output has to be given up."""
        if byte and self._reader.empty:
            self._began = self._clock()
        frame = self._reader.feed(byte)
        if frame is None:
            return False
        fields = protocol.read(*frame)
        if fields is None:
            return False
        now = self._heard = self._began
        self._answers = self._answers[-QUESTIONS:]
        if not self.attached and frame[0] != protocol.STOP:
            self._attach(now)
            return True
        return self._hear(frame[0], fields, now)

    def poll(self, now: int, upto: int, levels: int, status: "Counters") -> bytes:
        """The next frame, when the last one is out; empty when there is nothing to say.

        ``upto``: every edge up to that stamp is in the outbox. ``levels``: of the pins, read now. ``status``: late
        drains, overwritten words, stalls, longest time between drains (us).
        """
        if self.attached and (now - self._heard) & WRAP > SILENCE:
            self.attached = False
            self.lamps = 0
            self._answers = []
        if not self.attached:
            return b""
        for index, (kind, token, asked) in enumerate(self._answers):
            if kind == protocol.LEVELS and self._outbox.waiting:
                continue  # the levels speak after the edges that led to them
            del self._answers[index]
            return self._answer(kind, token, asked, now, levels, status)
        if self._outbox.waiting or (now - self._beat) & WRAP >= BEAT:
            self._beat = now
            first, last, samples = self._outbox.batch(SAMPLES_PER_FRAME)
            return pack(protocol.EVENTS, protocol.events(first, last if self._outbox.waiting else upto, samples))
        return b""

    def _attach(self, now: int) -> None:
        self.attached = True
        self._beat = now
        self._answers = [(protocol.HELLO, 0, now)]

    def _hear(self, kind: int, fields: "tuple", now: int) -> bool:  # type: ignore[type-arg]
        if kind == protocol.ASK_HELLO:
            self._attach(now)
            return True
        if kind == protocol.STOP:
            self.stopped = fields[0] == protocol.STOP_WORD
        elif kind == protocol.RESUME:
            self._answers.append((protocol.RESUMED, fields[0], self._outbox.rewind(fields[0])))
        elif kind == protocol.PING:
            self._outbox.confirm(fields[1])
            self._answers.append((protocol.PONG, fields[0], now))
        elif kind == protocol.ASK_LEVELS:
            self._answers.append((protocol.LEVELS, fields[0], now))
        elif kind == protocol.LAMPS:
            self.lamps = fields[0]
        elif kind == protocol.ASK_STATUS:
            self._answers.append((protocol.STATUS, 0, now))
        return False

    def _answer(self, kind: int, token: int, asked: int, now: int, levels: int, status: "Counters") -> bytes:
        outbox = self._outbox
        if kind == protocol.HELLO:
            payload = protocol.hello(outbox.capacity, self._session, outbox.following, self._board)
        elif kind == protocol.RESUMED:
            payload = protocol.resumed(token, asked)
        elif kind == protocol.PONG:
            payload = protocol.pong(token, asked, now, outbox.following)
        elif kind == protocol.LEVELS:
            payload = protocol.levels(token, now, levels)
        else:
            payload = protocol.status(outbox.lost, self.bad, *status, outbox.fullest)
        return pack(kind, payload)
