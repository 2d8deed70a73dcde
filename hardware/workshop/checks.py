"""Does it make electrical sense? All rules over one Build.

A rule gives at least one finding, also when all is well: the build pages print the figures.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from workshop import rules_lines, rules_power, rules_signals
from workshop.builds import Build
from workshop.findings import Finding, Rule

RULES: Sequence[Rule] = (
    rules_lines.no_pin_twice,
    rules_lines.no_reserved_pin,
    rules_lines.pins_match,
    rules_lines.cable_cores,
    rules_lines.dark_at_boot,
    rules_power.pin_current,
    rules_power.sum_current,
    rules_power.lamp_driver,
    rules_power.strong_pull_up,
    rules_power.supply,
    rules_signals.low_level,
    rules_signals.time_constant,
    rules_signals.equal_shift,
    rules_signals.cable_filter,
    rules_signals.input_volts,
)


@dataclass(frozen=True)
class Checked:
    """A finding with the rule that made it; ``meaning`` is the rule's first sentence."""

    rule: str
    meaning: str
    finding: Finding

    def __str__(self) -> str:
        return f"{self.rule}: {self.finding}"


def check(build: Build) -> list[Checked]:
    """Every rule's findings, in the order of RULES."""
    return [
        Checked(rule.__name__, (rule.__doc__ or "").splitlines()[0], finding)
        for rule in RULES
        for finding in rule(build)
    ]


def faults(build: Build) -> list[Checked]:
    return [checked for checked in check(build) if checked.finding.verdict == "fault"]
