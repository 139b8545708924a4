"""Texts of a campaign as input for metrics, which know nothing of Django; what its language means for them; and edits
that ERRANT proposes to judges."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from django.db import transaction
from django.db.models.functions import Coalesce

from judgments.models import Assignment, Campaign, Segment, System, SystemOutput
from judgments.protocols import protocol_of
from judgments.rules.errors import Refused
from judgments.rules.texts.m2 import UNCLEAR, kind_in_m2
from ranking.metrics import catalogue
from ranking.metrics.base import Progress, no_progress
from ranking.metrics.catalogue import LANGUAGE, language_of
from ranking.metrics.errant_parser import ENGLISH, LACKING_MODEL, is_installed
from ranking.metrics.material import Edit, Material, MetricError

# Languages that are usually written without spaces between words.
UNSPACED = frozenset({"bo", "dz", "ja", "km", "lo", "my", "th", "yue", "zh"})


@contextmanager
def metric_errors_refused() -> Iterator[None]:
    """Turn metric errors into refusals with the same message; a context manager or decorator."""
    try:
        yield
    except MetricError as reason:
        raise Refused(str(reason)) from reason


def outputs_of(
    campaign: Campaign, instead: Sequence[str] | None = None
) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Read the names and outputs of systems that take part; a missing output becomes the text in `instead`, or an
    empty line.
    """
    systems = list(System.objects.filter(campaign=campaign).judged().order_by("name").values_list("pk", "name"))
    texts = _texts(campaign, [pk for pk, _ in systems])
    lines = (
        tuple((instead[place] if instead else "") if text is None else text for place, text in enumerate(texts[pk]))
        for pk, _ in systems
    )
    return tuple(name for _, name in systems), tuple(lines)


def source_of(campaign: Campaign) -> list[str]:
    texts = Segment.objects.filter(campaign=campaign).order_by("position").values_list("text", flat=True)
    source = [text for text in texts if text is not None]
    if not source or len(source) < len(texts):
        raise Refused("The campaign has no source sentences; import them as a file named source.")
    return source


@metric_errors_refused()
def material_of(campaign: Campaign) -> Material:
    """Read source and references; M2 files give edits, other files texts."""
    lines = source_of(campaign)
    references = System.objects.filter(campaign=campaign, kind=System.Kind.REFERENCE).order_by("name")
    chosen = list(references.values_list("pk", flat=True))
    if not chosen:
        raise Refused("The campaign has no references; import an M2 file, or texts marked as references.")
    edits, texts = _edits(campaign, chosen), _texts(campaign, chosen)
    annotated = [reference for reference in chosen if any(known is not None for known in edits[reference])]
    plain = [reference for reference in chosen if reference not in annotated]
    if not annotated:
        return Material.of_texts(lines, [texts[reference] for reference in plain])
    behind = Material.of_edits(lines, [edits[reference] for reference in annotated], UNCLEAR)
    if not plain:
        return behind
    return Material.of_texts(lines, [texts[reference] for reference in plain]).with_edits_of(behind)


def _texts(campaign: Campaign, systems: Sequence[int]) -> dict[int, list[str | None]]:
    """Read texts by system, None for a missing sentence."""
    return _by_system(campaign, systems, Coalesce("verbatim", "candidate__text"))


def _edits(campaign: Campaign, systems: Sequence[int]) -> dict[int, list[tuple[Edit, ...] | None]]:
    """Read edits by system, None for a sentence without annotation.

    A type means what it means in M2, except where judges of another campaign chose it as a category of their edits.
    """
    by_judges = set(System.objects.filter(pk__in=systems).exclude(taken_from="").values_list("pk", flat=True))

    def read(stored: list[Any] | None, is_made: bool) -> tuple[Edit, ...] | None:
        return None if stored is None else tuple(
            Edit(start, end, tuple(corrections), kind_in_m2(kind) if is_made else kind)
            for start, end, corrections, kind in stored
        )  # fmt: skip

    found = _by_system(campaign, systems, "edits")
    return {system: [read(stored, system in by_judges) for stored in rows] for system, rows in found.items()}


def _by_system(campaign: Campaign, systems: Sequence[int], column: str | Coalesce) -> dict[int, list[Any]]:
    """Read one column as a list per system, with a value or None for each sentence."""
    positions = Segment.objects.filter(campaign=campaign).order_by("position").values_list("position", flat=True)
    places = {position: place for place, position in enumerate(positions)}
    found: dict[int, list[Any]] = {system: [None] * len(places) for system in systems}
    outputs = SystemOutput.objects.filter(system__in=systems, segment__campaign=campaign)
    for system, position, value in outputs.values_list("system", "segment__position", column):
        found[system][places[position]] = value
    return found


def language_code(campaign: Campaign) -> str:
    """Return the language without its region, as metrics and parsers know it: `de` of `de-AT`."""
    return campaign.language.lower().partition("-")[0]


def usual_metrics(campaign: Campaign) -> list[str]:
    return metrics_in_language(campaign, catalogue.USUAL)


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


def metrics_in_language(campaign: Campaign, metrics: Iterable[str]) -> list[str]:
    """Return those that know the language of a campaign; ERRANT does if there is a parser."""
    language = language_code(campaign)
    found = [name for name in metrics if language_of(name) in (None, language)]
    if language != ENGLISH and is_installed(language):
        found.append(f"errant:{LANGUAGE}={language}")
    return found


def has_spaces(campaign: Campaign) -> bool:
    """Whether there are spaces between words."""
    return language_code(campaign) not in UNSPACED


@metric_errors_refused()
@transaction.atomic
def propose_edits(campaign: Campaign, progress: Progress = no_progress) -> int:
    """Store ERRANT's edits with every output that came without edits; return how many outputs those are."""
    from ranking.metrics.errant_edits import extractor

    if not protocol_of(campaign).uses("edit_verdicts"):
        raise Refused("Only campaigns with verdicts on edits show edits to be judged one by one.")
    language = language_code(campaign)
    if language != ENGLISH and not is_installed(language):
        raise Refused(f"{LACKING_MODEL.format(language)} Or upload an M2 file of each system.")
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    if Assignment.objects.filter(campaign=campaign, judge__isnull=False).exists():
        raise Refused("Judges have begun; all must see the same edits. Create a new campaign for other edits.")
    written = System.objects.filter(campaign=campaign).exclude(kind__in=[System.Kind.SOURCE, System.Kind.REFERENCE])
    outputs = SystemOutput.objects.filter(system__in=written, edits__isnull=True, segment__text__isnull=False)
    lacking = list(outputs.exclude(candidate__text=None).select_related("candidate", "segment").order_by("segment"))
    pairs = [(output.segment.text or "", output.candidate.text or "") for output in lacking]
    found = extractor(language).edits(pairs, progress)
    for output, pair in zip(lacking, pairs, strict=True):
        output.edits = [[edit.start, edit.end, [*edit.corrections], edit.kind] for edit in found[pair]]
    SystemOutput.objects.bulk_update(lacking, ["edits"], batch_size=500)
    return len(lacking)
