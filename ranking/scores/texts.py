"""Texts of a campaign as input for metrics, which know nothing of Django, and metric errors as refusals."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from django.db.models.functions import Coalesce

from judgments.models import Campaign, Segment, System, SystemOutput
from judgments.rules.errors import Refused
from judgments.rules.texts.m2 import UNCLEAR, kind_in_m2
from ranking.metrics.material import Edit, Material, MetricError


@contextmanager
def metric_errors_refused() -> Iterator[None]:
    """Turn metric errors into refusals with the same message; a context manager or decorator."""
    try:
        yield
    except MetricError as reason:
        raise Refused(str(reason)) from reason


class Outputs(NamedTuple):
    names: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]


def outputs_of(campaign: Campaign, instead: Sequence[str] | None = None) -> Outputs:
    """Read the outputs of systems that take part; a missing one becomes the text in `instead`, or an empty line."""
    systems = list(System.objects.filter(campaign=campaign).judged().order_by("name").values_list("pk", "name"))
    texts = _texts(campaign, [pk for pk, _ in systems])
    lines = (
        tuple((instead[place] if instead else "") if text is None else text for place, text in enumerate(texts[pk]))
        for pk, _ in systems
    )
    return Outputs(tuple(name for _, name in systems), tuple(lines))


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
    return {
        system: [None if edits is None else tuple(_edit(edit, system in by_judges) for edit in edits) for edits in rows]
        for system, rows in _by_system(campaign, systems, "edits").items()
    }


def _edit(stored: list[Any], is_made: bool) -> Edit:
    start, end, corrections, kind = stored
    return Edit(start, end, tuple(corrections), kind_in_m2(kind) if is_made else kind)


def _by_system(campaign: Campaign, systems: Sequence[int], column: str | Coalesce) -> dict[int, list[Any]]:
    """Read one column as a list per system, with a value or None for each sentence."""
    positions = Segment.objects.filter(campaign=campaign).order_by("position").values_list("position", flat=True)
    places = {position: place for place, position in enumerate(positions)}
    found: dict[int, list[Any]] = {system: [None] * len(places) for system in systems}
    outputs = SystemOutput.objects.filter(system__in=systems, segment__campaign=campaign)
    for system, position, value in outputs.values_list("system", "segment__position", column):
        found[system][places[position]] = value
    return found
