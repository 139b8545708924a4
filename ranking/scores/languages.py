"""What the language of a campaign means for metrics: some know only English, and words need spaces."""

from collections.abc import Iterable

from judgments.models import Campaign
from judgments.rules.errors import Refused
from ranking.metrics import catalogue
from ranking.metrics.catalogue import METRICS, needs_english
from ranking.scores.texts import is_english

# Languages that are usually written without spaces between words.
UNSPACED = frozenset({"bo", "dz", "ja", "km", "lo", "my", "th", "yue", "zh"})


def usual_metrics(campaign: Campaign) -> list[str]:
    return [name for name in catalogue.USUAL if is_english(campaign) or not needs_english(name)]


def known_metrics(campaign: Campaign) -> list[str]:
    """Return all metrics that know the language of a campaign."""
    return [name for name in METRICS if is_english(campaign) or not needs_english(name)]


def check_language(campaign: Campaign, metrics: Iterable[str]) -> None:
    """Refuse metrics that would take another language for English."""
    if is_english(campaign):
        return
    if english := [name for name in metrics if needs_english(name)]:
        raise Refused(
            f"{', '.join(english)}: made for English, and the texts are in another language ({campaign.language})."
            " Choose other metrics, or correct the language in the settings."
        )


def has_spaces(campaign: Campaign) -> bool:
    return campaign.language.lower().partition("-")[0] not in UNSPACED
