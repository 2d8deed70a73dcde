"""The opcodes of an asm_pio function, without MicroPython: as much of the language as the sampler uses.

Encoding: RP2040 datasheet, 3.4. The test on the emulated chip compares with what MicroPython's own assembler makes.
"""

import ast
from pathlib import Path
from typing import Any, NamedTuple

NOP = 0xA042  # mov y, y
SOURCES = {"pins": 0, "x": 1, "y": 2, "null": 3, "isr": 6, "osr": 7}
TARGETS = {"pins": 0, "x": 1, "y": 2, "isr": 6, "osr": 7}
CONDITIONS = {"not_x": 1, "x_dec": 2, "not_y": 3, "y_dec": 4, "x_not_y": 5, "pin": 6, "not_osre": 7}


class Program(NamedTuple):
    opcodes: tuple[int, ...]
    wrap_target: int
    wrap_top: int


class _Instruction:
    """``instruction[n]`` adds a delay, as in the source."""

    def __init__(self, opcodes: list[int]) -> None:
        self._opcodes = opcodes

    def __getitem__(self, delay: int) -> None:
        assert 0 <= delay < 32
        self._opcodes[-1] |= delay << 8


def assemble(path: Path, name: str) -> Program:
    """The function ``name`` of the module at ``path``."""
    tree = ast.parse(path.read_text())
    function = next(node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name)
    function.decorator_list = []
    code = compile(ast.Module([function], []), str(path), "exec")
    labels: dict[str, int] = {}
    for _ in range(2):  # the second time all labels are known
        program = _Assembly(labels)
        words: dict[str, Any] = program.words()
        exec(code, words)
        words[name]()
    return Program(tuple(program.opcodes), program.target, program.top)


class _Assembly:
    def __init__(self, labels: dict[str, int]) -> None:
        self.opcodes: list[int] = []
        self.target = 0
        self.top = 0
        self._labels = labels

    def words(self) -> dict[str, Any]:
        names = {name: name for name in {*SOURCES, *TARGETS, *CONDITIONS, "noblock"}}
        return names | {
            "wrap_target": self._wrap_target,
            "wrap": self._wrap,
            "label": self._label,
            "nop": lambda: self._emit(NOP),
            "in_": lambda source, bits: self._emit(0x4000 | SOURCES[source] << 5 | bits & 31),
            "mov": lambda target, source: self._emit(0xA000 | TARGETS[target] << 5 | SOURCES[source]),
            "push": lambda how: self._emit(0x8000 | (0 if how == "noblock" else 1 << 5)),
            "jmp": self._jmp,
        }

    def _emit(self, opcode: int) -> _Instruction:
        self.opcodes.append(opcode)
        return _Instruction(self.opcodes)

    def _jmp(self, *arguments: str) -> _Instruction:
        condition = CONDITIONS[arguments[0]] if len(arguments) == 2 else 0
        return self._emit(condition << 5 | self._labels.get(arguments[-1], 0))

    def _label(self, name: str) -> None:
        self._labels[name] = len(self.opcodes)

    def _wrap_target(self) -> None:
        self.target = len(self.opcodes)

    def _wrap(self) -> None:
        self.top = len(self.opcodes) - 1
