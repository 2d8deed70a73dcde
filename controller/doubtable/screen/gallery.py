"""Every scene at every size as pictures on one page, to be looked at.

    python -m doubtable.screen.gallery [FOLDER] [--lang de]

writes FOLDER (build/gallery without one) with index.html.

    python -m doubtable.screen.gallery --first-minute

writes the pictures of docs/first-minute.md anew.
"""

import argparse
import html
import os
import sys
from pathlib import Path

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame

from doubtable.screen import first_minute
from doubtable.screen.board import Board
from doubtable.screen.examples import examples
from doubtable.screen.lettering import Lettering
from doubtable.screen.scenes import draw
from doubtable.screen.sizes import Panel
from doubtable.screen.stage import Stage
from doubtable.screen.words import LANGUAGES, Words

# Each panel with the numbers of seats it is advised for.
PANELS = (
    (Panel(800, 480, 7.0), (4, 6)),
    (Panel(1024, 600, 10.0), (3, 8)),
    (Panel(1920, 1080, 15.0), (5, 13)),
    (Panel(800, 480, 7.0, turn=90), (4,)),
    (Panel(1024, 600, 10.0, turn=270), (8,)),
)
STYLE = (
    "body{background:#222;color:#ddd;font:16px sans-serif;margin:2em}figure{display:inline-block;margin:6px}"
    "img{width:420px}figure.upright img{width:220px}figcaption{color:#999}"
)


def write(folder: Path, languages: tuple[str, ...]) -> int:
    """Write the pictures and the page; returns how many pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    lettering, page, count = Lettering(), [f"<!doctype html><title>doubtable</title><style>{STYLE}</style>"], 0
    for language in languages:
        words = Words(language)
        for panel, tables in PANELS:
            for seats in tables:
                title = f"{panel.size[0]}x{panel.size[1]}, {seats} seats, {language}"
                page.append(f"<h2>{html.escape(title)}</h2>")
                sys.stderr.write(f"{title}\n")
                stage = Stage(panel, seats, words, lettering)
                for name, view, ns in examples(seats):
                    board = Board(panel.size, lettering)
                    board.show(draw(view, ns, stage))
                    file = f"{panel.size[0]}x{panel.size[1]}-{seats}-{language}-{name}.png"
                    pygame.image.save(board.canvas.surface, str(folder / file))
                    kind = "" if panel.size[0] > panel.size[1] else " class=upright"
                    page.append(f"<figure{kind}><img src={file}><figcaption>{name}</figcaption></figure>")
                    count += 1
    (folder / "index.html").write_text("\n".join(page), encoding="utf-8")
    return count


def main(arguments: list[str]) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="gallery", description="Every scene at every size as pictures on one page.")
    parser.add_argument("folder", nargs="?", type=Path, default=Path("build/gallery"))
    parser.add_argument("--lang", choices=LANGUAGES, action="append", help="only this language (default: all)")
    parser.add_argument("--first-minute", action="store_true", help="write the pictures of docs/first-minute.md anew")
    chosen = parser.parse_args(arguments)
    pygame.font.init()
    if chosen.first_minute:
        made = first_minute.write()
        sys.stdout.write(f"{len(made)} pictures: {made[0].parent}\n")
        return 0
    try:
        count = write(chosen.folder, tuple(chosen.lang or LANGUAGES))
    except (OSError, pygame.error) as error:  # SDL has its own for a picture that cannot be written
        why = (getattr(error, "strerror", None) or str(error)).lower()
        sys.stderr.write(f"gallery: {chosen.folder}: {why}: name a folder that can be written\n")
        return 2
    sys.stdout.write(f"{count} pictures: {(chosen.folder / 'index.html').resolve()}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
