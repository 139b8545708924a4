"""Rules for stopping that a plan of analysis fixed: where they stand, and what stopping would forgo.

`course_of` tells how judging went, in the sentences that every report carries.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil, isfinite
from typing import Any

from django.utils import timezone
from django.utils.dateformat import format as date_format

from judgments.assignment.planning import pace
from judgments.charts.numbers import number, quantity, text_list
from judgments.models import Campaign
from judgments.rules.authored.pay import SECONDS_AN_HOUR
from ranking.models import AnalysisPlan, Look, Report
from ranking.numbers.tables import Table
from ranking.reports.kinds.kind import kind_for
from ranking.reports.rows import of_pilot
from ranking.stats.comparisons.study import ANY_TIME
from ranking.stats.rankings.stopping import Goal, forgone, pairs_of, standing

# Forecasts further ahead than this many times the judgments so far say nothing.
FARTHEST = 20


@dataclass(frozen=True)
class StoppingRule:
    """A rule in words: what it says, where it stands, and what is left until it is met."""

    name: str
    now: str
    ahead: str
    is_met: bool


@dataclass(frozen=True)
class Outlook:
    """All rules of a plan, and what stopping now would forgo."""

    plan: AnalysisPlan
    rules: tuple[StoppingRule, ...]
    forgone: str

    @property
    def is_met(self) -> bool:
        return any(rule.is_met for rule in self.rules)


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
    seconds = pace(campaign).seconds
    pairs = pairs_of(tables["pairs"]) if "pairs" in tables else []

    def ahead(more: float) -> str:
        """The hours that so many judgments take, and until when at the present pace."""
        hours = more * seconds / SECONDS_AN_HOUR
        text = f"about {quantity(ceil(more), 'judgment')}, {number(hours, 0 if hours >= 10 else 1)} hours"
        if not per_day:
            return text
        day = timezone.localdate() + timedelta(days=ceil(more / per_day))
        return f"{text}; at the present pace, until {date_format(day, 'j M Y')}"

    left = max(plan.wanted - judgments, 0)
    name = f"After {quantity(plan.wanted, 'judgment')}"
    rules = [StoppingRule(name, f"{judgments:,} judged", ahead(left) if left else "", not left)]
    if plan.until:
        days = (plan.until - timezone.localdate()).days
        left_days = f"{quantity(days, 'day')}" if days >= 0 else ""
        name = f"On {date_format(plan.until, 'j M Y')}"
        rules.append(StoppingRule(name, "passed" if days < 0 else "not yet", left_days, days < 0))
    if plan.goal:
        found, left_in_words = standing(Goal(plan.goal), pairs, looked, delta_of(plan)), ""
        if not found.pairs:
            now = "no interim ranking yet"
        elif found.leader:
            now = f"{found.leader} leads, and is better than {found.settled} of {found.pairs} others"
        else:
            now = f"{found.settled} of {quantity(found.pairs, 'pair')}"
        if found.pairs and not found.is_reached:
            is_far = not isfinite(found.judgments) or found.judgments > FARTHEST * looked
            far = f"out of sight: more than {FARTHEST} times as many judgments"
            more = far if is_far else ahead(found.judgments - looked)
            left_in_words = f"{more}, if the differences stay as they are"
        rules.append(StoppingRule(_name_of_goal(plan), now, left_in_words, found.is_reached))
    forgone_in_words = ""
    if pairs and looked < plan.wanted:
        lost = forgone(pairs, looked, plan.wanted)
        forgone_in_words = (
            f"Stopping now would forgo about {quantity(lost, 'pair')} that the other {plan.wanted - looked:,} "
            "judgments would separate, if the differences stay as they are."
        )
    return Outlook(plan, tuple(rules), forgone_in_words)


def _name_of_goal(plan: AnalysisPlan) -> str:
    if Goal(plan.goal) is Goal.BEST:
        return "When the best system is known"
    delta = delta_of(plan)
    return f"When all pairs are separated, or equivalent within {delta:g}" if delta else "When all pairs are separated"


def reaches_goal(plan: AnalysisPlan, tables: Mapping[str, Table]) -> bool:
    """Whether these tables of a report reach the goal of the plan."""
    pairs = pairs_of(tables["pairs"]) if "pairs" in tables else []
    return bool(plan.goal) and standing(Goal(plan.goal), pairs, 0, delta_of(plan)).is_reached


def delta_of(plan: AnalysisPlan) -> float:
    return float(plan.parameters.get("delta", 0))


def rules_in_words(plan: AnalysisPlan) -> list[str]:
    """What ends judging, as the plan says it."""
    rules = [f"after {quantity(plan.wanted, 'judgment')}"]
    if plan.until:
        rules.append(f"on {date_format(plan.until, 'j M Y')}")
    if plan.goal:
        name = _name_of_goal(plan)
        rules.append(f"{name[0].lower()}{name[1:]}, by intervals that hold however often one looks")
    return [*rules, *filter(None, [plan.stopping])]


def changed_settings(plan: AnalysisPlan, report: Report) -> list[tuple[str, Any, Any]]:
    """Settings in which a report departs from a plan: their names, as planned, and as used."""
    pairs = ((name, planned, report.parameters.get(name)) for name, planned in plan.parameters.items())
    return [(name.replace("_", " "), planned, used) for name, planned, used in pairs if planned != used]


def course_of(report: Report) -> Iterator[str]:
    """How judging went: what ended it, and who looked meanwhile, at the time of the report."""
    campaign = report.campaign
    if campaign.is_adaptive:
        first = "" if campaign.sampling == Campaign.Sampling.UNDECIDED else " of first ranks"
        yield (
            f"Screens were drawn while judging went on, favouring undecided pairs{first}, each with a known "
            "probability that is stored with it."
        )
    if campaign.pilot_batches:
        judged = of_pilot(campaign).count()
        counts = "counts" if campaign.pilot == Campaign.Pilot.COUNTS else "does not count"
        yield f"The first {quantity(judged, 'judgment')} are a pilot, which {counts}, as was fixed before it began."
    if plan := AnalysisPlan.in_force(campaign):
        rules = rules_in_words(plan)
        known = f"after {quantity(plan.judgments, 'judgment')}" if plan.judgments else "before the first judgment"
        first = ", whichever comes first" if len(rules) > 1 else ""
        planned = f"By the plan of {_day(plan.fixed_at)}, fixed {known}, judging ends {'; or '.join(rules)}{first}."
        is_of_kind = report.study == kind_for(campaign.protocol).name
        departures = [name for name, _, _ in changed_settings(plan, report)] if is_of_kind else []
        yield f"{planned} The analysis departs from this plan in {text_list(departures)}." if departures else planned
    looks = list(Look.objects.filter(campaign=campaign).values_list("at", "judgments"))
    if looks:
        ends = [f"after {quantity(judgments, 'judgment')} on {_day(at)}" for at, judgments in (looks[0], looks[-1])]
        holds = (
            "intervals and tests hold however often one looks"
            if report.parameters.get("looks") == ANY_TIME
            else "intervals and tests are those of a single look"
        )
        yield (
            f"While judging went on, a ranking was computed {quantity(len(looks), 'time')}, "
            f"{text_list(list(dict.fromkeys(ends)))}; {holds}."
        )


def _day(moment: datetime) -> str:
    return date_format(timezone.localtime(moment), "j M Y")
