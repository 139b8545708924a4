"""Making a report: ballots in, rows out, once."""

from collections.abc import Callable

from django.db import transaction
from django.utils import timezone

from judgments.heartbeat import beating
from judgments.models import Campaign, Work
from ranking.extract import Ballots, ballots_of
from ranking.models import ComparisonCount, Report, Standing
from ranking.stats.ballots import StatisticsError
from ranking.stats.comparisons import count_by_judge, win_matrix
from ranking.stats.expected_wins import VERSION, expected_wins, ranks

Step = Callable[[str, float], None]


class Overtaken(Exception):
    """Another attempt at the same report has begun; this one must leave the rows alone."""


def request_report(campaign: Campaign, user=None) -> Report:
    """A new report, waiting for a worker."""
    return Report.objects.create(campaign=campaign, requested_by=user)


def build(report_id: int) -> None:
    """Make a queued report; a second call for the same one, or a call too late, does nothing."""
    attempt = Report.objects.begin(report_id)
    if attempt is None:
        return
    mine = Report.objects.filter(pk=report_id, attempt=attempt, state=Work.State.RUNNING)

    def step(name: str, progress: float) -> None:
        if not mine.update(step=name, progress=progress, heartbeat=timezone.now()):
            raise Overtaken

    try:
        with beating(mine):
            _make(mine, step)
    except Overtaken:
        return
    except StatisticsError as reason:
        mine.update(state=Work.State.FAILED, error=str(reason), finished_at=timezone.now())
    except Exception:
        mine.update(state=Work.State.FAILED, error="Something went wrong in the program.", finished_at=timezone.now())
        raise


def _make(mine, step: Step) -> None:
    report = mine.select_related("campaign").get()
    step("reading judgments", 0.0)
    found = ballots_of(report.campaign)
    if not found.ballots:
        raise StatisticsError("There are no judgments yet. Judge some screens, then make the report again.")
    step("comparing systems", 0.5)
    wins = win_matrix(found.ballots, len(found.systems))
    scores = expected_wins(wins)
    counts = count_by_judge(found.ballots)
    with transaction.atomic():
        step("writing", 0.9)
        Standing.objects.filter(report=report).delete()
        ComparisonCount.objects.filter(report=report).delete()
        Standing.objects.bulk_create(
            Standing(report=report, rank=rank, system=name, score=float(score))
            for name, score, rank in zip(found.systems, scores, ranks(scores), strict=True)
        )
        ComparisonCount.objects.bulk_create(
            ComparisonCount(
                report=report,
                judge=found.judges[judge],
                rankings=of.ballots,
                skipped=of.skipped,
                unexpanded=of.unexpanded,
                unexpanded_ties=of.unexpanded_ties,
                expanded=of.expanded,
                expanded_ties=of.expanded_ties,
            )
            for judge, of in counts.items()
        )
        mine.update(
            state=Work.State.DONE,
            progress=1,
            step="",
            judgments=len(found.ballots),
            signature=_signature(report, found),
            finished_at=timezone.now(),
        )


def _signature(report: Report, found: Ballots) -> str:
    """The recipe that travels with the numbers."""
    return "|".join(
        (
            report.method,
            f"judgments:{len(found.ballots)}",
            f"judges:{len(found.judges)}",
            f"systems:{len(found.systems)}",
            "ties:dropped",
            f"code:{VERSION}",
        )
    )
