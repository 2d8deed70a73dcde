"""Plays the sounds, or is silent: a table without a loudspeaker is no fault.

Every sound has its twin on a lamp or on the screen, so silence costs a guest nothing. For the main thread only.
"""

import msgspec
import pygame

from doubtable.screen.sounds import COUNTED_MOST, RATE, SOUNDS, counted, hold_tone, rendered

MINUTES_OF_DAY = 24 * 60


class Loudness(msgspec.Struct, frozen=True):
    """How loud the table is: ``volume`` 0 to 100, and the quiet hours as minutes of the day (start, end).

    In quiet hours nothing sounds. They may run over midnight; start equal to end: there are none.
    """

    volume: int = 70
    muted: bool = False
    quiet: tuple[int, int] = (0, 0)

    def at(self, minute: int) -> int:
        """The volume at a minute of the day, 0 to 100."""
        return 0 if self.muted or self.is_quiet(minute) else self.volume

    def is_quiet(self, minute: int) -> bool:
        """Whether a minute of the day is in the quiet hours."""
        start, end = self.quiet
        return (minute - start) % MINUTES_OF_DAY < (end - start) % MINUTES_OF_DAY


class Speaker:
    """Sounds by name, on the sound device ``device`` as SDL names it, or on the system's own ("").

    Without that device it stays silent; ``fault`` then says why.
    """

    def __init__(self, loudness: Loudness | None = None, device: str = "") -> None:
        self.loudness = loudness or Loudness()
        self._device = device
        self.fault = ""
        self._made: dict[str, pygame.mixer.Sound] = {}
        self._hold: pygame.mixer.Channel | None = None
        self._open = False

    def open(self) -> bool:
        """Open the sound device; False when there is none. May be called again later."""
        if self._open:
            return True
        try:
            pygame.mixer.init(RATE, -16, 1, 512, devicename=self._device or None, allowedchanges=0)
        except (pygame.error, NotImplementedError) as error:  # pygame built without a mixer raises the latter
            named = f'"{self._device}": ' if self._device else ""
            self.fault = f"no sound: {named}{error}"
            return False
        self._open, self.fault = True, ""
        return True

    def close(self) -> None:
        """Give the device back. May be called twice."""
        if self._open:
            pygame.mixer.quit()
        self._open = False
        self._made.clear()
        self._hold = None

    def prepare(self) -> None:
        """Make all sounds now (0.1 s on a laptop), so that none is late the first time."""
        for name in (*SOUNDS, *(f"counted-{number}" for number in range(1, COUNTED_MOST + 1))):
            self._sound(name)

    def play(self, name: str, minute: int = 0, number: int = 1) -> None:
        """Play a sound of SOUNDS, or "counted" for the ``number``-th card, at that minute of the day."""
        self._start(f"counted-{min(number, COUNTED_MOST)}" if name == "counted" else name, minute)

    def hold(self, hold_ms: int, minute: int = 0) -> None:
        """Start the tone of a button that is held; it stops by itself when the hold fires, or by `release`."""
        self.release()
        self._hold = self._start(f"hold-{hold_ms}", minute)

    def release(self) -> None:
        """The button was let go: the tone stops."""
        if self._hold is not None and self._open:
            self._hold.stop()
        self._hold = None

    def _start(self, name: str, minute: int) -> pygame.mixer.Channel | None:
        volume = self.loudness.at(minute)
        sound = self._sound(name) if volume else None
        if sound is None:
            return None
        sound.set_volume(volume / 100)
        channel = sound.play()
        return channel if isinstance(channel, pygame.mixer.Channel) else None

    def _sound(self, name: str) -> pygame.mixer.Sound | None:
        if not self._open:
            return None
        if name not in self._made:
            kind, _, number = name.partition("-")
            notes = {"counted": counted, "hold": hold_tone}[kind](int(number)) if number else SOUNDS[name]
            self._made[name] = pygame.mixer.Sound(buffer=rendered(notes))
        return self._made[name]
