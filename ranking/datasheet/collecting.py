"""What the platform knows about how answers are collected on it."""

from collections.abc import Iterator

from judgments.charts.numbers import quantity, text_list
from judgments.judges.exclusion import rule_of
from judgments.models import Campaign
from judgments.protocols.base import Protocol
from judgments.protocols.registry import examples_of, questions_of
from judgments.rules.datasheet.questions import OTHER
from judgments.rules.datasheet.sheet import Answer, Known
from ranking.numbers.version import VERSION

FAVOURED = "Sentences with more distinct outputs are more likely to be drawn", "stratified"
BY_JUDGMENTS = "Sentences are drawn one after the other by what the judgments so far leave undecided", OTHER
DRAWN = {
    Campaign.Sampling.PUBLISHED: FAVOURED,
    Campaign.Sampling.CHANCE: ("Sentences are drawn by chance, all alike", "random"),
    Campaign.Sampling.DISTINCT: FAVOURED,
    Campaign.Sampling.UNDECIDED: BY_JUDGMENTS,
    Campaign.Sampling.FIRST_RANKS: BY_JUDGMENTS,
    Campaign.Sampling.DIVERSE: ("The sentences whose outputs differ most are chosen", OTHER),
}


def of_collecting(campaign: Campaign, protocol: Protocol) -> Iterator[tuple[str, Known]]:
    if campaign.design == Campaign.Design.SAMPLED:
        drawn, kind = DRAWN[Campaign.Sampling(campaign.sampling)]
        yield "3.1.2", Known(Answer(f"{drawn}, by a seed.", (kind,)), "the settings")
    texts = _texts(campaign)
    yield "3.2.4", _settings(f"Before they begin, judges get {text_list(texts)}." if texts else "None on the platform.")
    yield "3.3.2", Known(Answer(f"In a web browser, with Appraise GEC {VERSION}."), "the platform")
    yield "3.3.4", Known(Answer(_page(campaign, protocol)), "the protocol")
    freedom = (
        f"Answers have no time limit. Screens come in batches of {campaign.batch_size}; judges can stop at any screen "
        "and return later."
    )
    yield "3.3.5", Known(Answer(freedom, ("neither",)), "the settings")
    yield "3.3.6", Known(Answer("Every screen has a field for remarks."), "the platform")
    stored = (
        "The platform stores judges' names in the campaign, answers, times and remarks, and workers' numbers on crowd "
        "platforms; no network addresses."
    )
    yield "5.2", Known(Answer(stored), "the platform")
    if campaign.pay:
        paid = f"Judges earn {campaign.pay}."
        yield "3.2.2", Known(Answer(paid, ("paid",)), "the settings")
        yield "D2", _settings(paid)
    yield "3.3.3", _quality_control(campaign)
    yield from _words(campaign, protocol, texts)
    yield from _scale(campaign, protocol)


def _settings(words: str) -> Known:
    return Known(Answer(words), "the settings")


def _percent(share: float) -> str:
    return f"{100 * share:g} %"


def _quality_control(campaign: Campaign) -> Known:
    has_rule = campaign.control_pass_share is not None or campaign.least_seconds is not None
    controls = f"Controls are {_percent(campaign.control_share)} of the screens." if campaign.control_share else ""
    repeats = f"{_percent(campaign.repeat_share)} of a batch is shown again." if campaign.repeat_share else ""
    chosen = {"automatic": has_rule or controls, "judges-excluded": has_rule}
    words = " ".join(filter(None, [controls, repeats, rule_of(campaign)]))
    return Known(Answer(words, tuple(name for name, applies in chosen.items() if applies)), "the settings")


def _texts(campaign: Campaign) -> list[str]:
    """What judges read before the first screen."""
    examples, questions = len(examples_of(campaign)), len(questions_of(campaign))
    passing = f"{_percent(campaign.pass_share)} right in at most {quantity(campaign.most_attempts, 'attempt')}"
    found = {
        "a consent text": campaign.consent,
        f"a tutorial of {quantity(examples, 'example')}": examples,
        f"{quantity(questions, 'question')} ({passing})": questions,
        "instructions": campaign.instructions,
    }
    return [text for text, exists in found.items() if exists]


def _page(campaign: Campaign, protocol: Protocol) -> str:
    if protocol.has_candidates:
        shown = (
            f"a sentence with up to {campaign.screen_size} corrected versions, in an order drawn for each judge, "
            "without the names of systems"
        )
    else:
        shown = "a sentence" if protocol.has_outputs else "a sentence with a marked usage"
    return f"A page that shows {shown}, and opens the sentences around it."


def _words(campaign: Campaign, protocol: Protocol, texts: list[str]) -> Iterator[tuple[str, Known]]:
    if campaign.instructions:
        yield "4.3.2", _settings(campaign.instructions)
    yield "4.3.7", Known(Answer(str(protocol.task)), "the protocol")
    if texts:
        yield "D1", _settings(f"Judges read {text_list(texts)}.")
    if campaign.consent:
        yield "D3", _settings(f"Before they begin, judges agree to this text:\n\n{campaign.consent}")


def _scale(campaign: Campaign, protocol: Protocol) -> Iterator[tuple[str, Known]]:
    instrument = protocol.instrument
    if instrument is None:
        return
    size = instrument.size(campaign) if instrument.size else "N/A"
    for number, words in (
        ("4.3.3", str(size)), ("4.3.4", instrument.values(campaign) or "N/A"), ("4.3.6", instrument.task or "N/A"),
    ):  # fmt: skip
        yield number, Known(Answer(words), "the protocol")
    yield "4.3.5", Known(Answer("", (instrument.form,)), "the protocol")
