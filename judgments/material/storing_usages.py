"""Taking usages in, and what systems say of them: one transaction, all or nothing."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from django.db import transaction
from django.db.models import Max

from judgments.material.rules import usages_reading
from judgments.material.rules.usages import Usages, in_documents
from judgments.material.storing import refuse_closed
from judgments.models import Campaign, Classification, Document, Segment, System, Usage
from judgments.models.journal import note
from judgments.protocols import protocol_of
from judgments.protocols.base import USAGES
from judgments.protocols.registry import names_of, protocols_about
from judgments.rules.errors import Refused
from judgments.rules.progress import Progress, no_progress

ROWS_AT_ONCE = 1000


class TakenUsages(NamedTuple):
    """What came in: how many usages in how many sentences, how many systems, how often they say something."""

    usages: int
    segments: int
    systems: int
    classifications: int


def known_usages(campaign: Campaign) -> dict[str, usages_reading.Usage]:
    """What the campaign has already, by id."""
    rows = Usage.objects.filter(campaign=campaign).order_by("pk")
    along = ("segment__document__name", "segment__document__domain", "segment__text")
    found = rows.values_list("name", *along, "start", "end", "gold")
    return {
        name: usages_reading.Usage(name, document, text or "", start, end, gold, domain)
        for name, document, domain, text, start, end, gold in found.iterator(ROWS_AT_ONCE)
    }


def newest_usage(campaign: Campaign) -> int | None:
    """What changes when usages come in."""
    return Usage.objects.filter(campaign=campaign).aggregate(newest=Max("pk"))["newest"]


def refuse_other_material(campaign: Campaign) -> None:
    """Refuse usages where sentences are wanted."""
    if protocol_of(campaign).material != USAGES:
        names = names_of(protocols_about(USAGES))
        raise Refused(
            f"Usages go into {names} campaigns; {campaign.slug} is a {campaign.protocol} campaign. "
            "Make another for verdicts."
        )


def foresee(campaign: Campaign, usages: Usages) -> list[str]:
    """The names of systems whose word would be replaced; refuse what storing would refuse."""
    refuse_closed(campaign)
    there = {name.casefold(): name for name in System.objects.filter(campaign=campaign).values_list("name", flat=True)}
    for name in usages.classes:
        if there.get(name.casefold(), name) != name:
            raise Refused(f"There is a system {there[name.casefold()]} already; {name} is too much like it.")
    return [name for name in usages.classes if name.casefold() in there]


@transaction.atomic
def store_usages(campaign: Campaign, usages: Usages, progress: Progress = no_progress) -> TakenUsages:
    """Store checked usages behind those that are there; what a system says anew takes the place of what it said."""
    campaign = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    refuse_other_material(campaign)
    replaced = foresee(campaign, usages)
    segments = _store_usages(campaign, usages.usages)
    numbers = dict(Usage.objects.filter(campaign=campaign).values_list("name", "pk"))
    there = System.objects.filter(campaign=campaign)
    Classification.objects.filter(system__in=there.filter(name__in=usages.classes)).delete()
    System.objects.bulk_create(System(campaign=campaign, name=name) for name in usages.classes if name not in replaced)
    systems = dict(there.values_list("name", "pk"))
    for done, (name, said) in enumerate(usages.classes.items(), 1):
        Classification.objects.bulk_create(
            (
                Classification(system_id=systems[name], usage_id=numbers[usage], probability=value)
                for usage, value in said.items()
            ),
            batch_size=ROWS_AT_ONCE,
        )
        progress(done, len(usages.classes))
    told = TakenUsages(
        len(usages.usages), segments, len(usages.classes) - len(replaced), sum(map(len, usages.classes.values()))
    )
    names = f" and {', '.join(usages.classes)}" if usages.classes else ""
    note(campaign, f"brought in {told.usages} usages{names} ({told.classifications} classifications)")
    return told


def _store_usages(campaign: Campaign, usages: Iterable[usages_reading.Usage]) -> int:
    """Write usages with their sentences, of which those that are there already are shared; how many are new."""
    places = in_documents(usages)
    documents = _documents(campaign, {document: together[0].domain for (document, _), together in places.items()})
    rows = Segment.objects.filter(campaign=campaign)
    there = {(document, text): pk for document, text, pk in rows.values_list("document__name", "text", "pk")}
    last = rows.aggregate(last=Max("position"))["last"]
    new = [place for place in places if place not in there]
    made = Segment.objects.bulk_create(
        (
            Segment(campaign=campaign, document_id=documents[document], position=position, text=text)
            for position, (document, text) in enumerate(new, 0 if last is None else last + 1)
        ),
        batch_size=ROWS_AT_ONCE,
    )
    there |= {place: segment.pk for place, segment in zip(new, made, strict=True)}
    Usage.objects.bulk_create(
        (
            Usage(
                campaign=campaign,
                name=one.id,
                segment_id=there[place],
                start=one.start,
                end=one.end,
                gold=one.gold,
            )
            for place, together in places.items()
            for one in together
        ),
        batch_size=ROWS_AT_ONCE,
    )
    return len(new)


def _documents(campaign: Campaign, domains: Mapping[str, str]) -> dict[str, int]:
    """The key of each document, written with its domain where it is new."""
    there = dict(Document.objects.filter(campaign=campaign).values_list("name", "pk"))
    made = Document.objects.bulk_create(
        Document(campaign=campaign, name=name, domain=domain) for name, domain in domains.items() if name not in there
    )
    return there | {document.name: document.pk for document in made}
