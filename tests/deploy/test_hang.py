"""What a table that hangs leaves in the log: a real process with threads, stopped and told to abort as systemd does."""

import signal
import subprocess
import sys

ROUNDS = 8  # one that leaves it to chance, which thread answers, fails one of these nearly always
PROGRAM = """
import threading
from doubtable import service

def works():
    while True:
        sum(range(50))

def plays():
    print("plays", flush=True)
    works()

service.tell_where_it_hangs()
for _ in range(5):
    threading.Thread(target=works, daemon=True).start()
service.main_thread_answers()
plays()
"""


def test_the_main_thread_says_where_it_stood() -> None:
    for _ in range(ROUNDS):
        with subprocess.Popen([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as table:
            assert table.stdout is not None
            assert table.stdout.readline() == b"plays\n"
            for each in (signal.SIGSTOP, signal.SIGABRT, signal.SIGCONT):
                table.send_signal(each)
            said = table.communicate()[1].decode()
        _, current, lines = said.partition("Stack (most recent call first)")
        assert "Fatal Python error: Aborted" in said
        assert current, said
        assert " in plays\n" in lines.partition("\n\n")[0], said
        assert table.returncode == -signal.SIGABRT
