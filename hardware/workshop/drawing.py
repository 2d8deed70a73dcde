"""Pictures as plain SVG text: a sheet that shapes and words are put on. No library, and the same bytes on every run."""

from dataclasses import dataclass, field
from html import escape

INK = "#26292e"
GREY = "#6b727a"
PALE = "#eceff2"
FONT = "DejaVu Sans, Verdana, Helvetica, sans-serif"


def number(value: float) -> str:
    """A coordinate with at most one decimal."""
    return f"{value:.1f}".rstrip("0").rstrip(".") if value else "0"


@dataclass
class Sheet:
    """White paper of ``width`` x ``height`` px; ``says`` is read to those who cannot see it."""

    width: float
    height: float
    says: str
    _marks: list[str] = field(default_factory=list)

    def rect(
        self, x: float, y: float, w: float, h: float, fill: str = "white", edge: str = INK, *, round_: float = 0
    ) -> None:
        self._marks.append(
            f'<rect x="{number(x)}" y="{number(y)}" width="{number(w)}" height="{number(h)}" '
            f'rx="{number(round_)}" fill="{fill}" stroke="{edge}"/>'
        )

    def circle(self, x: float, y: float, r: float, fill: str = "white", edge: str = INK) -> None:
        self._marks.append(f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(r)}" fill="{fill}" stroke="{edge}"/>')

    def line(self, points: list[tuple[float, float]], colour: str = INK, width: float = 1, dash: str = "") -> None:
        path = " ".join(f"{number(x)},{number(y)}" for x, y in points)
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        stroke = f'stroke="{colour}" stroke-width="{number(width)}"{dashes}'
        self._marks.append(f'<polyline points="{path}" fill="none" {stroke}/>')

    def text(
        self,
        x: float,
        y: float,
        words: str,
        *,
        size: float = 13,
        colour: str = INK,
        anchor: str = "middle",
        bold: bool = False,
    ) -> None:
        """Words whose middle line is at ``y``."""
        weight = ' font-weight="bold"' if bold else ""
        self._marks.append(
            f'<text x="{number(x)}" y="{number(y + size * 0.36)}" font-size="{number(size)}" fill="{colour}" '
            f'text-anchor="{anchor}"{weight}>{escape(words)}</text>'
        )

    def arrow(self, a: tuple[float, float], b: tuple[float, float], colour: str = INK) -> None:
        """A measure's line with a short bar at either end."""
        dx, dy = b[0] - a[0], b[1] - a[1]
        length = (dx * dx + dy * dy) ** 0.5
        nx, ny = -dy / length * 5, dx / length * 5
        self.line([a, b], colour)
        for x, y in (a, b):
            self.line([(x - nx, y - ny), (x + nx, y + ny)], colour)

    def svg(self) -> str:
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{number(self.width)}" height="{number(self.height)}" '
            f'viewBox="0 0 {number(self.width)} {number(self.height)}" role="img" font-family="{FONT}">\n'
            f"<title>{escape(self.says)}</title>\n"
            f'<rect width="{number(self.width)}" height="{number(self.height)}" fill="white"/>\n'
        )
        return head + "\n".join(self._marks) + "\n</svg>\n"
