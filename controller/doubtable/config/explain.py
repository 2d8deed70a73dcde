"""pydantic's faults in the words of table.toml: key path, what is wrong, the way out."""

import re
from collections.abc import Iterable
from typing import Literal, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from doubtable.config.problem import Problem, choice, closest, shown
from doubtable.config.written import TIME_TEXTS, Section, Table

KINDS = {
    "int_type": "a whole number",
    "string_type": "a text in quotes",
    "bool_type": "true or false",
    "list_type": "a list, for example []",
    "dict_type": "a section",
    "model_type": "a section",
}
SECTIONS = ("dict_type", "model_type")

Path = tuple[str, ...]


def key_path(parts: Iterable[object]) -> str:
    """The key path as people write it; a part that TOML would quote is quoted."""
    return ".".join(part if re.fullmatch(r"[\w-]+", part) else shown(part) for part in map(str, parts))


def problem_of(fault: ErrorDetails) -> Problem:
    """One of pydantic's faults as a Problem. The attendant's PIN is never repeated."""
    path = tuple(str(part) for part in fault["loc"] if not isinstance(part, int))
    value, context, key = fault["input"], fault.get("ctx", {}), key_path(path)
    field = field_at(path)
    least, most = limits(field)
    match fault["type"]:
        case "extra_forbidden":
            what, hint = "unknown key", _unknown_hint(path)
        case "doubtable":
            what = f"{'' if path[0] == 'attendant' else shown(value) + ' '}{context['what']}"
            hint = str(context["hint"])
        case "literal_error":
            what, hint = f"{shown(value)} is not possible", choice(value, choices(field))
        case "greater_than_equal" | "less_than_equal":
            what, hint = f"{shown(value)} is out of range", f"write a number from {least} to {most}"
        case "string_too_short" | "string_too_long" | "too_short" | "too_long":
            what, hint = f"{shown(value)} has {len(value)} characters", f"write {least or 0} to {most}"
        case kind if kind in KINDS:
            what, hint = f"{shown(value)} is not {KINDS[kind]}", _kind_hint(path, kind)
        case _:
            what, hint = fault["msg"], "look it up in docs/configuration.md"
    return Problem(key, what, hint)


def field_at(path: Path) -> FieldInfo | None:
    """The field that ``path`` leads to, through sections and seats; None where the shape has no such key."""
    section: type[BaseModel] = Table
    field: FieldInfo | None = None
    parts = list(path)
    while parts:
        field = section.model_fields.get(parts.pop(0))
        inner = section_in(field) if field else None
        if inner is None or not parts:
            return field if not parts else None
        if field is not None and get_origin(field.annotation) is dict:
            parts.pop(0)  # the seat's number
        section = inner
    return field


def section_in(field: FieldInfo) -> type[Section] | None:
    """The section that a field holds, by itself or by number, or None."""
    kinds = (field.annotation, *get_args(field.annotation))
    return next((kind for kind in kinds if isinstance(kind, type) and issubclass(kind, Section)), None)


def limits(field: FieldInfo | None) -> tuple[int | None, int | None]:
    """The least and the most of a number, or of a text's length."""
    facts = field.metadata if field else []
    least = next((getattr(fact, name) for fact in facts for name in ("ge", "min_length") if hasattr(fact, name)), None)
    most = next((getattr(fact, name) for fact in facts for name in ("le", "max_length") if hasattr(fact, name)), None)
    return least, most


def choices(field: FieldInfo | None) -> list[str]:
    """The values that a key may have, where they are named: by its ``key``, or a Literal, also inside ``| None``."""

    def values(kind: object) -> list[str]:
        if get_origin(kind) is Literal:
            return [str(value) for value in get_args(kind)]
        return [value for inner in get_args(kind) for value in values(inner)]

    extra = field.json_schema_extra if field else None
    named = extra["choices"] if isinstance(extra, dict) else None
    if isinstance(named, list) and named:
        return [str(name) for name in named]
    return values(field.annotation) if field else []


def _kind_hint(path: Path, kind: str) -> str:
    """How to write a value of the kind that was wanted."""
    if path == ("seats",):
        return "write [seats.1], [seats.2] and so on, each on a line of its own"
    if kind in SECTIONS:
        return f"write [{key_path(path)}] on a line of its own and its keys below"
    field = field_at(path)
    least, most = limits(field)
    if most is not None:
        return f"it goes from {least or 0} to {most}{' characters' if kind == 'string_type' else ''}"
    extra = field.json_schema_extra if field else None
    example = extra["example"] if isinstance(extra, dict) else ""
    return f"for example {path[-1]} = {example or shown(field.default if field else None)}"


def _unknown_hint(path: Path) -> str:
    """Where the unknown key should have stood, or what it was meant to be."""
    name, parent = path[-1], path[:-1]
    field = field_at(parent)
    section = (section_in(field) if field else None) or Table
    found = closest(name, section.model_fields)
    if found:
        return f"do you mean {found}?"
    if name in Table.model_fields:
        return f"{name} stands at the top of the file, above the first [section]"
    if name in TIME_TEXTS:
        return f"{name} belongs below [timing]"
    homes = [
        top for top, field in Table.model_fields.items() if (inner := section_in(field)) and name in inner.model_fields
    ]
    if homes:
        return f"{name} belongs below [{homes[0] if homes[0] != 'seats' else 'seats.1'}]"
    return f"known here: {', '.join(section.model_fields)}"
