"""The picture and the sample in docs/fairness.md are what the table says."""

import textwrap

from races.picture import FILE, drawn, played


def test_the_picture_is_what_the_table_decided() -> None:
    assert FILE.read_text(encoding="utf-8") == drawn(played()), (
        "draw it anew: python -m races.picture > docs/fairness.svg"
    )


def test_the_sample_is_what_the_table_prints() -> None:
    page = FILE.with_suffix(".md").read_text(encoding="utf-8")
    assert textwrap.indent(str(played()), "    ") in page
