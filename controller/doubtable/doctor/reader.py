"""The card reader: its port, what it is, whether it reads, and from how far."""

import queue
from collections.abc import Iterator

from doubtable import decks
from doubtable.devices.ports import DeviceError
from doubtable.devices.serial_reader import SerialReader
from doubtable.doctor.case import Case, Running
from doubtable.doctor.ears import DeskEars, Ears, OwnEars
from doubtable.doctor.findings import Finding
from doubtable.doctor.opened import placed, refused, running_device, simulated
from doubtable.doctor.software import FIVE
from doubtable.inputs import Input, Serial
from doubtable.readers import Reader, reader_of
from doubtable.timing import MS, S
from doubtable.wiring import reader_named

TURN = 100 * MS
ANSWERED_WITHIN = 1500 * MS  # a PN532 needs 0.3 s
SHOWN_WITHIN = 60 * S
MEASURED = 2 * S
RUBBISH = 32  # bytes without one frame among them: two frames' worth, more than a start-up's noise

WIRES = "TX to RX and RX to TX, ground, supply, and the reader's level (docs/build/6-reader.md)"
FAR = "no metal within 3 cm, the aerial flat against the lid and not over its board (docs/build/6-reader.md)"


def reader(case: Case) -> Iterator[Finding]:
    """Whether the reader is there and reads cards."""
    config = case.config.reader
    if config.kind == "none":
        yield Finding("reader", "ok", "none: verdicts are by agreement")
        return
    if reader_named(case.config) is None or config.port is None:
        yield simulated(case, "reader", "simulated: cards are laid on a tray in the window")
        return
    at_table = running_device(case, "reader", "start the table anew")
    if at_table is not None:
        yield at_table
        if at_table.state == "ok" and case.person.there and case.running is not None:
            yield from _at_table(case, case.running)
        return
    port = list(_port(case, config.port))
    yield from port
    if all(each.state != "fault" for each in port):
        yield from _tried(case)


def _at_table(case: Case, running: Running) -> Iterator[Finding]:
    trial = Trial(case, DeskEars(running.ask, len(case.config.seats), case.clock))
    try:
        trial.forget()
        yield from trial.show_a_card()
    except DeviceError as error:
        yield refused("reader", error)


def _port(case: Case, port: str) -> Iterator[Finding]:
    """What is known of the port without opening it."""
    machine = case.machine
    five = FIVE.match(machine.text("/proc/device-tree/model") or "")
    if five and port == "/dev/serial0":
        what = "on a Raspberry Pi 5 this is the small debug connector"
        todo = 'for GPIO14 and 15 write port = "/dev/ttyAMA0", and dtparam=uart0=on in /boot/firmware/config.txt'
        yield Finding("reader", "warning", what, todo, port)
    if not machine.exists(port):
        usb = "/by-" in port or "USB" in port or "ACM" in port
        todo = (
            "plug it in; see ls -l /dev/serial/by-id"
            if usb
            else "sudo raspi-config: serial hardware on, login shell off"
        )
        yield Finding("reader", "fault", "there is no such port", todo, port)
        return
    device = machine.resolved(port).name
    consoles = [word for word in (machine.text("/proc/cmdline") or "").split() if word.startswith("console=")]
    if any(word.removeprefix("console=").partition(",")[0] == device for word in consoles):
        todo = "sudo raspi-config, Interface Options, Serial: login shell no, hardware yes; then restart"
        yield Finding("reader", "fault", f"the system's console writes to it ({device})", todo, port)


def _tried(case: Case) -> Iterator[Finding]:
    """Open it, and see what comes."""
    config, kind = placed(case).reader, reader_named(case.config)
    assert config.port is not None
    assert kind is not None
    inbox: queue.SimpleQueue[Input] = queue.SimpleQueue()
    device = SerialReader(kind, config.port, inbox.put, case.clock)
    trial = Trial(case, OwnEars(inbox, None, case.clock))
    try:
        device.start()
        end = case.clock() + ANSWERED_WITHIN
        while case.clock() < end and device.firmware is None:
            case.person.wait(TURN)
            trial.hear()
        if device.fault is not None:
            yield refused("reader", device.fault)
            return
        about = f"{config.kind} at {case.config.reader.port}"
        if device.firmware is not None:
            yield Finding("reader", "ok", device.firmware, about=about)
        elif not case.person.there:
            yield trial.heard(about)
        else:
            yield Finding("reader", "ok", "its port is open", about=about)
        if case.person.there:
            yield from trial.show_a_card()
    finally:
        device.close()


class Trial:
    """Cards on the reader, and what comes of them."""

    def __init__(self, case: Case, ears: Ears) -> None:
        self._case = case
        self._ears = ears
        config = case.config.reader
        self._reader: Reader = reader_of(config.kind, config.raw_checksum)
        self._state = self._reader.start()
        self._lenient = reader_of(config.kind)
        self._clone = self._lenient.start()
        self._clones = 0  # cards that are read only if raw checksums are allowed
        self._bytes = 0
        self._tags: list[str] = []

    def hear(self) -> None:
        """Take what came, and let time pass."""
        for given in self._ears.take():
            if isinstance(given, Serial):
                self._bytes += len(given.data)
                self._state, sightings = self._reader.feed(self._state, given.ns, given.data)
                self._tags += [each.id for each in sightings if each.present]
                self._clone, more = self._lenient.feed(self._clone, given.ns, given.data)
                self._clones += any(each.present for each in more)
        self._state, _ = self._reader.advance(self._state, self._case.clock())

    def forget(self) -> None:
        """What came before does not count."""
        self.hear()
        self._bytes, self._tags, self._clones = 0, [], 0

    def heard(self, about: str) -> Finding:
        """The finding when nobody is there to show a card."""
        if self._tags:
            return Finding("reader", "ok", f"reads: {self._named(self._tags[-1])} lies on it", about=about)
        if self._clones or self._bytes >= RUBBISH:
            return self._rubbish(about)
        what = "its port is open; this kind is silent until a card lies on it, and nobody was asked to show one"
        return Finding("reader", "unknown", what, "at a terminal: doubtable doctor --only reader", about)

    def show_a_card(self) -> Iterator[Finding]:
        """Ask for a card, then for one two centimetres above."""
        case = self._case
        case.person.say("Lay a card on the tray. Enter skips it.")
        self._tags, self._clones, before = [], 0, self._bytes
        end, typed = case.clock() + SHOWN_WITHIN, None
        while case.clock() < end and not self._tags and not self._clones and typed is None:
            typed = case.person.wait(TURN)
            self.hear()
        if not self._tags:
            yield self._nothing(typed is not None, self._bytes - before)
            return
        yield Finding("reader", "ok", f"{self._named(self._tags[-1])} was read", about="a card")
        yield self._range()

    def _nothing(self, skipped: bool, count: int) -> Finding:
        if self._clones or (count >= RUBBISH and self._reader.host() is None):
            return self._rubbish("a card")
        if skipped:
            return Finding("reader", "unknown", "no card was shown", "doubtable doctor --only reader", "a card")
        todo = f"cards of its own kind (125 kHz or 13.56 MHz, never ISO 15693), {WIRES}"
        return Finding("reader", "fault", "no card was read", todo, "a card")

    def _rubbish(self, about: str) -> Finding:
        if self._clones:
            what = "a card was read, but its checksum is one raw byte: this is a clone"
            return Finding("reader", "fault", what, "reader.raw_checksum in table.toml: leave it out", about)
        what = f"{self._bytes} bytes came, and no card among them"
        return Finding("reader", "fault", what, f"`kind` in table.toml, then {WIRES}", about)

    def _range(self) -> Finding:
        case = self._case
        case.person.say("Lift it, then hold it still two fingers (2 cm) above the tray, and press Enter.")
        if case.person.wait(SHOWN_WITHIN) is None:
            return Finding("reader", "unknown", "was not tried", "doubtable doctor --only reader", "range")
        self.hear()
        turns = there = 0
        end = case.clock() + MEASURED
        while case.clock() < end:
            case.person.wait(TURN)
            self.hear()
            turns += 1
            there += self._state.tag is not None
        if there == turns:
            return Finding("reader", "ok", "reads at 2 cm", about="range")
        how = "only now and then at 2 cm" if there else "not at 2 cm"
        return Finding("reader", "warning", f"reads {how}: cards have to be laid down", FAR, "range")

    def _named(self, tag: str) -> str:
        try:
            shelf = decks.shelf(self._case.state)
        except decks.DeckError:
            return f"tag {tag}"
        for deck in shelf:
            if tag in deck.cards:
                return f"tag {tag}, {deck.cards[tag]} of deck {deck.name}{' (retired)' * deck.retired},"
        return f"tag {tag}, of no deck,"
