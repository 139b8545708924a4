"""What the language of a campaign means for metrics: some know only one language, and words need spaces."""

from collections.abc import Iterable

from judgments.models import Campaign
from judgments.rules.errors import Refused
from ranking.metrics import catalogue
from ranking.metrics.catalogue import LANGUAGE, METRICS, language_of
from ranking.metrics.errant_parser import ENGLISH, is_installed

# Languages that are usually written without spaces between words.
UNSPACED = frozenset({"bo", "dz", "ja", "km", "lo", "my", "th", "yue", "zh"})


def language_code(campaign: Campaign) -> str:
    """Return the language without its region, as metrics and parsers know it: `de` of `de-AT`."""
    return campaign.language.lower().partition("-")[0]


def usual_metrics(campaign: Campaign) -> list[str]:
    return _in_language(campaign, catalogue.USUAL)


def known_metrics(campaign: Campaign) -> list[str]:
    """Return all metrics that know the language of a campaign; ERRANT does if there is a parser."""
    return _in_language(campaign, METRICS)


def check_language(campaign: Campaign, metrics: Iterable[str]) -> None:
    """Refuse metrics that would take the texts for another language."""
    language = language_code(campaign)
    others = {name: known for name in metrics if (known := language_of(name)) not in (None, language)}
    if not others:
        return
    ours = f"errant:{LANGUAGE}={language}"
    advice = f"write {ours}, " if "errant" in others and is_installed(language) else ""
    raise Refused(
        f"{', '.join(others)}: for texts in another language ({', '.join(sorted(set(others.values())))}) than this"
        f" campaign's ({language}). Choose other metrics, {advice}or correct the language in the settings."
    )


def has_spaces(campaign: Campaign) -> bool:
    return language_code(campaign) not in UNSPACED


def _in_language(campaign: Campaign, metrics: Iterable[str]) -> list[str]:
    language = language_code(campaign)
    found = [name for name in metrics if language_of(name) in (None, language)]
    if language != ENGLISH and is_installed(language):
        found.append(f"errant:{LANGUAGE}={language}")
    return found
