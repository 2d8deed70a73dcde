"""One calm set of colours, and the arithmetic that keeps it readable.

Contrast and luminance are those of WCAG 2 (relative luminance of sRGB, ratio (a + 0.05) / (b + 0.05)). Everything that
is told by a colour is told by a shape as well; the greys of neighbouring colours differ too.
"""

Colour = tuple[int, int, int]

GROUND: Colour = (15, 31, 37)  # the table
PANEL: Colour = (29, 50, 58)  # a plate on the table
LINE: Colour = (108, 136, 144)  # outlines: at least 3 : 1 on the ground
MUTED: Colour = (172, 194, 198)  # second voice
INK: Colour = (245, 240, 228)  # first voice
LAMP: Colour = (255, 196, 72)  # the buttons' light, and what it asks
LAMP_INK: Colour = (28, 22, 8)  # on a lit plate
CARD: Colour = (250, 247, 240)
CARD_EDGE: Colour = (120, 124, 124)
CARD_BLACK: Colour = (20, 24, 26)
CARD_RED: Colour = (176, 30, 38)
CARD_BACK: Colour = (44, 96, 110)

LEAST_CONTRAST = 4.5
LEAST_OUTLINE = 3.0

# Every pair of text on ground that the scenes may use.
TEXT_PAIRS: tuple[tuple[Colour, Colour], ...] = (
    (INK, GROUND),
    (INK, PANEL),
    (MUTED, GROUND),
    (MUTED, PANEL),
    (LAMP, GROUND),
    (LAMP, PANEL),
    (LAMP_INK, LAMP),
    (GROUND, INK),
    (CARD_BLACK, CARD),
    (CARD_RED, CARD),
    (INK, CARD_BACK),
)


def luminance(colour: Colour) -> float:
    """Relative luminance of an sRGB colour, 0 (black) to 1 (white)."""

    def linear(value: int) -> float:
        share = value / 255
        return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4

    red, green, blue = (linear(value) for value in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Colour, other: Colour) -> float:
    """The contrast ratio of two colours, 1 to 21."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def grey(colour: Colour) -> int:
    """The grey of the same luminance, 0 to 255: what is left for an eye or a panel that sees no colour."""
    linear = luminance(colour)
    share = linear * 12.92 if linear <= 0.0031308 else 1.055 * linear ** (1 / 2.4) - 0.055
    return round(share * 255)
