"""Makes the .mo files that the table loads from the .po files that people edit.

    python controller/doubtable/screen/locale/compile.py            after editing a .po file
    python controller/doubtable/screen/locale/compile.py --check    says which .mo file is out of date, exit 1

Needs babel (a development dependency): the reader and writer of both formats that is maintained.
"""

import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po

HERE = Path(__file__).parent
NO_DATE = datetime(2000, 1, 1, tzinfo=UTC)  # the same texts make the same file on any day


def source(po: Path) -> Catalog:
    """The texts of a .po file."""
    with po.open("rb") as file:
        catalogue = read_po(file, locale=po.parent.parent.name, abort_invalid=True)
    catalogue.creation_date = catalogue.revision_date = NO_DATE
    return catalogue


def texts(catalogue: Catalog) -> dict[tuple[str, ...], tuple[str, ...]]:
    """What a catalogue says, without its header, which names the version of the writer."""
    return {_forms(message.id): _forms(message.string) for message in catalogue if message.id}


def _forms(text: str | Iterable[str] | None) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text or ())


def main(check: bool) -> int:
    """Write (or with ``check`` compare) every language's file; 1 when one is out of date."""
    stale = 0
    for po in sorted(HERE.glob("*/LC_MESSAGES/*.po")):
        mo, wanted = po.with_suffix(".mo"), source(po)
        if not check:
            made = BytesIO()
            write_mo(made, wanted)
            mo.write_bytes(made.getvalue())
        elif not mo.is_file() or texts(read_mo(BytesIO(mo.read_bytes()))) != texts(wanted):
            sys.stderr.write(f"{mo} is out of date: run {Path(__file__).name} without --check\n")
            stale = 1
    return stale


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
