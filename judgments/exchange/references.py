"""Using the corrections of one campaign as references in another, so that metrics compare systems with them."""

from hashlib import sha256
from typing import NamedTuple

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from judgments.campaigns.access import campaigns_run_by
from judgments.exchange.exporters.base import NO_OPTIONS
from judgments.exchange.exporters.corrections import correctors, has_corrections, sentences
from judgments.material.rules.contents import Edits, Lines, UploadedMaterial
from judgments.material.storing import refuse_closed, store_material
from judgments.models import Campaign, Candidate, Segment, System
from judgments.models.journal import note
from judgments.models.members import Visitor
from judgments.protocols import protocol_of
from judgments.rules.errors import Refused
from judgments.rules.files.names import fault_of_name
from judgments.rules.texts.edits import apply_edits
from judgments.rules.texts.token_edits import by_tokens

DIGITS = 8


class Used(NamedTuple):
    """The names of the references, the number of their sentences, and a digest."""

    references: tuple[str, ...]
    sentences: int
    digest: str


def matching_campaigns(user: Visitor, source: Campaign) -> list[Campaign]:
    """Return the user's other campaigns with the same sentences, which can use corrections of this one."""
    closed = (Campaign.State.CLOSED, Campaign.State.ARCHIVED)
    others = campaigns_run_by(user).exclude(pk=source.pk).exclude(state__in=closed)
    counted = others.annotate(lines=Count("segment")).filter(lines=Segment.objects.filter(campaign=source).count())
    return [campaign for campaign in counted.order_by("name", "pk") if not _differing(source, campaign).exists()]


@transaction.atomic
def use_corrections(source: Campaign, target: Campaign) -> Used:
    """Use each judge's corrections as a reference, without excluded judges; replace earlier ones from this source."""
    target = Campaign.objects.select_for_update(no_key=True).get(pk=target.pk)
    _refuse_misfit(source, target)
    references = _references(source)
    _delete_earlier(source, target, {lines.name for lines in references})
    store_material(target, UploadedMaterial(places=[], source=None, references=references))
    names = tuple(lines.name for lines in references)
    System.objects.filter(campaign=target, name__in=names).update(taken_from=source.slug)
    content = repr([(lines.name, lines.texts, lines.edits) for lines in references])
    digest = sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]
    note(target, f"took the corrections of {source.slug} as references {', '.join(names)} (data:{digest})")
    note(source, f"gave its corrections to {target.slug} as references (data:{digest})")
    return Used(names, len(references[0].texts), digest)


def _refuse_misfit(source: Campaign, target: Campaign) -> None:
    if not has_corrections(protocol_of(source)):
        raise Refused(f"{source.slug} is a {source.protocol} campaign; only corrections can become references.")
    if source.pk == target.pk:
        raise Refused("A campaign's corrections cannot be its own references; choose another campaign.")
    refuse_closed(target)
    lines = Segment.objects.filter(campaign=source).count()
    others = Segment.objects.filter(campaign=target).count()
    if lines != others:
        raise Refused(f"{source.slug} has {lines} sentences and {target.slug} {others}; both need the same sentences.")
    if different := _differing(source, target).first():
        raise Refused(f"Line {different.position + 1} differs between {source.slug} and {target.slug}.")


def _differing(source: Campaign, target: Campaign) -> QuerySet[Segment]:
    """Return the segments of the source whose text is not on the same line of the target."""
    same = Segment.objects.filter(campaign=target, position=OuterRef("position"), text=OuterRef("text"))
    return Segment.objects.filter(~Exists(same), campaign=source).order_by("position")


def _references(source: Campaign) -> list[Lines]:
    """Return a reference for each judge, with a text and edits for each sentence that they judged."""
    judges = list(correctors(source, NO_OPTIONS))
    if not judges:
        raise Refused(f"Nobody has corrected a sentence in {source.slug} yet, so there are no references.")
    texts: list[list[str | None]] = [[] for _ in judges]
    token_edits: list[list[Edits | None]] = [[] for _ in judges]
    for sentence in sentences(source, NO_OPTIONS):
        for number, judge in enumerate(judges):
            edits = sentence.edits(judge)
            tokens = [[start, end, [words], kind] for start, end, words, kind in by_tokens(sentence.text, edits or [])]
            texts[number].append(None if edits is None else apply_edits(sentence.text, edits))
            token_edits[number].append(None if edits is None else tokens)
    names = [f"{source.slug}-{number}" for number in range(len(judges))]
    if fault := fault_of_name(names[0]):
        raise Refused(f"{source.slug} cannot name references: {fault}.")
    return [Lines(*lines) for lines in zip(names, texts, token_edits, strict=True)]


def _delete_earlier(source: Campaign, target: Campaign, names: set[str]) -> None:
    """Delete earlier references from this source; refuse if judges compare one."""
    systems = System.objects.filter(campaign=target)
    earlier, others = systems.filter(taken_from=source.slug), systems.exclude(taken_from=source.slug)
    if other := others.filter(name__in=names).first():
        raise Refused(f"{target.slug} has a {other.kind} {other.name}; rename it, because a reference needs this name.")
    candidates = Candidate.objects.filter(systemoutput__system__in=earlier)
    shown = candidates.filter(slot__isnull=False).exclude(systemoutput__system__in=others)
    if judged := earlier.filter(Q(takes_part=True) | Q(systemoutput__candidate__in=shown)).first():
        why = f"{judged.name} is compared by judges in {target.slug}, so it cannot be replaced."
        raise Refused(f"{why} Use the corrections in a new campaign instead.")
    keys = list(candidates.values_list("pk", flat=True))
    earlier.delete()
    Candidate.objects.filter(pk__in=keys, systemoutput=None, slot=None).delete()
