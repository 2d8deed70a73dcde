"""People who play rounds at random."""

import random

from referee.rounds import Rounds
from referee.script import RANKS, Attempt, press_together

CLAIMS = 500


def play_rounds(game: Rounds, dice: random.Random, doubt_rate: float) -> None:
    """A whole game from the deal; ends with the game or after 500 cards laid."""
    game.deal(dice)
    while game.phase != "over" and game.claims < CLAIMS:
        game.tape.ms += dice.randint(100, 1_500)
        if dice.random() < 0.05 and game.phase != "reveal" and not game.removal_due:
            illegal(game, dice)
        if game.before and dice.random() < 0.03:
            game.undo()
        elif game.phase == "lead":
            lead(game, dice)
        elif game.phase == "reveal":
            reveal(game, dice)
        elif dice.random() < doubt_rate / 2:
            open_ms = game.lock_ms + (4_000 if game.removal_due else 9_800 if game.phase == "last_call" else 60_000)
            if game.stands:
                press_for_nothing(game, dice.choice(game.seats.playing))
            elif game.tape.ms < open_ms - 200:
                game.doubt(press_together(dice, game.tape, "doubt", game.may_doubt()))
        elif game.removal_due:
            game.remove_stack()
        elif game.phase == "last_call":
            end_last_call(game, dice)
        else:
            turn(game, dice)
    game.tape.wait()
    game.tape.lines.append({"count": {"event": "elsewhere"}, "is": 0})
    if game.phase == "over":
        game.tape.refused({"phase": "over"}, (game.seats.playing[0], "lead", {"rank": "A"}))


def lead(game: Rounds, dice: random.Random) -> None:
    if dice.random() < 0.02:
        game.leave(dice.choice(game.seats.playing))
        return
    if dice.random() < 0.1:
        press_for_nothing(game, dice.choice([seat for seat in game.seats.playing if seat != game.turn]))
    game.tape.ms += 1_000
    card = dice.choice(game.hands[game.turn])
    game.lead(card[0][0] if dice.random() < 0.6 else dice.choice(RANKS), card)


def press_for_nothing(game: Rounds, seat: int) -> None:
    game.tape.mark()
    game.tape.do(seat, "doubt")
    game.tape.wait()
    game.tape.lines.append({"count": {"event": "void", "seat": seat}, "is": 1})
    game.tape.never("doubt")
    game.check()


def turn(game: Rounds, dice: random.Random) -> None:
    """The seat on turn passes, plays or shows its last card."""
    if dice.random() < 0.02 and len(game.seats.playing) > game.least and not game.leaving:
        game.leave(dice.choice(game.seats.playing))
        return
    hand = game.hands[game.turn]
    if dice.random() < 0.4 or game.false_show:
        game.pass_()
        return
    if game.tape.ms < game.lock_ms + 3_800 and dice.random() < 0.1:
        game.tape.refused(game.state(), (game.turn, dice.choice(["play", "win"]), {}))
    game.tape.wait_until(game.lock_ms + 4_100)
    if len(hand) == 1 and dice.random() < 0.7:
        game.show_to_win()
        return
    fitting = [card for card in hand if card[0][0] == game.rank]
    game.play(dice.choice(fitting if fitting and dice.random() < 0.7 else hand))


def illegal(game: Rounds, dice: random.Random) -> None:
    """Tries one thing that the rules forbid in this phase."""
    seat, left = game.turn, game.seats.left(game.turn)
    attempts: list[Attempt] = [(seat, "claim", {"count": 1}), (seat, "give_in", {})]
    if game.phase == "lead":
        attempts += [(seat, "play", {}), (seat, "pass", {}), (seat, "win", {}), (left, "lead", {"rank": "A"})]
    if game.phase == "play":
        attempts += [(left, "pass", {}), (left, "play", {}), (seat, "lead", {"rank": "A"}), (seat, "let_go", {})]
        if len(game.hands[seat]) > 1:
            attempts.append((seat, "win", {}))
        if game.false_show:
            attempts += [(seat, "win", {}), (seat, "play", {})] * 3
    if game.phase == "last_call" and game.tape.ms < game.lock_ms + 4_700:
        attempts += [(seat, "pass", {}), (seat, "play", {}), (seat, "let_go", {}), (left, "let_go", {})]
    game.tape.refused(game.state(), dice.choice(attempts))


def reveal(game: Rounds, dice: random.Random) -> None:
    if dice.random() < 0.05:
        press_for_nothing(game, dice.choice([seat for seat in game.seats.playing if seat != game.doubter]))
    if dice.random() < 0.05:
        game.missing()
    if dice.random() < 0.1:
        bystander = next(seat for seat in game.seats.playing if seat not in (game.owner, game.doubter))
        game.tape.refused(game.state(), (bystander, "give_in", {}))
    if dice.random() < 0.1 and not game.leaving:
        game.give_in(dice.choice([game.owner, game.doubter]))
    else:
        game.reveal()


def end_last_call(game: Rounds, dice: random.Random) -> None:
    let_go = dice.random() < 0.5
    if let_go:
        game.tape.ms = max(game.tape.ms, game.lock_ms + dice.randint(5_100, 9_000))
    game.end_last_call(let_go and game.tape.ms < game.lock_ms + 9_800)
