"""From rows to studies: for each kind of report what counts now of a campaign, with the newest judgment among it."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from judgments.models import Campaign
from ranking.besides import besides_of
from ranking.extract import ballots, corrections, verdicts
from ranking.stats.corrections.parameters import CorrectionParameters
from ranking.stats.corrections.study import CorrectionStudy
from ranking.stats.kinds import COMPARISONS, CORRECTIONS, VERDICTS, AnyStudy, kind_for
from ranking.stats.parameters import Parameters
from ranking.stats.study import Study
from ranking.stats.verdicts.parameters import VerdictParameters

# Kinds of which a report depends on more than judgments and metrics.
BESIDES: Mapping[str, Callable[[Campaign], dict[str, Any]]] = {
    CORRECTIONS.name: corrections.known_besides,
    VERDICTS.name: verdicts.known_besides,
}


class Gathered(NamedTuple):
    """A study, and the newest judgment that counts in it."""

    study: AnyStudy
    newest: int


def besides_now(campaign: Campaign) -> dict[str, Any]:
    """What else decides whether a report is out of date, in a few numbers."""
    known = BESIDES.get(kind_for(campaign.protocol).name)
    return known(campaign) if known else {}


def gather(campaign: Campaign, chosen: Any) -> Gathered:
    """The study of a campaign by choices of its kind."""
    return GATHERING[kind_for(campaign.protocol).name](campaign, chosen)


def _comparisons(campaign: Campaign, chosen: Parameters) -> Gathered:
    found = ballots.collect(campaign, chosen.judged_by)
    besides = besides_of(campaign, found.names, found.ballots.segments)
    are_ratings = campaign.protocol == Campaign.Protocol.RATING
    return Gathered(Study(found.ballots, found.names, chosen, are_ratings, besides), found.newest)


def _corrections(campaign: Campaign, chosen: CorrectionParameters) -> Gathered:
    found = corrections.collect(campaign, chosen.judged_by)
    study = CorrectionStudy(found.corrections, chosen, found.judgments, found.labels, found.days)
    return Gathered(study, found.newest)


def _verdicts(campaign: Campaign, chosen: VerdictParameters) -> Gathered:
    return Gathered(*verdicts.collect(campaign, chosen))


GATHERING: Mapping[str, Callable[[Campaign, Any], Gathered]] = {
    COMPARISONS.name: _comparisons,
    CORRECTIONS.name: _corrections,
    VERDICTS.name: _verdicts,
}
