"""How judging went, in sentences that every report carries: what ends it, and who looked meanwhile."""

from collections.abc import Iterator

from django.utils import timezone
from django.utils.dateformat import format as date_format

from judgments.charts.numbers import quantity, text_list
from judgments.models import Campaign
from ranking.models import AnalysisPlan, Look, Report
from ranking.reports.rows import of_pilot
from ranking.sequential.stopping import rules_in_words
from ranking.stats.comparisons.study import ANY_TIME


def course_of(report: Report) -> list[str]:
    """What holds at the time of the report."""
    return [*_drawing(report.campaign), *_pilot(report.campaign), *_ending(report.campaign), *_looks(report)]


def _drawing(campaign: Campaign) -> Iterator[str]:
    if campaign.is_adaptive:
        what = (
            "undecided pairs" if campaign.sampling == Campaign.Sampling.UNDECIDED else "undecided pairs of first ranks"
        )
        yield (
            f"Screens were drawn while judging went on, favouring {what}, each with a known probability that is stored "
            "with it."
        )


def _pilot(campaign: Campaign) -> Iterator[str]:
    if campaign.pilot_batches:
        judged = of_pilot(campaign).count()
        counts = "counts" if campaign.pilot == Campaign.Pilot.COUNTS else "does not count"
        yield f"The first {quantity(judged, 'judgment')} are a pilot, which {counts}, as was fixed before it began."


def _ending(campaign: Campaign) -> Iterator[str]:
    if plan := AnalysisPlan.in_force(campaign):
        yield (
            f"By the plan of {_day(plan.fixed_at)}, judging ends {'; or '.join(rules_in_words(plan))}, whichever comes "
            "first."
        )


def _looks(report: Report) -> Iterator[str]:
    looks = list(Look.objects.filter(campaign=report.campaign).values_list("at", "judgments"))
    if not looks:
        return
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


def _day(moment) -> str:
    return date_format(timezone.localtime(moment), "j M Y")
