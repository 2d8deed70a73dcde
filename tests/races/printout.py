"""What the races came to, as lines for people."""

from collections import Counter

from races import verdicts
from races.usual import WAYS


def report(tally: Counter[str], seed: int, mutant: str) -> list[str]:
    """The result as lines for people."""
    races = tally["races"]

    def row(name: str, number: int, of: int = 0, note: str = "") -> str:
        share = f"{100 * number / of:8.3f} %" if of else " " * 10
        return f"  {name:<46}{number:>10,}{share}{'  ' + note if note else ''}"

    rows = [f"{races:,} races, seed {seed}" + (f", MUTANT {mutant}" if mutant else "")]
    rows += [
        row("two presses within 10 ms", tally["close"], races, "at least a third"),
        row("decided", tally["doubt"], races),
        row("nobody doubted in time", tally["nobody"], races),
        row("press again", tally["press_again"], races),
        row("WRONG", tally[verdicts.WRONG], races, "must be 0" if not mutant else "must not be 0"),
        row("right", tally["right"], races),
        row("right within the declared uncertainties", tally["within"], tally["matters"], "of those where it matters"),
        row("a spike was a press's first edge", tally["spiked"], races, "right by definition"),
        row("lost edges or a dead source injected", tally["lost"], races),
        row("  of which nothing told before the decision", tally["unknowable"], tally["lost"]),
        row("the table was knocked on purpose", tally["knocked"], races),
    ]
    whys = sorted(key.removeprefix("again ") for key in tally if key.startswith("again "))
    for why in whys:
        rows.append(row(f"press again: {why}", tally[f"again {why}"], races))
    rows.append(
        row("press again without injected loss or knock", tally["honest again"], tally["honest"], "under 0.5 %")
    )
    for why in whys:
        if tally[f"honest again {why}"]:
            rows.append(row(f"  {why}", tally[f"honest again {why}"], tally["honest"]))
    rows.append(row("12 eager doubters taken for a knock", tally["eager bump"], tally["eager"], "under 0.1 %"))
    rows.append("The same races the usual ways (another seat than the rule's; a seat that was not even in the tie):")
    for name in WAYS:
        late = f"{100 * tally[f'{name}: late'] / max(tally['compared'], 1):7.3f} % not even tied"
        rows.append(row(name, tally[f"{name}: another"], tally["compared"], late))
    return rows


def holds(tally: Counter[str], mutant: str = "") -> bool:
    """Whether the result is as it must be."""
    if mutant:
        return tally[verdicts.WRONG] > 0
    return (
        tally[verdicts.WRONG] == 0
        and 3 * tally["close"] >= tally["races"]
        and 200 * tally["honest again"] < tally["honest"]
        and 1000 * tally["eager bump"] <= tally["eager"]
    )
