"""What a pilot showed about time, agreement and instructions, in sentences, before more screens are judged."""

from itertools import groupby
from operator import itemgetter
from statistics import median, quantiles

from django.db.models import Count, Q
from django.db.models.functions import Coalesce

from judgments.charts.numbers import number, quantity
from judgments.models import Assignment, Campaign, Judgment, Membership
from judgments.protocols import protocol_of
from ranking.power.predicting import pilot_of
from ranking.reports.ballots import collect
from ranking.reports.rows import of_pilot
from ranking.stats.agreement.meetings import preferences

# A judge's first screens are those on which the instructions are still new.
FIRST = 5
FEWEST_TIMES = 4


def findings(campaign: Campaign) -> list[str]:
    """Empty without a pilot."""
    if not campaign.pilot_batches:
        return []
    of_people = of_pilot(campaign).filter(judge__role=Membership.Role.JUDGE, judge__excluded_at=None)
    given = Judgment.objects.current().filter(assignment__in=of_people.values("pk"))
    planned = Assignment.objects.filter(campaign=campaign, batch__number__lte=campaign.pilot_batches).count()
    many = given.aggregate(
        judgments=Count("pk"), judges=Count("assignment__judge", distinct=True),
        skipped=Count("pk", filter=Q(skipped=True)), flagged=Count("pk", filter=Q(flagged=True)),
        remarks=Count("pk", filter=~Q(comment="")),
    )  # fmt: skip
    counts = "count in reports" if campaign.pilot == Campaign.Pilot.COUNTS else "do not count in reports"
    said = [
        f"{many['judgments']:,} of {quantity(planned, 'assignment')} of the pilot are judged, by "
        f"{quantity(many['judges'], 'judge')}. These judgments {counts}."
    ]
    # The times of each judge, in the order of judging.
    seconds = Coalesce("active_seconds", "wall_seconds")
    timed = given.filter(skipped=False).exclude(active_seconds=None, wall_seconds=None)
    rows = timed.order_by("assignment__judge", "assignment__submitted_at").values_list("assignment__judge", seconds)
    by_judge = [[time for _, time in times] for _, times in groupby(rows, key=itemgetter(0))]
    early = [time for own in by_judge for time in own[:FIRST]]
    late = [time for own in by_judge for time in own[FIRST:]]
    if len(times := early + late) >= FEWEST_TIMES:
        low, _, high = quantiles(times, n=4)
        said.append(
            f"A screen took {number(median(times), 0)} seconds (median; half took {number(low, 0)} to "
            f"{number(high, 0)}); without a pilot, plans assume {number(protocol_of(campaign).seconds, 0)}."
        )
        if late:
            said.append(
                f"The first {FIRST} screens of each judge took {number(median(early), 0)} seconds, the others "
                f"{number(median(late), 0)}."
            )
    if protocol_of(campaign).scale is not None:
        pairs, agreed = preferences(pilot_of(collect(campaign, with_pilot=True)))
        said.append(
            f"Two judges who both preferred one of two versions agreed in {agreed:,} of "
            f"{quantity(pairs, 'case')} ({agreed / pairs:.0%})."
            if pairs
            else "No two judges judged the same screen, so agreement is unknown; a pilot needs 2 judges per screen."
        )
    said.append(
        f"Judges skipped {quantity(many['skipped'], 'screen')}, reported {quantity(many['flagged'], 'sentence')} as "
        f"broken and wrote {quantity(many['remarks'], 'remark')}; read them in judgments.csv before you assign more."
    )
    return said
