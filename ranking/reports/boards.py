"""The live board: an interim report of a campaign, renewed while somebody watches.

It is made at most every minute, and where it takes long less often, so that a worker has time for others.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from judgments.models import Campaign, Job
from ranking.models import Report
from ranking.numbers.tables import Table
from ranking.reports.building import is_stale, request_report
from ranking.reports.kinds.registry import NoReportKind, kind_for
from ranking.stats.comparisons.parameters import Parameters

# The first ranking at a glance; whole reports are for conclusions.
GLANCE = Parameters(methods=("expected-wins",), replicates=200)
AT_MOST_EVERY = timedelta(seconds=60)
# How many times as long as it took to make one lies between two of them.
PAUSES = 5
NAMED = 5
GOING = (Job.State.QUEUED, Job.State.RUNNING)


def ranks(campaign: Campaign) -> bool:
    """Whether reports on the campaign rank its systems."""
    try:
        return bool(kind_for(campaign.protocol).study.at_a_glance)
    except NoReportKind:
        return False


def newest(campaign: Campaign) -> Report | None:
    return Report.objects.interim(campaign).filter(state=Job.State.DONE).first()


def is_going(campaign: Campaign) -> bool:
    return Report.objects.interim(campaign).filter(state__in=GOING).exists()


@dataclass(frozen=True)
class Glance:
    """The board in words: pairs separated out of all pairs, which systems may be best, and how far judges agree."""

    pairs: int
    resolved: int
    best: list[tuple[str, float]]
    kappa: float | None


def glance(tables: Mapping[str, Table]) -> Glance | None:
    """Summarise an interim report, if it has a ranking."""
    if "pairs" not in tables or "standings" not in tables:
        return None
    resolved = tables["pairs"].column("resolved")
    chances = [(str(line["system"]), float(line["p_best"])) for line in tables["standings"].dicts() if line["p_best"]]
    agreement = tables["agreement"].dicts() if "agreement" in tables else []
    kappa = next((line["kappa"] for line in agreement if line["kind"] == "overall inter"), None)
    best = sorted(chances, key=lambda chance: -chance[1])[:NAMED]
    return Glance(len(resolved), sum(map(bool, resolved)), best, None if kappa is None else float(kappa))


def _pause_after(report: Report) -> timedelta:
    """How long to wait between two interim reports."""
    if not report.started_at or not report.finished_at:
        return AT_MOST_EVERY
    return max(AT_MOST_EVERY, PAUSES * (report.finished_at - report.started_at))


@transaction.atomic
def refresh(campaign: Campaign) -> Report | None:
    """Request another interim report unless one is in progress, was just made, or nothing changed; delete older ones.

    Only comparisons make a ranking at a glance.
    """
    if not ranks(campaign):
        return None
    Campaign.objects.select_for_update().get(pk=campaign.pk)
    last = Report.objects.interim(campaign).first()
    now = timezone.now()
    # One that was made in the future was made before the clock was set back, and holds nobody up.
    if last and (last.state in GOING or now - _pause_after(last) < last.created_at <= now):
        return None
    if last and last.state == Job.State.DONE and not is_stale(last):
        return None
    shown = newest(campaign)
    Report.objects.interim(campaign).exclude(pk=shown.pk if shown else 0).delete()
    return request_report(campaign, preset="", parameters=GLANCE, is_interim=True)
