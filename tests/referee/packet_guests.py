"""People who play classic and wrong-rank at random: honest and lying, sharp and careless. They know the real cards."""

import random

from referee.packets import Packets
from referee.script import RANKS, Attempt, Card, press_together

CLAIMS = 500  # "Random play need not end: cap random games."


def play_packets(game: Packets, dice: random.Random, doubt_rate: float) -> None:
    """A whole game from the deal; ends with the game or after 500 claims."""
    game.deal(dice)
    started = True  # False: the next claim is to imply its start, so nothing else may come before it
    while game.phase != "over" and game.claims < CLAIMS:
        game.tape.ms += dice.randint(1_000, 3_000)
        if started:
            between_claims(game, dice)
        if game.phase == "claim":
            lay(game, dice)
            in_window(game, dice)
        if game.phase in ("doubt", "last_call"):
            started = settle(game, dice, doubt_rate)
        while started and game.phase == "claim" and game.before and dice.random() < 0.03:
            game.undo()
    game.tape.wait()
    game.tape.lines.append({"count": {"event": "elsewhere"}, "is": 0})
    if game.phase == "over":
        game.tape.refused(game.state(), (game.seats.playing[0], "claim", {"count": 1}))


def between_claims(game: Packets, dice: random.Random) -> None:
    """Things that people do while no claim is open."""
    others = [seat for seat in game.seats.playing if seat != game.turn]
    if dice.random() < 0.1:
        illegal(game, dice)
    if dice.random() < 0.1:
        press_for_nothing(game, dice.choice(others))
        game.tape.ms += 1_000  # lets the lock-out pass
    if dice.random() < 0.01:
        game.skip()
    if dice.random() < 0.01 and not game.options.get("play_on"):
        seat = dice.choice(game.seats.playing)
        if not (game.options.get("lap_shift") and seat == game.turn):  # whether that shifts is written nowhere
            game.leave(seat)


def press_for_nothing(game: Packets, seat: int, why: str | None = None) -> None:
    """ "A press then is void and is never kept for later." """
    game.tape.mark()
    game.tape.do(seat, "doubt")
    game.tape.wait()
    game.tape.lines.append(
        {"count": {"event": "void", "seat": seat} | ({"why": why} if why else {}), "is": 1},
    )
    game.tape.never("doubt")
    game.check()


def press_in_vain(game: Packets, seat: int) -> None:
    """A press in an open window of a seat that may not doubt. What is said of it is left open: it must not tell."""
    game.tape.do(seat, "doubt")
    game.tape.wait()
    game.check()
    game.tape.never("doubt")


def illegal(game: Packets, dice: random.Random) -> None:
    """Tries one thing that the rules forbid in this phase: in a window, in its first seconds."""
    next_seat = game.seats.left(game.turn)
    rank = {"rank": game.due} if game.free and not game.assist else {}
    other_count = 1 if game.count > 1 else 2
    attempts: list[Attempt] = [(next_seat, "start", {}), (next_seat, "claim", {"count": 1, **rank})]
    if game.phase == "claim":
        attempts += [(game.turn, "claim", {"count": count, **rank}) for count in (0, game.maximum + 1)]
        attempts += [(game.turn, "pass", {}), (game.turn, "give_in", {}), (next_seat, "let_go", {})]
    elif game.phase == "reveal":
        bystanders = [seat for seat in game.seats.playing if seat not in (game.claimant, game.doubter)]
        attempts += [(seat, "give_in", {}) for seat in bystanders[:2]]
        attempts += [(game.claimant, "correct", {"count": other_count})]
    else:
        attempts += [(next_seat, "let_go", {}), (next_seat, "correct", {"count": other_count})]
        attempts += [(game.claimant, "claim", {"count": 1, **rank}), (game.claimant, "give_in", {})]
        attempts += [(game.seats.left(next_seat), "start", {})]
    game.tape.refused(game.state(), dice.choice(attempts))


def lay(game: Packets, dice: random.Random) -> None:
    """The seat on turn lays a packet and says something about it."""
    hand = game.hands[game.turn]
    rank = game.due
    if game.free and not game.assist and dice.random() < 0.25:
        rank = dice.choice(RANKS)  # by mistake or as a trick
    fitting = [card for card in hand if card[0][0] == rank]
    if fitting and dice.random() < 0.6:
        packet = dice.sample(fitting, min(len(fitting), dice.randint(1, game.maximum)))
    else:
        packet = dice.sample(hand, min(game.maximum, dice.choice([1, 1, 2, 3, 4, 8])))
    count = len(packet)
    if dice.random() < 0.06:  # says a wrong number
        count = max(1, min(game.maximum, count + dice.choice([-1, 1])))
    game.claim(count, rank if game.free and not game.assist else None, packet)


def in_window(game: Packets, dice: random.Random) -> None:
    """What can happen in the first seconds after the lock, before anybody doubts."""
    others = [seat for seat in game.seats.playing if seat != game.claimant]
    game.tape.ms += dice.randint(600, 1_200)
    if dice.random() < 0.05:
        press_for_nothing(game, game.claimant, "claimant")
    if dice.random() < 0.1:
        illegal(game, dice)
    out = [seat for seat in game.seats.began if seat not in game.seats.playing]
    if out and dice.random() < 0.1:
        press_in_vain(game, dice.choice(out))
    if game.free and not game.assist and dice.random() < 0.3:
        game.wrong_rank(dice.choice(others))
    if game.barred and dice.random() < 0.5:
        press_in_vain(game, dice.choice(sorted(game.barred)))
    if game.count != len(game.packet) and dice.random() < 0.5:
        game.correct(count=len(game.packet))
    elif game.rank != game.due and dice.random() < 0.1:
        game.correct(rank=game.due)
    if game.corrected and game.count > 1 and dice.random() < 0.3:
        game.tape.refused(game.state(), (game.claimant, "correct", {"count": game.count - 1}))  # "once"
    if game.phase == "doubt" and dice.random() < 0.01:
        leave(game, dice)
    if game.before and dice.random() < 0.01:
        game.undo()


def leave(game: Packets, dice: random.Random) -> None:
    """Somebody leaves while a claim is open, but not so many that the game would end."""
    if not game.options.get("play_on") and len(game.seats.playing) > game.least:
        game.leave(dice.choice(game.seats.playing))


def settle(game: Packets, dice: random.Random, doubt_rate: float) -> bool:
    """Doubted or not, the claim comes to its end; False when the next seat's start is left to its claim."""
    doubters = game.may_doubt()
    if game.count != len(game.packet):  # if nobody doubted a wrong number, the table's counts would stay wrong
        doubt_rate = 1
        if not doubters:
            game.correct(count=len(game.packet))
    if doubters and dice.random() < doubt_rate:
        open_ms = 9_000 if game.phase == "last_call" else dice.choice([3_500, 3_500, 20_000])
        game.tape.ms = max(game.tape.ms + 1, min(game.tape.ms + dice.randint(1, open_ms), game.lock_ms + open_ms))
        game.doubt(press_together(dice, game.tape, "doubt", doubters))
        reveal(game, dice)
        return True
    if game.phase == "last_call":
        let_go = dice.random() < 0.5
        if let_go:
            game.tape.ms = max(game.tape.ms, game.lock_ms + dice.randint(5_100, 9_000))
        game.end_last_call(let_go)
        return True
    if dice.random() < 0.02:
        game.time_out()
        return True
    game.tape.wait_until(game.lock_ms + dice.randint(4_100, 8_000))
    silently = dice.random() < 0.5
    game.start(silently)
    return not silently


def reveal(game: Packets, dice: random.Random) -> None:
    """The doubter fetches the packet, or somebody gives in."""
    honest_number = game.count == len(game.packet)
    to_show: list[Card] = dice.sample(game.packet, len(game.packet))
    if dice.random() < 0.1:
        illegal(game, dice)
    if dice.random() < 0.1:
        press_for_nothing(game, dice.choice([seat for seat in game.seats.playing if seat != game.doubter]))
    if dice.random() < 0.02:
        leave(game, dice)
    if dice.random() < 0.02:
        game.no_more_cards()
    again_in_time = True  # after the last right card one second look at a card takes most of any_more_ms
    while game.phase == "reveal":
        if dice.random() < 0.04:
            game.give_in(game.doubter if honest_number and dice.random() < 0.5 else game.claimant)
        elif game.shown and again_in_time and dice.random() < 0.05:
            game.tape.ms += dice.randint(200, 700)
            game.show(dice.choice(game.shown))
            again_in_time = len(game.shown) < game.count
        elif to_show:
            game.tape.ms += dice.randint(200, 700)
            game.show(to_show.pop())
            again_in_time = len(game.shown) < game.count or not to_show
        elif len(game.shown) < game.count:
            game.no_more_cards()
            game.give_in(game.claimant)
        else:
            game.no_more_cards()
