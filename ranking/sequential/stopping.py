"""Where the rules for stopping stand that a plan of analysis fixed, how far they are, and what stopping would forgo."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from math import ceil, isfinite

from django.utils import timezone
from django.utils.dateformat import format as date_format

from judgments.assignment.planning import pace
from judgments.assignment.rules.planning import SECONDS_AN_HOUR
from judgments.charts.numbers import number, quantity
from judgments.models import Campaign
from ranking.models import AnalysisPlan, Report
from ranking.numbers.tables import Table
from ranking.stats.rankings.stopping import Goal, Pair, Standing, forgone, pairs_of, standing

# Forecasts further ahead than this many times the judgments so far say nothing.
FARTHEST = 20


@dataclass(frozen=True)
class Rule:
    """A rule in words: what it says, where it stands, and what is left until it is met."""

    name: str
    now: str
    ahead: str
    is_met: bool


@dataclass(frozen=True)
class Outlook:
    """All rules of a plan, and what stopping now would forgo."""

    plan: AnalysisPlan
    rules: tuple[Rule, ...]
    forgone: str

    @property
    def is_met(self) -> bool:
        return any(rule.is_met for rule in self.rules)


@dataclass(frozen=True)
class Pace:
    """How long judgments take: seconds for each, and how many are made a day."""

    seconds: float
    per_day: float

    def ahead(self, judgments: float) -> str:
        """The hours that so many judgments take, and until when at the present pace."""
        hours = judgments * self.seconds / SECONDS_AN_HOUR
        text = f"about {quantity(ceil(judgments), 'judgment')}, {number(hours, 0 if hours >= 10 else 1)} hours"
        if not self.per_day:
            return text
        day = timezone.localdate() + timedelta(days=ceil(judgments / self.per_day))
        return f"{text}; at the present pace, until {date_format(day, 'j M Y')}"


def outlook_of(
    campaign: Campaign, judgments: int, per_day: float, tables: Mapping[str, Table], interim: Report | None
) -> Outlook | None:
    """The outlook of the newest plan, if there is one; `judgments` are those that a report would count now."""
    plan = AnalysisPlan.in_force(campaign)
    return outlook(campaign, plan, judgments, per_day, tables, interim.judgments if interim else 0) if plan else None


def outlook(
    campaign: Campaign, plan: AnalysisPlan, judgments: int, per_day: float, tables: Mapping[str, Table], looked: int
) -> Outlook:
    """`tables` are those of an interim ranking of so many judgments."""
    measured = Pace(pace(campaign).seconds, per_day)
    pairs = pairs_of(tables["pairs"]) if "pairs" in tables else []
    return Outlook(plan, tuple(_rules(plan, judgments, measured, pairs, looked)), _forgone(plan, pairs, looked))


def reached(plan: AnalysisPlan, tables: Mapping[str, Table]) -> bool:
    """Whether these tables of a report reach the goal of the plan."""
    pairs = pairs_of(tables["pairs"]) if "pairs" in tables else []
    return bool(plan.goal) and standing(Goal(plan.goal), pairs, 0, delta_of(plan)).is_reached


def delta_of(plan: AnalysisPlan) -> float:
    return float(plan.parameters.get("delta", 0))


def _rules(plan: AnalysisPlan, judgments: int, measured: Pace, pairs: Sequence[Pair], looked: int) -> Iterator[Rule]:
    left = max(plan.wanted - judgments, 0)
    yield Rule(
        f"After {quantity(plan.wanted, 'judgment')}", f"{judgments:,} judged",
        measured.ahead(left) if left else "", not left,
    )  # fmt: skip
    if plan.until:
        days = (plan.until - timezone.localdate()).days
        yield Rule(
            f"On {date_format(plan.until, 'j M Y')}", "passed" if days < 0 else "not yet",
            f"{quantity(days, 'day')}" if days >= 0 else "", days < 0,
        )  # fmt: skip
    if plan.goal:
        goal = Goal(plan.goal)
        found = standing(goal, pairs, looked, delta_of(plan))
        yield Rule(_named(goal, delta_of(plan)), _so_far(found), _left(found, looked, measured), found.is_reached)


def _named(goal: Goal, delta: float) -> str:
    if goal is Goal.BEST:
        return "When the best system is known"
    return f"When all pairs are resolved, or equivalent within {delta:g}" if delta else "When all pairs are resolved"


def _so_far(found: Standing) -> str:
    if not found.pairs:
        return "no interim ranking yet"
    if found.leader:
        return f"{found.leader} leads, and is better than {found.settled} of {found.pairs} others"
    return f"{found.settled} of {quantity(found.pairs, 'pair')}"


def _left(found: Standing, looked: int, measured: Pace) -> str:
    if found.is_reached or not found.pairs:
        return ""
    if not isfinite(found.judgments) or found.judgments > FARTHEST * looked:
        return f"out of sight: more than {FARTHEST} times as many judgments, if the differences stay as they are"
    return f"{measured.ahead(found.judgments - looked)}, if the differences stay as they are"


def _forgone(plan: AnalysisPlan, pairs: Sequence[Pair], looked: int) -> str:
    if not pairs or looked >= plan.wanted:
        return ""
    lost = forgone(pairs, looked, plan.wanted)
    return (
        f"Stopping now would forgo about {quantity(lost, 'pair')} that the other {plan.wanted - looked:,} judgments "
        "would resolve, if the differences stay as they are."
    )


def rules_in_words(plan: AnalysisPlan) -> list[str]:
    """What ends judging, as the plan says it."""
    rules = [f"after {quantity(plan.wanted, 'judgment')}"]
    if plan.until:
        rules.append(f"on {date_format(plan.until, 'j M Y')}")
    if plan.goal:
        name = _named(Goal(plan.goal), delta_of(plan))
        rules.append(f"{name[0].lower()}{name[1:]}, by intervals that hold however often one looks")
    return [*rules, *filter(None, [plan.stopping])]
