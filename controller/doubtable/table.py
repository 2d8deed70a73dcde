"""The brain of the table: inputs in, events out, and nothing else.

Buttons and time are the timeline's; this file takes everything else that is fed: acts past the buttons, tags and cards,
the attendant's orders, devices that come and go, and the restart after a power cut.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from doubtable import acts, house
from doubtable.buttons.gestures import Finger
from doubtable.buttons.lines import Line
from doubtable.cards import Card, left_of
from doubtable.entry import Entry
from doubtable.events import event
from doubtable.finality import record
from doubtable.games import GAMES, PRESET_SPEED, PRESETS, game_type
from doubtable.games.base import Act, Game, Refused, Setup
from doubtable.games.between import Dealing, Lobby
from doubtable.games.duel import Duel
from doubtable.games.shown import BY_READER
from doubtable.house import House
from doubtable.inputs import (
    CardShown,
    Device,
    Do,
    Input,
    Levels,
    Order,
    Restart,
    Serial,
    Source,
    TagSeen,
)
from doubtable.moments import DOUBT_NEXT, END_LAST, Fold, Moment, prio_of
from doubtable.readers import ReaderState, Sighting
from doubtable.sources import SourceBook
from doubtable.timeline import Timeline
from doubtable.timing import SPEEDS, Timing

HouseRules = Mapping[str, Mapping[str, object]]


def _lobby(size: int, timing: Timing, rules: HouseRules) -> Lobby:
    presets = {name: (options, SPEEDS[PRESET_SPEED[name]]) for name, options in PRESETS.items()}
    return Lobby(size, timing, GAMES, presets, rules)


class Table(Timeline):
    """One table for one deal. Not thread-safe: one thread feeds it.

    ``names`` by seat, None for an empty one. ``cards`` maps tags to cards. ``reader`` names the parser of serial bytes.
    """

    def _take(self, given: Input) -> None:
        match given:
            case Levels():
                self._levels(given)
            case Serial():
                state = self.state.reader or self.reader.start()
                state, sightings = self.reader.feed(state, given.ns, given.data)
                self._sightings(state, sightings)
            case TagSeen():
                self._tag(given.ns, given.id)
            case CardShown():
                self._show(given.ns, given.card)
            case Do():
                self._do(given)
            case Order():
                self._order(given)
            case Source():
                self._source(given)
            case Device():
                self._device(given)
            case Restart():
                self._restart(given)
            case _:
                pass  # time has passed, or a tag was lifted: all that follows from it has happened already

    # From the lobby to the deal to the game ---------------------------------------------------------------------------

    @classmethod
    def evening(
        cls, names: tuple[str | None, ...], timing: Timing, rules: HouseRules | None = None, **facts: Any
    ) -> "Table":
        """A table that begins in the lobby, with nobody seated. ``rules``: by game, the house rules it proposes."""
        own = {game: dict(options) for game, options in (rules or {}).items()}
        setup = Setup("lobby", (), 1, stage="lobby", house=own)
        table = cls(_lobby(len(names), timing.for_seats(len(names)), own), names, 1, **facts)
        table.state = replace(table.state, setup=setup)
        return table

    def game_for(self, setup: Setup) -> Game:
        size = len(self.names)
        if setup.stage == "lobby":
            return _lobby(size, self.timing, setup.house)
        if setup.stage == "duel":
            return Duel(size, self.timing)
        if setup.stage == "deal":
            return Dealing(setup.seats, size, self.timing, GAMES)
        timing = replace(self.timing, doubt=setup.doubt or self.timing.doubt)
        return game_type(setup.game)(setup.seats, size, setup.options, timing)

    def _launch(self, setup: Setup) -> None:
        """Whatever was on is over; the lobby, the deal or the game of ``setup`` begins."""
        ns = self.state.now
        if self.state.setup is not None:
            setup = replace(setup, house=self.state.setup.house)
        game = self.game_for(setup)
        if isinstance(game, Lobby):
            state, events = game.with_seats(setup.seats, setup.dealer, ns)
        elif isinstance(game, Dealing):
            dealt, _ = self.game_for(replace(setup, stage="play")).begin(setup.dealer, None, ns)
            state, events = game.for_game(setup, dealt.hands, ns)
        else:
            state, events = game.begin(setup.dealer, None, ns)
            events = tuple(each for each in events if each.name != "deal")
        self.game = game
        state = game.reader(state, "reader" not in self.state.lost, ns)
        fold = self.fold
        books = tuple(replace(book, early=0) for book in fold.books)
        waiting = fold.house.sitting if setup.stage == "play" else ()  # in for the next deal
        resting = House(acted=ns, sitting=waiting, hours=fold.house.hours)
        base = replace(fold, game=state, books=books, window_book=fold.window_book.over(), history=(), house=resting)
        self.state = replace(self.state, setup=setup)
        self._settle(replace(base, closed=max(fold.closed, ns) if fold.game.window else fold.closed), events)

    # Acts, cards, devices -------------------------------------------------------------------------------------------

    def _do(self, given: Do) -> None:
        act = Act(given.seat, given.act, given.count, given.rank, given.hand, given.of, given.says)
        if act.name in self.game.press_acts:
            self._add(Moment(given.ns, DOUBT_NEXT, "down", given.seat, outcome="doubt"))
        else:
            self._act(act, given.ns)

    def _act(self, act: Act, ns: int) -> None:
        """An act past the buttons: refused at once, or one more moment."""
        calls = act.name == "wrong_rank"
        try:
            acts.perform(self._before(ns) if calls else self.fold, act, ns, self.game)
        except Refused as refused:
            self._out.append(event("refused", ns, seat=act.seat, why=str(refused)))
            return
        if calls:
            self._add(Moment(ns + self._tie()[0], END_LAST, "call", act.seat, ns, act=act, called=ns))
            return
        prio = prio_of(act.seat, self.fold.game.window, self.game.corrects)
        self._add(Moment(ns, prio, "act", act.seat, act=act))

    def _before(self, ns: int) -> Fold:
        """The fold before all that ends a window at ``ns`` or later and is not final: a call counts as a press does."""
        fold = self.state.base
        for step in self._steps:
            ends = step.moment is not None and step.moment.prio == END_LAST
            if step.ns > ns or (step.ns == ns and ends):
                break
            fold = step.fold
        return fold

    def _sightings(self, state: ReaderState, sightings: Iterable[Sighting]) -> None:
        self.state = replace(self.state, reader=state)
        for each in sightings:
            if each.present:
                self._tag(each.ns, each.id)

    def _tag(self, ns: int, tag: str) -> None:
        """A tag came: a card of this deck, or a stranger that never counts."""
        card = self.cards.get(tag)
        facts = {"pack": card.pack} if card is not None and card.pack != 1 else {}
        self._out.append(event("tag", ns, id=tag, card=None if card is None else str(card), **facts))
        if card is not None:
            self._show(ns, card)

    def _show(self, ns: int, card: Card) -> None:
        """A card lies on the reader. Outside a reveal it is ignored and not kept."""
        act = Act(0, "card", card=card, says=BY_READER)
        try:
            acts.perform(self.fold, act, ns, self.game)
        except Refused:
            return
        self._add(Moment(ns, END_LAST, "act", act=act))

    def _order(self, given: Order) -> None:
        match given.act:
            case "undo":
                self._undo(given.ns)
            case "new_game":
                self._new_game(given.ns)
            case "remove":
                self._act(Act(0, "gone", of=given.seat), given.ns)
            case house.OPENING | house.CLOSING | house.CLOSED:
                self._by_clock(given)
            case _:
                self._act(Act(0, given.act, card=given.card, hands=given.hands), given.ns)

    def _by_clock(self, given: Order) -> None:
        """The time of day, which no race and no rest puts off."""
        base = self.state.base
        resting, state, events = house.by_clock(base.house, self.game, base.game, given.act, given.ns)
        self._out += events
        self.state = replace(self.state, base=replace(base, house=resting, game=state))
        self._refold()

    def _new_game(self, ns: int) -> None:
        """The deal moves left, whatever was on."""
        setup, dealt = self.state.setup, self.fold.game
        if setup is None or setup.stage in ("lobby", "duel"):
            self._out.append(event("refused", ns, seat=0, why="nothing is played: choose a game in the lobby"))
        elif setup.stage == "deal":
            self._launch(replace(setup, dealer=left_of(dealt.dealer, setup.seats)))
        else:
            self._launch(house.next_setup(self.fold.house, self.game, dealt, "deal"))

    def _undo(self, ns: int) -> None:
        """Back to just before the last lock, never across a shown card."""
        fold = self.fold
        if fold.game.card_shown or not fold.history:
            why = "a card has been shown" if fold.game.card_shown else "there is no lock to go back to"
            self._out.append(event("refused", ns, seat=0, why=why))
            return
        for step in self._steps:
            self._tell(step)
        state = self.game.reader(self.game.undone(fold.history[-1], fold.game), "reader" not in self.state.lost, ns)
        if fold.house.hours == house.CLOSED:
            state, _ = self.game.ring(state, ns)  # what was rung since stays so
        books = tuple(replace(book, entry=Entry()) for book in fold.books)
        back = acts.close(replace(fold, game=state, history=fold.history[:-1], books=books), ns)
        public = self.game.public(state)
        self._settle(back, [event("hands", ns, hands=public["hands"], pile=public["pile"], undo=True)])

    def _source(self, given: Source) -> None:
        book = self.state.sources.get(given.source, SourceBook())
        if book.up == given.up and given.source in self.state.sources:
            return
        new = SourceBook(up=given.up, uncertainty=given.uncertainty or book.uncertainty)
        known = given.source in self.state.sources
        self.state = replace(self.state, sources=self.state.sources | {given.source: new})
        if not given.up:
            self._out.append(event("fault", given.ns, device=given.source, what="gone"))
            if self.fold.game.window is not None or self.state.base.game.window is not None:
                self._out.append(event("gap", given.ns, lost=None, source=given.source))
                # an edge of another source that came later was pressed before the reopening
                told = max(self.state.now, self._bank.newest())
                self._lost(given.ns, given.ns, given.ns if told <= given.ns else told + 1)
        elif known:
            self._out += [event("fixed", given.ns, device=given.source, what="back"), event("read_levels", given.ns)]

    def _device(self, given: Device) -> None:
        lost = given.device in self.state.lost
        if given.up == lost:  # only a change is told
            name, what = ("fixed", "back") if given.up else ("fault", "gone")
            self._out.append(event(name, given.ns, device=given.device, what=what))
            kept = tuple(each for each in self.state.lost if each != given.device)
            self.state = replace(self.state, lost=kept if given.up else (*kept, given.device))
        if given.device == "reader":
            base = self.state.base
            rest = base.house.rest  # while the game rests its clock stands still
            game = self.game.reader(base.game, given.up, given.ns if rest is None else rest)
            self.state = replace(self.state, base=replace(base, game=game))
            self._refold()

    def _restart(self, given: Restart) -> None:
        """The table was off: buttons and gestures begin anew, a race is dropped, timers begin anew at the new time."""
        on = max(given.ns, self.state.now) + given.gap
        for step in self._steps:
            if not step.fold.race:
                self._tell(step)
        fold = self.fold
        if fold.race:
            cut = record(fold, self.game, on, self._uncertainties(), "cut")
            self._out.append(event("cut", on, record=cut))
        off = given.ns if fold.house.rest is None else fold.house.rest
        state = self.game.resume(fold.game, on, on - off)
        resting = house.resume(fold.house, on)
        books = tuple(replace(book, meaning=None, before=None, locked=-1, early=0) for book in fold.books)
        size = len(self.names)
        self.state = replace(
            self.state,
            now=on,
            fresh=True,
            lines=(Line(),) * size,
            fingers=(Finger(),) * size,
            sources={name: SourceBook(book.up, book.uncertainty) for name, book in self.state.sources.items()},
            reader=None,
        )
        opened = state.window is not None
        told = [event("window", on, state="open", again=True), event("read_levels", on)] if opened else []
        back = replace(fold, game=state, house=resting, books=books, window_book=fold.window_book.over())
        self._settle(back, told)
