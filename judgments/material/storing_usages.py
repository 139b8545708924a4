from collections.abc import Iterable
from typing import NamedTuple

from django.db import transaction
from django.db.models import Max

from judgments.material.rules.usages import GivenUsage, GivenUsages
from judgments.material.storing import refuse_closed
from judgments.models import Campaign, Classification, Document, Segment, System, Usage
from judgments.models.database import store_rows
from judgments.models.journal import note
from judgments.protocols import protocol_of
from judgments.protocols.base import USAGES
from judgments.protocols.registry import names_of, protocols_about
from judgments.rules.errors import Refused
from judgments.rules.progress import Progress, no_progress

ROWS_AT_ONCE = 1000


class TakenUsages(NamedTuple):
    usages: int
    segments: int
    systems: int
    classifications: int


def known_usages(campaign: Campaign) -> dict[str, GivenUsage]:
    if not campaign.pk:
        return {}
    rows = Usage.objects.filter(campaign=campaign).order_by("pk")
    context = ("segment__document__name", "segment__document__domain", "segment__text")
    found = rows.values_list("name", *context, "start", "end", "gold")
    return {
        name: GivenUsage(name, document, text or "", start, end, gold, domain)
        for name, document, domain, text, start, end, gold in found.iterator(ROWS_AT_ONCE)
    }


def systems_to_replace(campaign: Campaign, usages: GivenUsages) -> list[str]:
    """Return the names of systems whose classifications would be replaced; refuse what storing would refuse."""
    refuse_closed(campaign)
    existing = {
        name.casefold(): name for name in System.objects.filter(campaign=campaign).values_list("name", flat=True)
    }
    for name in usages.classes:
        if existing.get(name.casefold(), name) != name:
            raise Refused(f"There is a system {existing[name.casefold()]} already; {name} is too similar.")
    return [name for name in usages.classes if name.casefold() in existing]


@transaction.atomic
def store_usages(campaign: Campaign, usages: GivenUsages, progress: Progress = no_progress) -> TakenUsages:
    """Store checked usages after the existing ones; new classifications of a system replace its earlier ones."""
    campaign = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    if protocol_of(campaign).material != USAGES:
        names = names_of(protocols_about(USAGES))
        raise Refused(
            f"Usages belong in {names} campaigns, but {campaign.slug} is a {campaign.protocol} campaign. "
            "Create another campaign for verdicts."
        )
    replaced = systems_to_replace(campaign, usages)
    segments = _store_usages(campaign, usages.usages)
    numbers = dict(Usage.objects.filter(campaign=campaign).values_list("name", "pk"))
    there = System.objects.filter(campaign=campaign)
    Classification.objects.filter(system__in=there.filter(name__in=usages.classes)).delete()
    System.objects.bulk_create(System(campaign=campaign, name=name) for name in usages.classes if name not in replaced)
    systems = dict(there.values_list("name", "pk"))
    for done, (name, probabilities) in enumerate(usages.classes.items(), 1):
        rows = [(systems[name], numbers[usage], value) for usage, value in probabilities.items()]
        store_rows(Classification, ["system", "usage", "probability"], rows)
        progress(done, len(usages.classes))
    taken = TakenUsages(
        len(usages.usages), segments, len(usages.classes) - len(replaced), sum(map(len, usages.classes.values()))
    )
    names = f" and {', '.join(usages.classes)}" if usages.classes else ""
    note(campaign, f"uploaded {taken.usages} usages{names} ({taken.classifications} classifications)")
    return taken


def _store_usages(campaign: Campaign, usages: Iterable[GivenUsage]) -> int:
    """Write usages with their sentences, reusing existing sentences; return the number of new ones."""
    # By document and sentence, in the order of the first usage of each.
    places: dict[tuple[str, str], list[GivenUsage]] = {}
    for usage in usages:
        places.setdefault((usage.document, usage.sentence), []).append(usage)
    domains = {document: together[0].domain for (document, _), together in places.items()}
    documents = dict(Document.objects.filter(campaign=campaign).values_list("name", "pk"))
    missing = [(campaign.pk, name, domain) for name, domain in domains.items() if name not in documents]
    added = store_rows(Document, ["campaign", "name", "domain"], missing)
    documents |= {name: pk for (_, name, _), pk in zip(missing, added, strict=True)}
    rows = Segment.objects.filter(campaign=campaign)
    there = {(document, text): pk for document, text, pk in rows.values_list("document__name", "text", "pk")}
    last = rows.aggregate(last=Max("position"))["last"]
    new = [place for place in places if place not in there]
    made = store_rows(
        Segment,
        ["campaign", "document", "position", "text"],
        [
            (campaign.pk, documents[document], position, text)
            for position, (document, text) in enumerate(new, 0 if last is None else last + 1)
        ],
    )
    there |= dict(zip(new, made, strict=True))
    store_rows(
        Usage,
        ["campaign", "name", "segment", "start", "end", "gold"],
        [
            (campaign.pk, one.id, there[place], one.start, one.end, one.gold)
            for place, together in places.items()
            for one in together
        ],
    )
    return len(new)
