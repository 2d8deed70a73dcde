"""The conversation with a panel: bytes and time in, inputs and bytes out, no port.

States, and what leads from one to the next:

    lost      -- port opened -->            greeting     asks "who are you" every 500 ms
    greeting  -- Hello it can work with --> measuring    eight pings, each after the answer to the last
    measuring -- clock fitted -->           reading      only for a panel that has started since: asks for the levels
    reading   -- LevelsRead -->             resuming     Levels delivered; asks for the events
    measuring -- clock fitted -->           resuming     a panel that it knows: asks for the events it has not seen
    resuming  -- Resumed, then Events -->   up           events are delivered, pings go on, the clock is refitted
    any       -- silence, jump of a clock, a Hello of another start --> greeting
    any       -- port lost -->              lost

Leaving ``up`` delivers Source(up=False); coming back Source(up=True) first of all. Not thread-safe.
"""

from collections.abc import Callable, Mapping
from enum import Enum

from doubtable.devices import panel_protocol as protocol
from doubtable.devices.panel_clock import OWN, REFIT, PanelClock
from doubtable.devices.panel_protocol import WRAP, Events, Hello, LevelsRead, Pong, Resumed, Status, ahead
from doubtable.inputs import Edge, Input, Levels, Source
from doubtable.timing import MS, S

SILENCE = 500 * MS  # without a frame: the panel is lost
ASK_AGAIN = 500 * MS  # from one unanswered question to the next
REVIVE = 3 * S  # without an answer to the greeting: the program may have ended
REVIVAL = b"\r\x03\x03\x02\x04"  # MicroPython: interrupt, plain prompt, soft reset, which starts the program anew
RESUME_AGAIN = 100 * MS
PING_EVERY = 250 * MS
FIRST_PINGS = 8
UNCONFIRMED = 200  # edges after which a ping comes early: the panel keeps what is not confirmed
PROMPT = b">>> "


class State(Enum):
    LOST = "lost"
    GREETING = "greeting"
    MEASURING = "measuring"
    READING = "reading"
    RESUMING = "resuming"
    UP = "up"


class PanelSession:
    """``lines``: seat -> line of the panel. ``mixed``: another source presses at the same table.

    ``problem`` says what is wrong and what to do, as (what, way out), or None.
    """

    name = "panel"

    def __init__(self, lines: Mapping[int, int], deliver: Callable[[Input], None], *, mixed: bool = False) -> None:
        self.state = State.LOST
        self.problem: tuple[str, str] | None = ("is not there", "plug it in")
        self.hello: Hello | None = None
        self.status: Status | None = None
        self.clock = PanelClock()
        self.drained = 0  # ns
        self.trip = 0  # ns, the newest round trip
        self.lost = 0  # edges
        self._lines = dict(lines)
        self._seat_of = {line: seat for seat, line in lines.items()}
        self._deliver = deliver
        self._mixed = mixed
        self._reader = protocol.FrameReader()
        self._out = bytearray()
        self._tail = b""
        self._heard = 0
        self._greeting_since = 0
        self._next_ask = 0
        self._next_ping = 0
        self._next_fit = 0
        self._pings: dict[int, int] = {}  # token -> ns when sent
        self._token = 0
        self._pings_left = 0
        self._expected = 0
        self._confirmed = 0
        self._known = False  # whether ``expected`` and the clock are of this start of the panel
        self._seq = 0
        self._resumed = False  # whether the panel has said where its events begin
        self._hole = False  # edges are lost and no later one has told it
        self._levels_from = 0
        self._announced = True  # whether the last Source delivered was up; at the start none is needed
        self._lamps = 0

    @property
    def uncertainty(self) -> int:
        """ns: among its own seats 1 us; at a mixed table that of its stamps against the other source's too."""
        return OWN + self.clock.uncertainty if self._mixed and self.clock.fitted else OWN

    @property
    def bad(self) -> int:
        """Pieces of rubbish received and dropped."""
        return self._reader.bad

    def opened(self, now: int) -> None:
        """The port is open."""
        self._reader = protocol.FrameReader()
        self._out.clear()
        self._tail = b""
        self._greet(now)
        self.problem = ("does not answer", "if it stays so, unplug it and plug it in again")

    def closed(self, now: int, what: str, way_out: str) -> None:
        """The port is gone, or could not be opened."""
        self._say_down(now)
        self.state = State.LOST
        self.problem = (what, way_out)
        self._out.clear()

    def output(self) -> bytes:
        """What is to be written now."""
        out = bytes(self._out)
        self._out.clear()
        return out

    def read_levels(self) -> None:
        """Asks for the levels; they are delivered when they come. Nothing while the panel is lost."""
        if self.state is State.UP:
            self._token += 1
            self._out += protocol.ask_levels(self._token)

    def ask_status(self) -> None:
        """Asks for the counters; they stand in ``status`` when they come."""
        self._out += protocol.ask_status()

    def show(self, lamps: int) -> None:
        """These lamps on, one bit an output; kept for a panel that is away."""
        self._lamps = lamps
        if self.state is State.UP:
            self._out += protocol.lamps(lamps)

    def feed(self, data: bytes, now: int) -> None:
        """Bytes that were read at ``now``."""
        self._tail = (self._tail + data)[-len(PROMPT) :]
        for kind, payload in self._reader.feed(data):
            message = protocol.message(kind, payload)
            if message is not None:
                self._heard = now
                self._take(message, now)
        if self.state is State.GREETING and self._tail == PROMPT:
            self.problem = ("runs MicroPython but not the panel's program", "run: doubtable panel flash")

    def tick(self, now: int) -> None:
        """Time has passed."""
        if self.state is State.LOST:
            return
        if self.state is State.GREETING:
            self._knock(now)
        elif now - self._heard > SILENCE:
            self.problem = ("fell silent", "if it stays so, unplug it and plug it in again")
            self._greet(now)
        elif self.state is State.UP and now >= self._next_ping:
            self._next_ping = now + PING_EVERY
            self._ping(now)
        elif self.state is not State.UP and now >= self._next_ask:
            self._ask(now)

    # --- from state to state

    def _greet(self, now: int) -> None:
        self._say_down(now)
        self.state = State.GREETING
        self._resumed = False
        self._greeting_since = self._next_ask = now
        self._pings.clear()

    def _knock(self, now: int) -> None:
        if now < self._next_ask:
            return
        if now - self._greeting_since >= REVIVE:
            self._greeting_since = now
            self._out += REVIVAL
        self._next_ask = now + ASK_AGAIN
        self._out += protocol.ask_hello()

    def _ask(self, now: int) -> None:
        """Says again what the state waits for."""
        self._next_ask = now + ASK_AGAIN
        if self.state is State.MEASURING:
            self._ping(now)
        elif self.state is State.READING:
            self._token += 1
            self._out += protocol.ask_levels(self._token)
        elif self.state is State.RESUMING:
            self._out += protocol.resume(self._expected)

    def _enter(self, state: State, now: int) -> None:
        self.state = state
        self._ask(now)

    def _take(self, message: protocol.Message, now: int) -> None:
        match message:
            case Hello():
                self._meet(message, now)
            case Pong() if message.token in self._pings:
                self._measure(message, now)
            case LevelsRead() if self.state in (State.READING, State.UP):
                self._take_levels(message, now)
            case Resumed() if self.state in (State.RESUMING, State.UP) and message.asked == self._expected:
                self._resume(message, now)
            case Events() if self.state is State.UP or (self.state is State.RESUMING and self._resumed):
                self._take_events(message, now)
            case Status():
                self.status = message

    def _meet(self, hello: Hello, now: int) -> None:
        if hello.protocol != protocol.PROTOCOL or hello.firmware < protocol.MINIMUM_FIRMWARE:
            self._greet(now)
            self._next_ask = now + ASK_AGAIN
            self.problem = (
                f"has firmware {hello.version}, which speaks protocol {hello.protocol}; this program speaks "
                f"{protocol.PROTOCOL}, from firmware {'.'.join(map(str, protocol.MINIMUM_FIRMWARE))} on",
                "run: doubtable panel flash",
            )
            return
        if self.state is not State.GREETING and self.hello is not None and hello.session == self.hello.session:
            # A question asked twice, or it had not heard us for so long that it put the lamps out.
            self._out += protocol.lamps(self._lamps) if self.state is State.UP else b""
            return
        if self.hello is None or hello.session != self.hello.session:
            if self.state is State.UP:
                self.problem = ("was started anew", "nothing to do: it is measured anew")
            self._known = False
            self.clock = PanelClock()
        self._greet(now)
        self.hello = hello
        self._pings_left = FIRST_PINGS
        self._enter(State.MEASURING, now)

    def _ping(self, now: int) -> None:
        self._token += 1
        self._confirmed = self._expected
        self._pings[self._token % WRAP] = now
        while len(self._pings) > FIRST_PINGS:
            del self._pings[next(iter(self._pings))]
        self._out += protocol.ping(self._token, self._expected)

    def _measure(self, pong: Pong, now: int) -> None:
        sent = self._pings.pop(pong.token)
        received = self.clock.unwrap(pong.received)
        self.trip = self.clock.measure(sent, received, self.clock.unwrap(pong.sent), now)
        if self.state is State.MEASURING:
            self._pings_left -= 1
            if self._pings_left > 0:
                self._ask(now)
                return
            if self._fit(now):
                self._enter(State.RESUMING if self._known else State.READING, now)
        elif self.state is State.UP and now >= self._next_fit:
            self._fit(now)

    def _fit(self, now: int) -> bool:
        self._next_fit = now + REFIT
        if not self.clock.jumped:
            self.clock.refit()
            return True
        self.problem = ("clock jumped", "nothing to do: it is measured anew")
        self.clock = PanelClock()
        self._known = False
        self._greet(now)
        return False

    def _resume(self, resumed: Resumed, now: int) -> None:
        missing = ahead(resumed.begins, self._expected)
        if missing > 0:
            self.lost += missing
            self._seq += missing
        self._expected = resumed.begins
        if self.state is State.UP:
            self._hole |= missing > 0
            return
        self._hole = False  # a source that comes back tells of itself that something may be missing
        self._resumed = True

    def _come_up(self, now: int) -> None:
        self.state = State.UP
        self.problem = None
        self._next_ask = self._next_ping = now
        self._out += protocol.lamps(self._lamps)
        if self._known:
            self._say_up(now)
            self.read_levels()
        self._known = True

    # --- what the core is told

    def _take_levels(self, read: LevelsRead, now: int) -> None:
        us = self.clock.unwrap(read.us)
        if self.state is State.READING:
            assert self.hello is not None
            self._expected = self.hello.following
            self._levels_from = us
            self._say_up(now)
            self._enter(State.RESUMING, now)
        self._deliver(Levels(self.clock.ns(us), {seat: read.levels >> line & 1 for seat, line in self._lines.items()}))

    def _take_events(self, events: Events, now: int) -> None:
        distance = ahead(events.first, self._expected)
        if distance < 0:
            return  # seen before
        if distance > 0:
            if now >= self._next_ask:
                self._next_ask = now + RESUME_AGAIN
                self._out += protocol.resume(self._expected)
            return
        if self.state is not State.UP:
            self._come_up(now)
        told = False
        for sample in events.samples:
            told |= self._take_sample(sample)
        if self._hole and not told:
            # Nothing followed that could show the hole in the numbers: a source that goes and comes does.
            self._say_down(now)
            self._say_up(now)
            self.read_levels()
        self._hole = False
        if ahead(self._expected, self._confirmed) > UNCONFIRMED:
            self._ping(now)
        self.drained = max(self.drained, self.clock.ns(self.clock.unwrap(events.upto)))

    def _take_sample(self, sample: protocol.Sample) -> bool:
        edges = sample.edges()
        self._expected = (self._expected + len(edges)) % WRAP
        us = self.clock.unwrap(sample.us)
        ours = [(self._seat_of[line], level) for line, level in edges if line in self._seat_of]
        if us <= self._levels_from:
            return False  # before the levels with which this start of the panel began
        for seat, level in ours:
            self._seq += 1
            self._deliver(Edge(self.clock.ns(us), seat, level, self.name, self._seq, self.uncertainty))
        return bool(ours)

    def _say_down(self, now: int) -> None:
        if self.state is State.UP and self._announced:
            self._announced = False
            self._deliver(Source(now, self.name, up=False))

    def _say_up(self, now: int) -> None:
        if not self._announced:
            self._announced = True
            self._deliver(Source(now, self.name, up=True, uncertainty=self.uncertainty))
