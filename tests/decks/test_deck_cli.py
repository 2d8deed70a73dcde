"""`doubtable deck` as a command: an emulated reader on a pty, the shelf, and every error as a line."""

import os
import pty
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from decks.deck_bench import tag, whole
from doubtable import deck_cli, decks
from doubtable.cards import Card
from doubtable.cli import INTERRUPTED, main
from doubtable.deck_cli import picture
from doubtable.decks import Deck
from doubtable.devices.reader_emulators import LiveEmulator, RdmEmulator

PATIENCE = 60.0  # s until a wait gives up


class Terminal:
    """The command's keyboard as a terminal, and its words as they come."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._keys, far = pty.openpty()
        self.stdin = os.fdopen(far, "r")
        monkeypatch.setattr("sys.stdin", self.stdin)
        self.said: list[str] = []
        self._new = threading.Condition()
        monkeypatch.setattr(deck_cli, "_out", self._hear)

    def _hear(self, line: str) -> None:
        with self._new:
            self.said.append(line)
            self._new.notify_all()

    def until(self, text: str) -> None:
        assert self.heard(text, PATIENCE), self.said

    def heard(self, text: str, within: float) -> bool:
        with self._new:
            return self._new.wait_for(lambda: any(text in line for line in self.said), within)

    def type(self, line: str) -> None:
        os.write(self._keys, line.encode() + b"\n")

    def close(self) -> None:
        os.close(self._keys)
        self.stdin.close()


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[Terminal]:
    made = Terminal(monkeypatch)
    yield made
    made.close()


@pytest.fixture
def reader() -> Iterator[LiveEmulator]:
    emulator = LiveEmulator(RdmEmulator())
    emulator.start()
    yield emulator
    emulator.close()


@pytest.fixture
def config(tmp_path: Path, reader: LiveEmulator) -> Path:
    path = tmp_path / "table.toml"
    path.write_text(
        f'state = "{tmp_path}"\n[reader]\nkind = "rdm6300"\nport = "{reader.port}"\n[buttons]\nsource = "gpio"\n'
        "[seats.1]\nbutton = 4\n[seats.2]\nbutton = 5\n[seats.3]\nbutton = 6\n"
    )
    return path


def beside(play: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=play)
    thread.start()
    return thread


def test_enrol_leads_is_interrupted_and_goes_on(
    config: Path, reader: LiveEmulator, terminal: Terminal, tmp_path: Path
) -> None:
    def first() -> None:
        terminal.until("show AS, ace of spades")
        reader.put(tag(1))
        terminal.until("show it once more")
        for _ in range(10):  # a busy machine may take two showings for one
            reader.lift()
            threading.Event().wait(0.5)
            reader.put(tag(1))
            if terminal.heard("is the AS", 1.0):
                break
        terminal.until("is the AS")
        terminal.type("q")

    thread = beside(first)
    assert main(["deck", "enrol", "red", "--config", str(config)]) == 0
    thread.join()
    assert terminal.said[-1] == "red: 1 of 52 cards; go on with: doubtable deck enrol red"
    assert decks.load(tmp_path) == {tag(1): Card("A", "S")}

    def second() -> None:
        terminal.until("show KS")
        terminal.type("u")
        terminal.until("taken back: the AS")
        terminal.type("q")

    terminal.said.clear()
    thread = beside(second)
    assert main(["deck", "enrol", "red", "--config", str(config)]) == 0
    thread.join()
    assert decks.load(tmp_path) == {}


def test_ctrl_c_keeps_what_is_enrolled(
    config: Path, terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    decks.save(tmp_path, Deck("red", 1, {tag(1): Card("A", "S")}))

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("doubtable.devices.waiting.readable", interrupted)
    assert main(["deck", "enrol", "red", "--config", str(config)]) == INTERRUPTED
    assert terminal.said[-1].startswith("red: 1 of 52 cards; go on with")
    assert len(decks.load(tmp_path)) == 1


def test_a_reader_that_is_not_there_is_said_once(config: Path, terminal: Terminal) -> None:
    config.write_text(config.read_text().replace("/dev/pts/", "/nowhere/pts/"))

    def wait_for_three_looks() -> None:
        threading.Event().wait(1.2)
        terminal.type("q")

    thread = beside(wait_for_three_looks)
    assert main(["deck", "enrol", "red", "--config", str(config)]) == 0
    thread.join()
    assert sum("no such file" in line for line in terminal.said) == 1


def test_a_running_table_that_has_the_reader_is_named(
    config: Path, terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("doubtable.desk.find", lambda *_: tmp_path / "desk.sock")
    fault = f"{config}: busy; another program has it open: end that one"
    assert "sudo systemctl stop doubtable" in deck_cli._holder(fault, deck_cli._config(config))
    monkeypatch.setattr("doubtable.desk.find", lambda *_: None)
    assert deck_cli._holder(fault, deck_cli._config(config)) == ""


# The shelf --------------------------------------------------------------------------------------------------------


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A state directory with a whole red deck, and blue which lacks three cards."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    decks.save(tmp_path, whole("red", 1))
    blue = {each: card for each, card in whole("blue", 100).cards.items() if str(card) not in ("QS", "4D", "2C")}
    decks.save(tmp_path, Deck("blue", 1, {**blue, tag(999): Card("A", "H")}))
    return tmp_path


def run(*words: str) -> int:
    try:
        return main(["deck", *words])
    except SystemExit as exit_:  # argparse's own way
        return int(exit_.code or 0)


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert run(*words) == 2
    said = capsys.readouterr()
    assert said.err.count("\n") == 1
    assert said.err.startswith("doubtable: ")
    return said.err


def test_check_draws_the_gaps(shelf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("retire", "red") == 0
    capsys.readouterr()
    assert run("check", "blue") == 1
    assert capsys.readouterr().out == (
        "blue: 49 of 52 cards, 1 spare\n"
        "  AS  KS  --  JS  TS  9S  8S  7S  6S  5S  4S  3S  2S\n"
        "  AH+ KH  QH  JH  TH  9H  8H  7H  6H  5H  4H  3H  2H\n"
        "  AD  KD  QD  JD  TD  9D  8D  7D  6D  5D  --  3D  2D\n"
        "  AC  KC  QC  JC  TC  9C  8C  7C  6C  5C  4C  3C  --\n"
        "missing: QS, 4D, 2C\n"
        "+ has a spare tag\n"
    )
    assert run("check", "red") == 0


def test_check_without_a_name_checks_what_is_in_play(shelf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check") == 1
    said = capsys.readouterr().out
    assert "red: 52 of 52" in said
    assert "blue: 49 of 52" in said
    assert "both in play" in said
    run("retire", "blue")
    assert run("check") == 0


def test_two_packs_are_two_pictures() -> None:
    said = picture(Deck("both", 2, {tag(1): Card("K", "S", 2)}))
    assert said.startswith("both: 1 of 104 cards\npack 1\n")
    assert said.count("\n  ") == 8
    assert said.endswith("\nmissing: 103 cards, those with --")


def test_a_few_missing_cards_are_named_with_their_pack() -> None:
    cards = {each: card for each, card in whole("both", 1, 2).cards.items() if (str(card), card.pack) != ("KS", 1)}
    assert picture(Deck("both", 2, cards)).endswith("\nmissing: KS of pack 1")


def test_list_rename_retire_and_back(shelf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("rename", "blue", "green") == 0
    assert run("retire", "green") == 0
    assert run("retire", "green") == 0
    capsys.readouterr()
    assert run("list") == 0
    assert capsys.readouterr().out == (
        "in play  red: 52 of 52 cards\nretired  green: 49 of 52 cards, 1 spare, 3 missing\n"
    )
    assert decks.load(shelf) == whole("red", 1).cards
    assert decks.strangers(shelf)[tag(999)] == "green"
    assert run("retire", "--undo", "green") == 0
    assert tag(999) in decks.load(shelf)
    assert not (shelf / "decks" / "retired" / "green.json").exists()


def test_a_deck_travels_as_a_file(shelf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("export", "red", "red.deck") == 0
    assert run("export", "red") == 0
    assert Path("red.deck").read_text() in capsys.readouterr().out
    assert "is there already" in refused(capsys, "export", "red", "red.deck")
    assert "there is a deck red already" in refused(capsys, "import", "red.deck")
    assert "is the AS of deck red (52 tags in all)" in refused(capsys, "import", "red.deck", "--name", "rot")
    decks.remove(shelf, whole("red"))
    assert run("import", "red.deck", "--name", "rot") == 0
    assert decks.find(shelf, "rot") == whole("rot", 1)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("check", "green"), "decks are blue, red"),
        (("rename", "green", "x"), "there is no deck green"),
        (("rename", "red", "blue"), "there is a deck blue already"),
        (("rename", "red", "a/b"), "is no name of a deck"),
        (("enrol", "red"), "name a file with a section [reader]"),
        (("enrol", "red", "--packs", "3"), "--packs"),
        (("import", "none.deck"), "none.deck: no such file or directory: name a file that doubtable deck export wrote"),
        (("export", "red", "missing/red.deck"), "missing/red.deck: no such file"),
        (("import", "text.deck"), "text.deck: is no deck: it is no JSON: name a file that doubtable deck export wrote"),
        (("import", "/dev/zero"), "/dev/zero: is no deck: it is larger than a megabyte: name a file that"),
        (("retire", "green"), "there is no deck green"),
        ((), "WHAT"),
    ],
)
def test_errors_are_one_line(
    shelf: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], says: str
) -> None:
    (shelf / "text.deck").write_text("AS KS QS")
    assert says in refused(capsys, *words)


def test_the_way_out_of_a_damaged_deck_is_one(shelf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("export", "red", "red.deck") == 0
    damaged = shelf / "decks" / "red.json"
    damaged.write_text("{")
    damaged.with_name("red.json.before").unlink(missing_ok=True)
    for words in (("list",), ("check", "red"), ("import", "red.deck")):
        assert "move this file away" in refused(capsys, *words)
    damaged.rename(shelf / "damaged")
    assert run("import", "red.deck") == 0
    assert decks.find(shelf, "red") == whole("red")


def test_no_deck_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    assert "there is no deck in play" in refused(capsys, "check")
    assert refused(capsys, "check", "red").endswith(": enrol one with doubtable deck enrol NAME\n")
    assert run("list") == 0
    assert "deck enrol NAME" in capsys.readouterr().out


def test_a_retired_deck_is_not_enrolled_on(config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    decks.save(tmp_path, whole("red", retired=True))
    assert "retire --undo red" in refused(capsys, "enrol", "red", "--config", str(config))
    decks.save(tmp_path, whole("both", 200, 2))
    assert "has 2 packs" in refused(capsys, "enrol", "both", "--packs", "1", "--config", str(config))


def test_a_table_toml_with_problems(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.toml"
    path.write_text("[reader]\nkind = 1\nspeed = 2\n")
    assert main(["deck", "list", "--config", str(path)]) == 2
    assert capsys.readouterr().err.count("\n") == 2


def test_the_table_toml_of_this_folder_is_taken(
    config: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(config.parent)
    decks.save(config.parent, whole("red"))
    assert run("list") == 0
    assert "red: 52 of 52" in capsys.readouterr().out
