"""The live board: an interim report of a campaign, refreshed while somebody watches.

It is refreshed at most once a minute, and less often if it takes long, so that workers have time for other jobs.
"""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from judgments.models import Campaign, Job
from ranking.charts.lines import kappas_of
from ranking.models import AnalysisPlan, Look, Report
from ranking.numbers.tables import Table
from ranking.reports.building import is_stale, request_report
from ranking.reports.kinds.kind import NoReportKind, kind_for
from ranking.reports.rows import counted_now
from ranking.sequential.stopping import delta_of
from ranking.stats.comparisons.study import ANY_TIME, BROADEST, DESIGN, NO_WEIGHTS, Parameters

# Enough for a glance; conclusions need a full report.
GLANCE = Parameters(methods=("expected-wins",), unit=BROADEST, replicates=200, looks=ANY_TIME)
AT_MOST_EVERY = timedelta(seconds=60)
# The least time between two reports, as a multiple of the time that the last one took.
PAUSE_FACTOR = 5
MOST_NAMED = 5


def has_ranking(campaign: Campaign) -> bool:
    """Whether reports on the campaign rank its systems."""
    try:
        return bool(kind_for(campaign.protocol).at_a_glance)
    except NoReportKind:
        return False


def interim(campaign: Campaign) -> tuple[Report | None, bool]:
    """The newest interim report that is ready, and whether one is in progress."""
    reports = list(Report.objects.interim(campaign))
    ready = (report for report in reports if report.state == Job.State.DONE)
    return next(ready, None), any(report.state in Job.BUSY for report in reports)


def glance(tables: Mapping[str, Table]) -> dict[str, Any] | None:
    """An interim report in numbers, if it has a ranking: all pairs and those separated, the likely best systems, and
    the agreement of judges.
    """
    if "pairs" not in tables or "standings" not in tables:
        return None
    resolved = tables["pairs"].column("resolved")
    chances = [(str(line["system"]), float(line["p_best"])) for line in tables["standings"].dicts() if line["p_best"]]
    kappa = next((line["kappa"] for line in kappas_of(tables) if line["kind"] == "overall inter"), None)
    best = sorted(chances, key=lambda chance: -chance[1])[:MOST_NAMED]
    return {
        "pairs": len(resolved),
        "resolved": sum(map(bool, resolved)),
        "best": best,
        "kappa": None if kappa is None else float(kappa),
    }


@transaction.atomic
def refresh(campaign: Campaign) -> Report | None:
    """Request an interim report unless one is in progress, was just made, or nothing changed; delete older ones."""
    if not has_ranking(campaign):
        return None
    Campaign.objects.select_for_update().get(pk=campaign.pk)
    last = Report.objects.interim(campaign).first()
    now = timezone.now()
    if last:
        took = last.finished_at - last.started_at if last.started_at and last.finished_at else timedelta(0)
        pause = max(AT_MOST_EVERY, PAUSE_FACTOR * took)
        # A report from the future shows that the clock was set back; it must not block the next one.
        if last.state in Job.BUSY or now - pause < last.created_at <= now:
            return None
        if last.state == Job.State.DONE and not is_stale(last):
            return None
    shown, _ = interim(campaign)
    Report.objects.interim(campaign).exclude(pk=shown.pk if shown else 0).delete()
    plan = AnalysisPlan.in_force(campaign)
    weights = DESIGN if campaign.is_adaptive else NO_WEIGHTS
    parameters = GLANCE.with_changes(delta=delta_of(plan) if plan else 0.0, weights=weights)
    report = request_report(campaign, preset="", parameters=parameters, is_interim=True)
    if campaign.is_open:
        Look.objects.create(campaign=campaign, judgments=counted_now(campaign))
    return report
