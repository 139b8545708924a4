"""What the platform knows about the questions of a datasheet, computed when it is shown."""

from collections.abc import Iterator, Mapping
from itertools import chain

from django.db.models import Count, Q
from django.utils.translation import get_language_info

from judgments.charts.numbers import quantity, text_list
from judgments.models import Assignment, Campaign, Segment, Slot, System, SystemOutput
from judgments.models.counts import judges_in, with_answers
from judgments.protocols import protocol_of
from judgments.protocols.base import Protocol
from judgments.rules.datasheet.sheet import Answer, Known
from ranking.datasheet.collecting import of_collecting
from ranking.datasheet.results import of_results
from ranking.models import Report

Found = Iterator[tuple[str, Known]]


def known(campaign: Campaign, report: Report | None = None) -> Mapping[str, Known]:
    """What is known, by the number of the question; results are those of the report.

    Nothing is known about how answers were collected if all of them were imported.
    """
    protocol = protocol_of(campaign)
    assignments = Assignment.objects.filter(campaign=campaign)
    is_imported = assignments.unplanned().done().exists() and not assignments.planned().done().exists()
    found = [of_systems(campaign, protocol), of_judges(campaign), of_protocol(campaign, protocol)]
    found.append(of_results(campaign, report))
    return dict(chain(*found, () if is_imported else of_collecting(campaign, protocol)))


def of_systems(campaign: Campaign, protocol: Protocol) -> Found:
    counts = Segment.objects.filter(campaign=campaign).aggregate(
        segments=Count("pk"), documents=Count("document", distinct=True)
    )
    has_texts = protocol.has_outputs
    material = f"{quantity(counts['segments'], 'segment')} in {quantity(counts['documents'], 'document')}"
    yield "2.1", Known(Answer(f"The material has {material}."), "the material")
    outputs = "A version of each segment." if has_texts else "For each usage, whether or how probably it is an error."
    yield "2.2", Known(Answer(outputs), "the protocol")
    chosen, task = ("post-editing", "Correction of grammatical errors.") if has_texts else ("other", "Error detection.")
    yield "2.3", Known(Answer(task, (chosen,)), "the protocol")
    language = language_named(campaign.language)
    yield "2.4", Known(Answer(language), "the settings")
    yield "2.5", Known(Answer(language if has_texts else "N/A"), "the settings")
    if judged := _judged(campaign, protocol):
        yield "3.1.1", Known(Answer(judged), "the judgments")


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


def of_judges(campaign: Campaign) -> Found:
    judges = with_answers(judges_in(campaign)).aggregate(
        all=Count("pk"),
        excluded=Count("pk", filter=Q(excluded_at__isnull=False)),
        invited=Count("pk", filter=Q(invitation__isnull=False)),
        shared=Count("pk", filter=Q(came_by__isnull=False)),
        workers=Count("pk", filter=~Q(worker="")),
    )
    if judges["all"]:
        excluded = f"; excluded: {judges['excluded']}" if judges["excluded"] else ""
        yield "3.2.1", Known(Answer(f"{judges['all'] - judges['excluded']}{excluded}"), "the judgments")
    ways = {"a personal link": "invited", "a link for many": "shared", "a crowd platform": "workers"}
    came = [f"{judges[key]} by {way}" for way, key in ways.items() if judges[key]]
    if came:
        yield "3.2.3", Known(Answer(f"Of {quantity(judges['all'], 'judge')}, {text_list(came)}."), "the links")


def of_protocol(campaign: Campaign, protocol: Protocol) -> Found:
    def chosen(*names: str, words: str = "") -> Known:
        return Known(Answer(words, names), "the protocol")

    yield "4.2.1", chosen("subjective")
    yield "4.2.3", chosen("intrinsic")
    if protocol.has_candidates:
        yield "4.1.3", chosen("input")
    yield "4.2.2", chosen("relative" if protocol.has_candidates else "absolute")
    if protocol.instrument:
        yield "4.3.8", chosen(protocol.instrument.elicitation)
