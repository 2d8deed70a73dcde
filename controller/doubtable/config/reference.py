"""Every key of table.toml with what people need to know of it: what `config new` writes and the docs list."""

from collections.abc import Iterator
from decimal import Decimal

import msgspec

from doubtable.config.effective import as_toml
from doubtable.config.explain import choices, limits, section_in
from doubtable.config.written import TIME_TEXTS, Section, Table
from doubtable.timing import WRITTEN, Timing


class Entry(msgspec.Struct, frozen=True):
    """One key. ``section`` is "" at the top of the file; ``default`` is "" where there is none."""

    section: str
    key: str
    values: str  # what it may be
    default: str
    example: str  # as it stands in a file: the default, or what one could write
    about: str
    at_table: bool = False


def entries() -> Iterator[Entry]:
    """All keys in the order of the file; [timing] where the file has it, the seats' keys last."""
    yield from _section(Table, "")
    for name, field in Table.model_fields.items():
        inner = section_in(field)
        if name == "timing":
            yield from _times()
        elif inner is not None:
            yield from _section(inner, "seats.N" if name == "seats" else name)


def about(section: str) -> str:
    """What a section is for."""
    if section == "timing":
        return "The times of the table. Change them when you know why: the decisions rest on them."
    inner = section_in(Table.model_fields[section.partition(".")[0]])
    return (inner.__doc__ or "") if inner else ""


def _section(shape: type[Section], name: str) -> Iterator[Entry]:
    for key, field in shape.model_fields.items():
        extra = field.json_schema_extra
        if not isinstance(extra, dict) or key in ("timing", "options", "seats"):
            continue  # sections
        kind = str(field.annotation)
        least, most = limits(field)
        if choices(field):
            values = ", ".join(choices(field))
        elif "bool" in kind:
            values = "true, false"
        elif "int" in kind and "tuple" not in kind:
            values = "whole number" if most is None else f"{least} to {most}"
        else:
            values = "text" if least is None else f"text, {least} to {most} characters"
        default = "" if field.default is None else as_toml(field.default)
        example = str(extra["example"]) or default
        yield Entry(name, key, values, default, example, field.description or "", bool(extra["at_table"]))


def _times() -> Iterator[Entry]:
    for name, (field, unit, least, most) in WRITTEN.items():
        text, default = TIME_TEXTS[name]
        stored = getattr(Timing(), field)
        fixed = f"{Decimal(stored) / unit:f}"
        example = {"tie_ms": "5", "bump_seats": "4"}.get(name, fixed)
        yield Entry("timing", name, f"{least} to {most}", default or fixed, example, text)
