"""The table itself: its configuration, whether it runs, its decks."""

from collections.abc import Iterator

from doubtable import __version__, decks
from doubtable.doctor.case import Case
from doubtable.doctor.findings import Finding
from doubtable.readers import KINDS


def table(case: Case) -> Iterator[Finding]:
    """Which table it is, what of it is simulated, and whether it runs."""
    config = case.config
    for warning in config.warnings:
        yield Finding("table", "warning", warning.what, warning.hint, warning.key)
    simulated = [seat.number for seat in config.seats if seat.source == "simulated"]
    if len(simulated) == len(config.seats):
        what = f"{len(config.seats)} simulated seats: their buttons are keys, their lamps are drawn"
        yield Finding("table", "ok", what if config.path is not None else f"no table.toml: {what}")
    elif simulated:
        numbers = ", ".join(map(str, simulated))
        yield Finding("table", "ok", f"seats {numbers} of {len(config.seats)} are simulated: their buttons are keys")
    else:
        yield Finding("table", "ok", f"{len(config.seats)} seats on {' and '.join(config.sources)}")
    yield _running(case)


def _running(case: Case) -> Finding:
    if case.running is None:
        return Finding("table", "ok", "does not run: its devices are tried from here")
    report = case.running.report
    if report is None:
        todo = "sudo doubtable doctor, or as the user that the table runs as"
        return Finding("table", "unknown", "whether it runs is closed to this user: it may not ask", todo)
    if report.version != __version__:
        what = f"it runs as process {report.pid} with version {report.version}, installed is {__version__}"
        return Finding("table", "warning", what, "start it anew: sudo systemctl restart doubtable")
    return Finding("table", "ok", f"it runs as process {report.pid} and was asked, version {report.version}")


def cards(case: Case) -> Iterator[Finding]:
    """The decks that the table knows."""
    try:
        shelf = decks.shelf(case.state)
        decks.load(case.state)
    except decks.ForbiddenError:
        what = f"{case.config.state / decks.FOLDER} may not be looked into by this user"
        yield Finding("decks", "unknown", what, "sudo doubtable doctor, or as the user that the table runs as")
        return
    except decks.DeckError as error:
        yield Finding("decks", "fault", str(error), "then doubtable deck check shows what is left")
        return
    in_play = [deck for deck in shelf if not deck.retired]
    if not in_play and case.config.reader.kind in KINDS:
        what = f"none in {case.config.state / decks.FOLDER}: the reader reads tags, and no tag is a card"
        yield Finding("decks", "warning", what, "doubtable deck enrol NAME")
    elif not in_play:
        yield Finding("decks", "ok", "none, and no reader for one")
    for deck in in_play:
        if deck.missing and case.config.reader.kind not in KINDS:
            yield Finding("decks", "ok", f"{deck}; not needed here, as no reader reads them")
        elif deck.missing:
            todo = f"doubtable deck check {deck.name}, then doubtable deck enrol {deck.name}"
            yield Finding("decks", "warning", f"{deck}: the others are never told", todo)
        else:
            yield Finding("decks", "ok", str(deck))
    for one, other in decks.doubles(shelf):
        what = f"{one.name} and {other.name} are both in play and have the same cards: one counts for the other"
        yield Finding("decks", "warning", what, "doubtable deck retire NAME: the one that stays in the drawer")
