"""Being told to end: by which signal, how often, and at the worst moment of a wait; real time where threads race."""

import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from doubtable.stopping import SIGNALS, Stop

WAIT = 0.05  # s that the main loop waits for an input
BUSY = 0.2  # s for which another thread keeps the interpreter; longer than WAIT
RESCUE = 10.0  # s until a wait without end is ended


@pytest.fixture
def one_thread_at_a_time() -> Iterator[None]:
    """A thread that calculates is not asked to let others on: a busy machine, every time."""
    turn = sys.getswitchinterval()
    sys.setswitchinterval(RESCUE)
    yield
    sys.setswitchinterval(turn)


def beside(do: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=do)
    thread.start()
    return thread


@pytest.mark.usefixtures("one_thread_at_a_time")
@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_at_the_end_of_a_wait_does_not_make_it_endless(number: signal.Signals) -> None:
    """The interrupted thread gets on only when its time is over: Python up to 3.12 then waits for ever."""
    inbox: queue.SimpleQueue[str] = queue.SimpleQueue()
    waits = threading.Event()

    def tell() -> None:
        waits.wait(RESCUE)
        time.sleep(WAIT / 5)  # lets the main thread go on into its wait
        os.kill(os.getpid(), number)
        end = time.monotonic() + BUSY
        while time.monotonic() < end:
            pass

    rescue = threading.Timer(RESCUE, inbox.put, ["waited for ever"])
    with Stop() as stop:
        teller = beside(tell)
        rescue.start()
        waits.set()
        with pytest.raises(queue.Empty):
            inbox.get(timeout=WAIT)
        rescue.cancel()
        assert stop.told
        assert stop.number == number
    teller.join()
    rescue.join()


@pytest.mark.parametrize("number", SIGNALS)
def test_every_signal_tells_at_once_and_says_which_it_was(number: signal.Signals) -> None:
    with Stop() as stop:
        assert not stop.told
        assert stop.number == 0
        signal.raise_signal(number)
        assert stop.told
    assert stop.told
    assert stop.number == number


def test_who_is_told_twice_and_again_while_it_closes_ends_all_the_same() -> None:
    before = [signal.getsignal(number) for number in SIGNALS]
    with Stop() as stop:
        signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGTERM)
        assert stop.told
        signal.raise_signal(signal.SIGTERM)  # nobody asks any more: what is closing closes
        signal.raise_signal(signal.SIGINT)
    assert stop.told
    assert not signal.sigpending()
    assert [signal.getsignal(number) for number in SIGNALS] == before
    assert not signal.pthread_sigmask(signal.SIG_BLOCK, ()).intersection(SIGNALS)


def test_a_signal_that_comes_before_the_loop_ends_it_before_its_first_round() -> None:
    with Stop() as stop:
        signal.raise_signal(signal.SIGTERM)  # while devices are opened
        rounds = 0
        while not stop.told:
            rounds += 1
    assert rounds == 0


def test_a_signal_that_an_older_thread_is_given_counts() -> None:
    """A thread that was there before does not keep signals waiting; the system may choose it."""
    ready, over = threading.Event(), threading.Event()

    def be_there() -> None:
        ready.set()
        over.wait(RESCUE)

    older = beside(be_there)
    ready.wait(RESCUE)
    with Stop() as stop:
        assert older.ident is not None
        signal.pthread_kill(older.ident, signal.SIGTERM)
        end = time.monotonic() + RESCUE
        while not stop.told and time.monotonic() < end:
            time.sleep(0.001)
        assert stop.told
        assert stop.number == signal.SIGTERM
    over.set()
    older.join()


def test_a_closed_window_tells_without_a_signal() -> None:
    with Stop() as stop:
        stop.told = True
        assert stop.told
    assert stop.number == 0


def test_one_within_another_leaves_the_outer_one_at_work() -> None:
    with Stop() as outer:
        with Stop() as inner:
            signal.raise_signal(signal.SIGHUP)
            assert inner.told
        assert not outer.told
        signal.raise_signal(signal.SIGINT)
        assert outer.told
        assert outer.number == signal.SIGINT
