"""The parameters that a preset gives for a campaign."""

from judgments.models import Campaign
from ranking.stats.analysis import StudyKind
from ranking.stats.choices import RECOMMENDED, Choices
from ranking.stats.comparisons.parameters import DESIGN, Parameters


def preset_for(campaign: Campaign, study: StudyKind, name: str) -> Choices:
    """Where screens were drawn by what judgments left undecided, recommended numbers are about the collection."""
    chosen = study.preset(name)
    if campaign.is_adaptive and name == RECOMMENDED and isinstance(chosen, Parameters):
        return chosen.changed(weights=DESIGN)
    return chosen
