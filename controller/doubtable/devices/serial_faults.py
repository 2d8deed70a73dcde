"""How a serial port fails, and what that means in one line: the same for the reader and the panel.

pyserial raises SerialException, a plain OSError (``in_waiting``) or termios.error, which is none of both. Its own
sentences are for programmers, and some carry the system's error inside another: what is told is the system's word, or
one of ours where the system said nothing.
"""

import errno
import termios

import serial

from doubtable.devices.ports import cause

GONE = (serial.SerialException, OSError, termios.error)
# What a path is that can never become the port that is meant, however long it is waited for.
NO_PORT = (errno.ENOTTY, errno.EISDIR, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG, errno.EINVAL)


def number(error: BaseException | None) -> int:
    """The system's number of an error, its own or that of the one it was raised from; 0 when the system said none."""
    while error is not None:
        for each in (getattr(error, "errno", None), *error.args[:1]):
            if isinstance(each, int):
                return each
        error = error.__context__
    return 0


def said(error: BaseException) -> str:
    """What an error of GONE means, without the library's sentences: "input/output error", "it has hung up"."""
    known = number(error)
    if known:
        return "it is no serial port" if known == errno.ENOTTY else cause(error)
    return "it takes no more bytes" if isinstance(error, serial.SerialTimeoutException) else "it has hung up"
