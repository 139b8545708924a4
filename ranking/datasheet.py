"""The datasheet of a campaign: what the platform knows, computed when it is shown, and what the organiser answers."""

import re
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import chain
from typing import Any

from django.db.models import Count, F, Q
from django.utils.translation import get_language_info

from judgments.campaigns.settings import configure
from judgments.charts.numbers import quantity, text_list
from judgments.judges.exclusion import rule_of
from judgments.models import Assignment, Campaign, Segment, Slot, System, SystemOutput
from judgments.models.assignments import judges_in, with_answers
from judgments.protocols import protocol_of
from judgments.protocols.base import Protocol
from judgments.protocols.registry import examples_of, questions_of
from judgments.rules.datasheet.files import form_text, json_text, to_markdown
from judgments.rules.datasheet.sheet import (
    OTHER,
    QUESTIONS,
    Edition,
    KnownAnswer,
    Sheet,
    SheetAnswer,
    Source,
    sheet_of,
    stored_form,
)
from ranking.charts.power import answer as answer_on_power
from ranking.charts.power import needs
from ranking.models import AnalysisPlan, Prediction, Report
from ranking.numbers.version import VERSION
from ranking.power.predicting import systems_compared
from ranking.reports.answers import CITATION
from ranking.reports.downloads import answer_in
from ranking.reports.plans import known_at
from ranking.stats.comparisons.judges import OVERALL

# Files by their ending: how the page offers them, their type, and how they are written.
FILES = {
    "md": ("as Markdown", "text/markdown; charset=utf-8", to_markdown),
    "json": ("as JSON", "application/json", json_text),
    "heds.json": ("for the official form", "application/json", form_text),
}
FAVOURED = "Sentences with more distinct outputs are more likely to be drawn", "stratified"
BY_JUDGMENTS = "Sentences are drawn one after the other by what the judgments so far leave undecided", OTHER
DRAWN = {
    Campaign.Sampling.PUBLISHED: FAVOURED,
    Campaign.Sampling.CHANCE: ("Sentences are drawn with equal probability", "random"),
    Campaign.Sampling.DISTINCT: FAVOURED,
    Campaign.Sampling.UNDECIDED: BY_JUDGMENTS,
    Campaign.Sampling.FIRST_RANKS: BY_JUDGMENTS,
    Campaign.Sampling.DIVERSE: ("The sentences whose outputs differ most are chosen", "systematic"),
}
# What is known about a question, by its number.
Knowledge = Iterator[tuple[str, KnownAnswer]]


def reports_for(campaign: Campaign) -> list[Report]:
    """Finished reports, the default first: published ones, the newest first, and then the others."""
    finished = Report.objects.finished(campaign).select_related("campaign")
    return list(finished.order_by(F("publication").desc(nulls_last=True), "-pk"))


def datasheet_of(campaign: Campaign, report: Report | None, edition: Edition = Edition.HEDS_3) -> Sheet:
    source = Source(report.pk, report.name) if report else None
    # An imported campaign can hold any empty value, because Django validates none.
    return sheet_of(known_answers(campaign, report), campaign.datasheet or {}, source, edition)


def save(campaign: Campaign, answers: Mapping[str, SheetAnswer]) -> None:
    """Replace the organiser's answers to these questions; empty ones, and those to none of ours, are removed."""
    known = {number: given for number, given in (campaign.datasheet or {}).items() if number in QUESTIONS}
    stored = {number: SheetAnswer.of(given) for number, given in known.items()}
    configure(campaign, datasheet=stored_form({**stored, **answers}))


def known_answers(campaign: Campaign, report: Report | None = None) -> Mapping[str, KnownAnswer]:
    """What is known, by the number of the question; results are those of the report.

    Nothing is known about how answers were collected if all of them were imported.
    """
    protocol = protocol_of(campaign)
    assignments = Assignment.objects.filter(campaign=campaign)
    is_imported = assignments.unplanned().done().exists() and not assignments.planned().done().exists()
    found = [
        _about_systems(campaign, protocol), _about_power(campaign), _about_judges(campaign),
        _about_results(campaign, report),
    ]  # fmt: skip
    if not is_imported:
        found += [_about_collecting(campaign, protocol), _about_words(campaign, protocol)]
    return dict(chain(*found))


def _known(origin: str, words: str = "", *chosen: str) -> KnownAnswer:
    """Words, the names of options that apply, and where the platform looked."""
    return KnownAnswer(SheetAnswer(words, chosen), origin)


SETTINGS, PROTOCOL = partial(_known, "the settings"), partial(_known, "the protocol")
PLATFORM, JUDGMENTS = partial(_known, "the platform"), partial(_known, "the judgments")


def _about_systems(campaign: Campaign, protocol: Protocol) -> Knowledge:
    """What systems do, and what is asked of their outputs."""
    counts = Segment.objects.filter(campaign=campaign).aggregate(
        segments=Count("pk"), documents=Count("document", distinct=True)
    )
    has_texts, language = protocol.has_outputs, language_named(campaign.language)
    material = f"{quantity(counts['segments'], protocol.unit)} in {quantity(counts['documents'], 'document')}"
    outputs = (
        f"A version of each {protocol.unit}." if has_texts else "For each usage, whether or how likely it is wrong."
    )
    task = ("Correction of grammatical errors.", "post-editing") if has_texts else ("Error detection.", "other")
    yield "2.1", _known("the material", f"The material has {material}.")
    yield "2.2", PROTOCOL(outputs)
    yield "2.3", PROTOCOL(*task)
    yield "2.4", SETTINGS(language)
    yield "2.5", SETTINGS(language if has_texts else "N/A")
    if judged := _judged(campaign, protocol):
        yield "3.1.1", JUDGMENTS(judged)
    yield "4.2.1", PROTOCOL("", "subjective")
    yield "4.2.3", PROTOCOL("", "intrinsic")
    if protocol.has_candidates:
        yield "4.1.3", PROTOCOL("", "input")
    yield "4.2.2", PROTOCOL("", "relative" if protocol.has_candidates else "absolute")
    if instrument := protocol.instrument(campaign):
        yield "4.3.8", PROTOCOL("", instrument.elicitation)


def language_named(tag: str) -> str:
    """The English name of a language, as far as Django knows it: Polish (pl)."""
    try:
        return f"{get_language_info(tag.lower())['name']} ({tag})"
    except KeyError:
        return tag


def _judged(campaign: Campaign, protocol: Protocol) -> str:
    """How many outputs of each system, or else how many sentences or usages, somebody who counts has judged."""
    done = Assignment.objects.filter(campaign=campaign, judge__excluded_at=None).done()
    if not protocol.has_candidates:
        judged, what = ("screen__segment", "segment") if protocol.has_outputs else ("screen__usage", "usage")
        number = done.aggregate(number=Count(judged, distinct=True))["number"]
        return quantity(number, what) if number else ""
    shown = Slot.objects.filter(screen__in=done.values("screen"))
    systems = System.objects.filter(campaign=campaign).judged()
    outputs = SystemOutput.objects.filter(candidate__in=shown.values("candidate"), system__in=systems)
    numbers = list(outputs.order_by("system__name").values_list("system__name").annotate(number=Count("pk")))
    if len({number for _, number in numbers}) == 1:
        return f"{numbers[0][1]:,} of each of {len(numbers)} systems"
    return "; ".join(f"{name}: {number:,}" for name, number in numbers)


def _about_power(campaign: Campaign) -> Knowledge:
    """The newest prediction of what screens would separate, in the sentences of its own page."""
    job = Prediction.objects.filter(state=Prediction.State.DONE).newest(campaign)
    if not job or not (table := job.table()):
        return
    known, assumed = partial(_known, "the power study"), job.payload["assumptions"]
    values = text_list([f"{name} {value:g}" for name, value in (assumed or {}).items()])
    method = (
        f"Simulation of {quantity(job.simulated, 'campaign')} with these screens; systems and judges follow "
        f"{f'assumptions ({values})' if assumed else 'the judgments so far'}; each is analysed like a report."
    )
    result = [
        answer_on_power(table, systems_compared(campaign)),
        "To separate two systems whose scores differ by so much, in four of five campaigns:",
        # Without the advice to organisers.
        *(f"{difference:g}: {what.partition(';')[0]}" for difference, what in needs(table)),
    ]
    yield "3.1.3.1", known(method)
    yield "3.1.3.2", known("\n".join(result))
    yield "3.1.3.3", known(f"Appraise GEC {VERSION}, ranking/power.")


def _about_judges(campaign: Campaign) -> Knowledge:
    judges = with_answers(judges_in(campaign)).aggregate(
        all=Count("pk"),
        excluded=Count("pk", filter=Q(excluded_at__isnull=False)),
        invited=Count("pk", filter=Q(invitation__isnull=False)),
        shared=Count("pk", filter=Q(came_by__isnull=False)),
        workers=Count("pk", filter=~Q(worker="")),
    )
    if judges["all"]:
        excluded = f"; excluded: {judges['excluded']}" if judges["excluded"] else ""
        yield "3.2.1", JUDGMENTS(f"{judges['all'] - judges['excluded']}{excluded}")
    ways = {"a personal link": "invited", "a link for many": "shared", "a crowd platform": "workers"}
    came = [f"{judges[key]} by {way}" for way, key in ways.items() if judges[key]]
    if came:
        yield "3.2.3", _known("the links", f"Of {quantity(judges['all'], 'judge')}, {text_list(came)}.")


def _about_results(campaign: Campaign, report: Report | None) -> Knowledge:
    """What the plan of analysis and a report say."""
    if plan := AnalysisPlan.objects.filter(campaign=campaign).order_by("pk").first():
        known = known_at(campaign, plan)
        when = f"after {known}, so it is not a preregistration" if known else "before the first judgment"
        yield (
            "3.3.1",
            _known("the plan of analysis", f"A plan of analysis was fixed on {plan.fixed_at:%Y-%m-%d}, {when}."),
        )
    answer = answer_in(report) if report else None
    if report and answer and answer.paper:
        choices = (
            f"{name.replace('_', ' ')} {', '.join(map(str, value)) if isinstance(value, list) else value}"
            for name, value in report.parameters.items()
        )
        yield "4.3.9", _known(report.name, re.sub(f" {CITATION.pattern}", "", answer.paper.methods))
        yield "4.3.10", _known(report.name, f"As described in 4.3.9, with these choices: {'; '.join(choices)}.")
    if report and answer and answer.agreement:
        # Not every kind of report compares judges with themselves.
        for part in ["4.3.11", "4.3.12"] if OVERALL["overall intra"] in answer.agreement else ["4.3.11"]:
            yield f"{part}.1", _known(report.name, "As described in 4.3.9.")
            yield f"{part}.2", _known(report.name, f"Agreement of the judges: {answer.agreement}.")


def _about_collecting(campaign: Campaign, protocol: Protocol) -> Knowledge:
    """How answers are collected on the platform."""
    if campaign.design == Campaign.Design.SAMPLED:
        drawn, kind = DRAWN[Campaign.Sampling(campaign.sampling)]
        yield "3.1.2", SETTINGS(f"{drawn}, by a seed.", kind)
    if protocol.has_candidates:
        shown = (
            f"a sentence with up to {campaign.screen_size} corrected versions, in an order drawn for each judge, "
            "without the names of systems"
        )
    else:
        shown = "a sentence" if protocol.has_outputs else "a sentence with a marked usage"
    yield "3.3.2", PLATFORM(f"In a web browser, with Appraise GEC {VERSION}.")
    yield "3.3.4.2", PROTOCOL(f"A page that shows {shown}, and opens the sentences around it.")
    freedom = (
        f"Answers have no time limit. Screens come in batches of {campaign.batch_size}; judges can stop at any screen "
        "and return later."
    )
    yield "3.3.5", SETTINGS(freedom, "neither")
    yield "3.3.6", PLATFORM("Every screen has a field for remarks.")
    kept = (
        "The platform stores judges' names in the campaign, answers, times and remarks, and workers' numbers on crowd "
        "platforms; no network addresses."
    )
    yield "5.2", PLATFORM(kept)
    if campaign.pay:
        paid = f"Judges earn {campaign.pay}."
        yield "3.2.2.2", SETTINGS(paid)
        yield "D2", SETTINGS(paid)
    has_rule = campaign.control_pass_share is not None or campaign.least_seconds is not None
    shares = {"are controls": campaign.control_share, "repeat an earlier one": campaign.repeat_share}
    wanted = text_list([f"{_percent(share)} {what}" for what, share in shares.items() if share])
    plan = f"The plan asks for screens of which {wanted}." if wanted else ""
    kinds = {"automatic": has_rule or campaign.control_share, "judges-excluded": has_rule}
    if chosen := [name for name, applies in kinds.items() if applies]:
        yield "3.3.3.1", SETTINGS("", *chosen)
    if checks := " ".join(filter(None, [plan, rule_of(campaign)])):
        yield "3.3.3.2", SETTINGS(checks)


def _percent(share: float) -> str:
    return f"{100 * share:g}%"


def _about_words(campaign: Campaign, protocol: Protocol) -> Knowledge:
    """What judges read, and the scale on which they answer."""
    examples, questions = len(examples_of(campaign)), len(questions_of(campaign))
    passing = f"{_percent(campaign.pass_share)} right in at most {quantity(campaign.most_attempts, 'attempt')}"
    before: dict[str, Any] = {
        "a consent text": campaign.consent,
        f"a tutorial of {quantity(examples, 'example')}": examples,
        f"{quantity(questions, 'question')} ({passing})": questions,
        "instructions": campaign.instructions,
    }
    texts = text_list([text for text, exists in before.items() if exists])
    yield "3.2.4", SETTINGS(f"Before they begin, judges get {texts}." if texts else "None on the platform.")
    yield "4.3.7", PROTOCOL(str(protocol.task))
    if campaign.instructions:
        yield "4.3.2", SETTINGS(campaign.instructions)
    if texts:
        yield "D1", SETTINGS(f"Judges read {texts}.")
    if campaign.consent:
        yield "D3", SETTINGS(f"Before they begin, judges agree to this text:\n\n{campaign.consent}")
    if instrument := protocol.instrument(campaign):
        yield "4.3.3", PROTOCOL(str(instrument.size or "N/A"))
        yield "4.3.4", PROTOCOL(instrument.values or "N/A")
        yield "4.3.5", PROTOCOL("", instrument.form)
        yield "4.3.6", PROTOCOL(instrument.task or "N/A")
