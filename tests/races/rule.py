"""The rule, written a second time by somebody who has not seen the product: who doubted first, and why nobody did.

It is given times of presses and says what is right. ``answers`` gives it twice: for the true times and for the times as
stamped, which are one set of true times within the declared uncertainties.
"""

from typing import NamedTuple

from races.truth import BUMP, CONFIRM, DOUBT, HOLD, STRAGGLER, Race

LOCKOUT = 250_000_000
BANNED = 500_000_000
NOBODY = 0  # no doubter: the window closed, or stays open


class Answer(NamedTuple):
    """``seat`` is the doubter or NOBODY; ``tied`` all that lay in the tie; ``t0`` the earliest candidate.

    ``bump``: "" none; "sure" one that ended by t0 + tie; "late" one that ends before the decision, so that its presses
    may come too late to be seen.
    """

    seat: int
    tied: frozenset[int]
    t0: int | None
    bump: str


Times = list[tuple[int, int, int]]  # seat, begun, up


def tie_of(race: Race) -> int:
    """The tie: the house's, or the two largest uncertainties of different sources together."""
    worst = sorted((source.uncertainty for source in race.sources), reverse=True)[:2]
    return max(race.tie, sum(worst))


def answer(race: Race, times: Times) -> Answer:
    """What the rule says of presses at ``times``."""
    end, end_open = _end(race, times)
    candidates: dict[int, int] = {}
    for seat in race.rivals:
        mine = sorted((begun, up) for who, begun, up in times if who == seat)
        ns = _first_doubt(race, seat, mine, end, end_open)
        if ns is not None:
            candidates[seat] = ns
    if not candidates:
        return Answer(NOBODY, frozenset(), None, "")
    t0 = min(candidates.values())
    tie = tie_of(race)
    tied = frozenset(seat for seat, ns in candidates.items() if ns <= t0 + tie)
    nearest = min(tied, key=lambda seat: (seat - race.claimant) % race.size)
    inside = [each for each in times if end is None or each[1] < end or (each[1] == end and end_open)]
    return Answer(nearest, tied, t0, _bump(race, inside, t0 + tie, _decided(race, times, t0 + tie)))


def _end(race: Race, times: Times) -> tuple[int | None, bool]:
    """When the window ends, and whether a press with exactly that stamp is still in it."""
    if race.kind == "slaps":
        return race.closes, False
    for seat, begun, up in sorted(times, key=lambda each: each[1]):
        if seat == race.next_seat and begun >= race.opens and up - begun < HOLD and up >= race.opens + DOUBT:
            return up, True
    return None, False


def _first_doubt(race: Race, seat: int, mine: list[tuple[int, int]], end: int | None, end_open: bool) -> int | None:
    """The stamp of a seat's first press that doubts; None when it has none. Hammering does not pay."""
    early, locked = 0, -1
    holds = race.kind == "turn" and seat == race.next_seat
    for begun, up in mine:
        if begun < race.opens:
            early += 1
            locked = begun + LOCKOUT
            continue
        if end is not None and (begun > end or (begun == end and not end_open)):
            return None
        if begun < locked or (early >= 3 and begun < race.opens + BANNED):
            locked = begun + LOCKOUT
        elif not holds or up - begun >= HOLD:
            return begun
    return None


def _decided(race: Race, times: Times, limit: int) -> int:
    """When a race is decided at the latest: whether the next seat's press is a hold must be known too."""
    open_presses = [begun + HOLD for seat, begun, _ in times if seat == race.next_seat and begun <= limit]
    return max([limit, *open_presses] if race.kind == "turn" else [limit]) + CONFIRM + STRAGGLER


def _bump(race: Race, times: Times, limit: int, decided: int) -> str:
    """Whether enough seats pressed within a moment, in the window, for the table to have been knocked."""
    others = len(race.occupied) - 1
    if others < 3:
        return ""
    enough = 3 if others == 3 else max(4, (others + 2) // 2)
    rivals = set(race.rivals)
    presses = sorted((begun, seat) for seat, begun, _ in times if seat in rivals and begun >= race.opens)
    found = ""
    for place, (first, _) in enumerate(presses):
        seats: set[int] = set()
        for ns, seat in presses[place:]:
            if ns > first + BUMP or len(seats) >= enough:
                break
            seats.add(seat)
            if len(seats) >= enough:
                if ns <= limit:
                    return "sure"
                if first <= decided:
                    found = "late"
    return found


def answers(race: Race, stamps: Times) -> tuple[Answer, Answer]:
    """What is right for the true times, and for the times as stamped."""
    true = [(press.seat, press.begun, press.up) for press in race.presses]
    right = answer(race, true)
    return right, right if true == stamps else answer(race, stamps)
