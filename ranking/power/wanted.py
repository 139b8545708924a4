"""What organisers want predicted: a plan of screens, and what they assume; what a campaign allows."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Self

from judgments.models import Campaign, Classification, System
from judgments.protocols import protocol_of
from judgments.protocols.base import USAGES
from judgments.rules.errors import Refused
from ranking.reports.rows import apart_from_reports, counted_now
from ranking.stats.choices import PEOPLE
from ranking.stats.comparisons.study import PRESETS
from ranking.stats.power.verdicts import VerdictAssumptions
from ranking.stats.power.worlds import AssumptionError, Assumptions
from ranking.stats.rankings.methods import METHODS

CAMPAIGNS, MOST_CAMPAIGNS = 20, 200
JUDGES, MOST_JUDGES = 8, 1000
FEWEST_IN_PILOT = 60
RECOMMENDED = "recommended"
ASSUMED = Assumptions()
AnyAssumptions = Assumptions | VerdictAssumptions


@dataclass(frozen=True)
class Wanted:
    """A plan of screens, and what is assumed; without assumptions, the judgments so far suggest it."""

    settings: Mapping[str, Any]
    screens: int | None = None
    assumptions: AnyAssumptions | None = ASSUMED
    judges: int = JUDGES
    campaigns: int = CAMPAIGNS
    preset: str = RECOMMENDED
    compare: bool = False

    @classmethod
    def of_json(cls, campaign: Campaign, stored: dict[str, Any]) -> Self:
        assumptions = stored["assumptions"]
        return cls(**stored | {"assumptions": assumptions and kind_of_assumptions(campaign)(**assumptions)})


def kind_of_assumptions(campaign: Campaign) -> type[AnyAssumptions]:
    return VerdictAssumptions if judges_usages(campaign) else Assumptions


def assumptions_of(campaign: Campaign, given: Mapping[str, Any]) -> AnyAssumptions:
    """Take what is given of a campaign's assumptions, the defaults for the rest; refuse what is impossible together."""
    kind = kind_of_assumptions(campaign)
    chosen = {field.name: given[field.name] for field in fields(kind) if given.get(field.name) is not None}
    try:
        assumptions = kind(**chosen)
        if isinstance(assumptions, Assumptions):
            assumptions.deviations()
    except AssumptionError as reason:
        raise Refused(str(reason)) from reason
    return assumptions


def check(campaign: Campaign, wanted: Wanted) -> None:
    if not can_predict(campaign):
        raise Refused("Predictions are made for campaigns that rank, rate or give verdicts; this one does not.")
    if systems_compared(campaign) < 2:
        raise Refused("There are fewer than two systems to compare. Upload the material of more, then predict again.")
    if METHODS[PRESETS[wanted.preset].methods[0]].for_ratings and not protocol_of(campaign).has_scores:
        raise Refused("This preset analyses ratings, and the judges of this campaign rank. Choose another preset.")
    design = wanted.settings.get("design", campaign.design)
    if wanted.compare and (judges_usages(campaign) or design != Campaign.Design.SAMPLED):
        raise Refused(
            "Ways of choosing sentences are compared for the sampled design only. Choose it, or do not compare."
        )
    if wanted.assumptions is None and (judgments := judgments_made(campaign)) < FEWEST_IN_PILOT:
        raise Refused(
            f"A pilot needs {FEWEST_IN_PILOT} judgments, and there are {judgments}. State assumptions instead."
        )


def can_predict(campaign: Campaign) -> bool:
    return protocol_of(campaign).can_be_simulated


def judges_usages(campaign: Campaign) -> bool:
    return protocol_of(campaign).material == USAGES


def systems_compared(campaign: Campaign) -> int:
    """The number of systems that a report would compare."""
    if judges_usages(campaign):
        return Classification.objects.filter(system__campaign=campaign).values("system").distinct().count()
    return System.objects.filter(campaign=campaign).judged().count()


def judgments_made(campaign: Campaign) -> int:
    """All of them, those of a pilot and skipped ones included."""
    return counted_now(campaign, PEOPLE) + apart_from_reports(campaign)
