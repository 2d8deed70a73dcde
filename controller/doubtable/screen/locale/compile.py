"""Makes the .mo files that the table loads from the .po files that people edit.

    python controller/doubtable/screen/locale/compile.py            after editing a .po file
    python controller/doubtable/screen/locale/compile.py --check    says which .mo file is out of date, exit 1

Needs babel (a development dependency): the reader and writer of both formats that is maintained.
"""

import sys
from io import BytesIO
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

HERE = Path(__file__).parent


def compiled(po: Path) -> bytes:
    """The .mo file's bytes for a .po file."""
    with po.open("rb") as file:
        catalogue = read_po(file, locale=po.parent.parent.name, abort_invalid=True)
    made = BytesIO()
    write_mo(made, catalogue)
    return made.getvalue()


def main(check: bool) -> int:
    """Write (or with ``check`` compare) every language's file; 1 when one is out of date."""
    stale = 0
    for po in sorted(HERE.glob("*/LC_MESSAGES/*.po")):
        mo, wanted = po.with_suffix(".mo"), compiled(po)
        if check:
            if not mo.is_file() or mo.read_bytes() != wanted:
                sys.stderr.write(f"{mo} is out of date: run {Path(__file__).name} without --check\n")
                stale = 1
        else:
            mo.write_bytes(wanted)
    return stale


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
