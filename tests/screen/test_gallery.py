"""The page of all pictures: what is in it, and a folder that will not do."""

from pathlib import Path

import pytest

from doubtable.screen import gallery
from doubtable.screen.examples import examples
from doubtable.screen.sizes import Panel


def test_every_example_is_a_picture_on_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gallery, "PANELS", ((Panel(800, 480, 7.0), (3,)),))
    assert gallery.main([str(tmp_path), "--lang", "de"]) == 0
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    for name, _, _ in examples(3):
        file = f"800x480-3-de-{name}.png"
        assert file in page
        assert (tmp_path / file).stat().st_size > 0


def test_a_folder_that_will_not_do_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    for folder, why in ((tmp_path / "file", "file exists"), (tmp_path / "file" / "in", "not a directory")):
        assert gallery.main([str(folder)]) == 2
        assert capsys.readouterr().err == f"gallery: {folder}: {why}: name a folder that can be written\n"
