"""The next screens of campaigns whose screens depend on the judgments so far.

A worker looks every minute. Judges claim screens that exist already, so nobody waits for a computation: before the free
ones run out, as many more are drawn as the judges at work will need for about two sittings.
"""

import logging
from datetime import timedelta
from math import ceil

from django.db.models import Q
from django.utils import timezone

from judgments.assignment import assigning
from judgments.assignment.assigning import Assigned
from judgments.assignment.rules.sampling import Favour
from judgments.models import Assignment, Campaign
from judgments.models.journal import note
from judgments.rules.errors import Refused
from ranking.models import AnalysisPlan, Look
from ranking.numbers.tables import StatisticsError, Table
from ranking.reports.ballots import collect
from ranking.sequential.stopping import delta_of, outlook
from ranking.stats.comparisons.standings import pairs
from ranking.stats.comparisons.study import (
    ANY_TIME,
    BROADEST,
    DESIGN,
    NO_WEIGHTS,
    ComparisonStudy,
    Covariates,
    Parameters,
)
from ranking.stats.rankings.methods import METHODS
from ranking.stats.rankings.pair_tests import worth_of_pairs
from ranking.stats.rankings.uncertainty import complete

PARAMETERS = Parameters(methods=("expected-wins",), unit=BROADEST, replicates=200, looks=ANY_TIME)
logger = logging.getLogger(__name__)
# Judges who did something within this time are at work.
AT_WORK = timedelta(hours=1)
SITTINGS = 2


def continue_campaigns() -> None:
    for campaign in Campaign.objects.with_later_screens():
        try:
            continue_campaign(campaign)
        except Refused as reason:  # the others go on
            logger.warning("No screens were drawn for %s: %s", campaign.slug, reason)


def continue_campaign(campaign: Campaign) -> Assigned | None:
    """Assign the next screens if the free ones run out and no rule for stopping is met; may safely run twice."""
    planned = Assignment.objects.filter(campaign=campaign).planned()
    free = planned.waiting().filter(judge=None, position=0).count()
    since = timezone.now() - AT_WORK
    active = planned.filter(Q(submitted_at__gt=since) | Q(leased_until__gt=timezone.now()))
    judges = active.exclude(judge=None).order_by().values("judge").distinct().count()
    if free > judges:
        return None
    # As many as the judges at work will need beyond those that are free.
    batches = ceil(((SITTINGS * (judges + 1)) - free) / campaign.redundancy)
    screens = min(campaign.later_screens, batches * assigning.settings_of(campaign, None).fresh_per_batch())
    if not screens:
        return None
    first, found = assigning.next_batch(campaign), collect(campaign)
    chosen = PARAMETERS.with_changes(weights=DESIGN if len(found.weights) else NO_WEIGHTS, seed=campaign.seed)
    if plan := AnalysisPlan.in_force(campaign):
        chosen = chosen.with_changes(delta=delta_of(plan))
    study = ComparisonStudy(found.ballots, found.names, chosen, covariates=Covariates(weights=found.weights))
    method = METHODS[chosen.methods[0]]
    try:
        study.check_usable()
        study.replicates(method)
    except StatisticsError:  # judgments are too few to rank the systems, so nothing is known yet
        return assigning.assign_next(campaign, screens, None, first)
    if is_over(campaign, study):
        return None
    # What comparisons of the systems behind each candidate are worth.
    first_ranks = campaign.sampling == Campaign.Sampling.FIRST_RANKS
    drawn = complete(study.replicates(method))
    gains = worth_of_pairs(study.scores(method), drawn, study.parameters.level, first_ranks)
    starts, members = found.ballots.candidates.starts, found.ballots.candidates.members.tolist()
    behind = {candidate: members[starts[at] : starts[at + 1]] for at, candidate in enumerate(found.candidates)}
    return assigning.assign_next(campaign, screens, Favour(gains.tolist(), behind), first)


def is_over(campaign: Campaign, study: ComparisonStudy) -> bool:
    """Whether a rule of the plan is met; looking for that is a look like any other."""
    plan = AnalysisPlan.in_force(campaign)
    if plan is None:
        return False
    Look.objects.create(campaign=campaign, judgments=study.judgments)
    tables = {table.name: table for table in pairs(study) if isinstance(table, Table)}
    rules = outlook(campaign, plan, study.judgments, 0, tables, study.judgments).rules
    met = [rule.name for rule in rules if rule.is_met]
    if not met:
        return False
    if Campaign.objects.filter(pk=campaign.pk, later_screens__gt=0).update(later_screens=0):
        left = f"left {campaign.later_screens} screens undrawn"
        note(campaign, f"{left}, because a rule for stopping is met: {', '.join(met)}")
    return True
