"""Agreement: where no reader counts, the people at the table say what the cards that were turned over are.

Theory. The two parties say TRUE or LIE and may think again until both have spoken. The same word twice is the verdict;
else everybody else votes, once each, and a tie is false. A seat that shows its cards with nobody against it is a party
of one: its LIE settles it, its TRUE is for the others to judge. When a party has got up, only the others are asked. A
reader that counts a card after all ends it, until the parties have spoken.
"""

from collections.abc import Mapping

from doubtable.games.base import Act, Choice, Refused, Strip
from doubtable.timing import S

READER_LOST = 5 * S  # without a reader for so long while cards are shown, the table agrees
MISSING_AGREE = 20 * S  # so long after `missing` too

TRUE, LIE = "true", "lie"
SAYS = (TRUE, LIE)

Said = Mapping[int, str]
"""Seat -> what it said."""


def after(reader_lost: int | None) -> int:
    """After how many ns the table agrees: of no reader, or of cards that are missing."""
    return MISSING_AGREE if reader_lost is None else READER_LOST


def asked(pair: tuple[int, ...], others: tuple[int, ...], said: Said) -> tuple[int, ...]:
    """The seats that may say something now."""
    if not all(seat in said for seat in pair):
        return pair
    return tuple(seat for seat in others if seat not in said)


def spoken(said: dict[int, str], asked_now: tuple[int, ...], act: Act) -> dict[int, str]:
    """What has been said after ``act``. Raises Refused."""
    if act.says not in SAYS:
        raise Refused(f"agree: say true or lie, not {act.says}")
    if act.seat not in asked_now:
        raise Refused(f"seat {act.seat} is not asked")
    return {**said, act.seat: act.says}


def card_counts(pair: tuple[int, ...], said: Said, reader_lost: int | None) -> None:
    """Raises Refused for a card that comes onto the reader, or is entered, too late: the table agrees on the cards."""
    if reader_lost is not None or all(seat in said for seat in pair):
        raise Refused("the cards are turned over: say true or lie")


def verdict(pair: tuple[int, ...], others: tuple[int, ...], said: Said) -> bool | None:
    """What was agreed; None while somebody who is asked has not spoken."""
    words = [said[seat] for seat in pair if seat in said]
    if len(words) < len(pair):
        return None
    if len(set(words)) == 1 and (words[0] == LIE or len(pair) > 1):
        return words[0] == TRUE
    if any(seat not in said for seat in others):
        return None
    trues = sum(said[seat] == TRUE for seat in others)
    return trues > len(others) - trues


def strip(key: str, pair: tuple[int, ...], others: tuple[int, ...], said: Said, seat: int) -> Strip | None:
    """WAIT, TRUE, LIE for a seat that is asked."""
    asked_now = asked(pair, others, said)
    if seat not in asked_now:
        return None
    says = tuple(Choice((word.upper(),), Act(seat, "agree", says=word)) for word in SAYS)
    return Strip(f"{key}agree{asked_now != pair}", (Choice(("WAIT",)), *says))
