"""What must hold at a table after every step of every game."""

from doubtable.cards import PACK_SIZE
from doubtable.table import Table


def invariants(table: Table) -> None:
    """Cards are conserved, scores sum to 0, whoever is due plays, and no window is open where nothing is claimed."""
    state, rules = table.fold.game, table.game
    hands = sum(state.hands)
    if rules.id == "liar-poker":
        assert hands in (0, 5)
        assert 0 <= state.stock <= PACK_SIZE - hands, "the rest are discards"
        assert all(score <= 0 for score in state.scores)
    else:
        assert hands + state.pile + state.aside == PACK_SIZE * state.packs
        assert sum(state.scores) == 0
        assert (state.window is None) or (state.claim is not None and state.claim.seat == state.window.claimant)
        showing = state.doubter is not None or getattr(state, "winning", None) is not None
        assert (state.reveal is not None) == showing
    assert min(state.hands) >= 0
    assert state.turn is None or state.turn in rules.seats
    if state.phase == "over":
        assert (state.turn, state.window, state.doubter) == (None, None, None)
    for seat in rules.seats:
        strip = rules.strip(state, seat, table.state.now)
        assert strip is None or len({choice.path for choice in strip.choices}) == len(strip.choices)
