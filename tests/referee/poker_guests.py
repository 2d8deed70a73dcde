"""People who play Liar Poker at random."""

import random

from referee.liar_poker import LiarPoker, is_contained
from referee.script import Attempt, press_together

CLAIMS = 500


def play_poker(game: LiarPoker, dice: random.Random, doubt_rate: float) -> None:
    """A whole game; ends with the game or after 500 declarations."""
    game.check()
    game.tape.ms += 1_000
    game.volunteer(press_together(dice, game.tape, "volunteer", game.seats.playing), dice)
    while game.phase != "over" and game.claims < CLAIMS:
        game.tape.ms += dice.randint(500, 2_000)
        if dice.random() < 0.1:
            illegal(game, dice)
        if game.phase != "prove" and dice.random() < 0.01:
            game.leave(dice.choice(game.seats.playing), dice)
        elif game.phase == "declare":
            declare(game, dice)
        elif game.phase == "respond":
            highest = game.last == len(game.every) - 1  # "After the highest declaration only LIAR is offered"
            if highest or dice.random() < doubt_rate:
                game.liar()
            else:
                game.accept()
        elif game.phase == "draw":
            game.draw(dice.sample(game.hand, dice.randint(0, 4)), dice)
        else:
            prove(game, dice)
    game.tape.wait()
    if game.phase == "over":
        game.tape.refused(game.state(), (game.holder, "declare", {"hand": game.every[-1]}))


def declare(game: LiarPoker, dice: random.Random) -> None:
    """Tells the truth where it can and mostly raises little."""
    higher = game.every[game.last + 1 :]
    genuine = [declaration for declaration in higher if is_contained(declaration, game.hand)]
    if genuine and dice.random() < 0.5:
        game.declare(dice.choice([dice.choice(genuine), genuine[-1]]))
    else:
        game.declare(higher[min(len(higher) - 1, dice.choice([0, 1, 5, 20, 60, len(higher)]))])


def prove(game: LiarPoker, dice: random.Random) -> None:
    """SHOW or GIVE UP; the cards come in any order, some of them twice."""
    if dice.random() < 0.1:
        game.card(dice.choice(game.hand), dice)  # before SHOW it counts for nothing
    if dice.random() < 0.3:
        game.give_up(dice)
        return
    game.show()
    for card in dice.sample(game.hand, 5):
        game.tape.ms += dice.randint(100, 900)
        if game.shown and dice.random() < 0.1:
            game.card(dice.choice(game.shown), dice)
        if dice.random() < 0.05:
            game.give_up(dice)
        else:
            game.card(card, dice)
        if game.phase != "prove":
            return


def illegal(game: LiarPoker, dice: random.Random) -> None:
    """Tries one thing that the rules forbid in this phase."""
    holder, responder = game.holder, game.responder
    third = [seat for seat in game.seats.playing if seat not in (holder, responder)]
    top = {"hand": game.every[-1]}
    attempts: list[Attempt] = []
    if game.phase == "declare":
        attempts += [(responder, "declare", top), (holder, "accept", {}), (responder, "liar", {})]
        attempts += [(holder, "draw", {"count": 1}), (holder, "declare", {"hand": "high 6"})]
        if game.last >= 0:
            attempts += [(holder, "declare", {"hand": dice.choice(game.every[: game.last + 1])})] * 3
    elif game.phase == "respond" and game.last == len(game.every) - 1:
        attempts += [(responder, "accept", {})]
    elif game.phase == "respond":
        attempts += [(holder, "liar", {}), (holder, "declare", top), (responder, "show", {})]
        attempts += [(seat, act, {}) for seat in third for act in ("liar", "accept")]
    elif game.phase == "draw":
        attempts += [(holder, "declare", top), (holder, "draw", {"count": 5})]
        attempts += [(seat, "draw", {"count": 0}) for seat in third]
    else:
        attempts += [(responder, act, {}) for act in ("show", "give_up", "accept")]
    game.tape.refused(game.state(), dice.choice(attempts))
