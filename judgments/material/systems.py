"""Changing a system: its name, its kind, and whether judges compare it."""

import unicodedata

from django.db import transaction

from judgments.material.storing import has_screens, refuse_closed
from judgments.models import Campaign, System
from judgments.rules.errors import Refused
from judgments.rules.files.names import fault_of_name, is_source_name

COMPARED = (System.Kind.SYSTEM, System.Kind.SOURCE)


@transaction.atomic
def change(system: System, name: str, kind: str, takes_part: bool) -> System:
    """Apply all changes to a system, or none."""
    now = _locked(system)
    if name != now.name:
        now = rename(now, name)
    if kind != now.kind:
        return change_kind(now, kind)
    if takes_part and not now.takes_part:
        return take_in(now)
    return leave_out(now) if now.takes_part and not takes_part else now


@transaction.atomic
def rename(system: System, name: str) -> System:
    system = _locked(system)
    name = unicodedata.normalize("NFC", name)
    if fault := fault_of_name(name):
        raise Refused(f"{system.name} was not renamed: {fault}.")
    if is_source_name(name) and system.kind != System.Kind.SOURCE:
        raise Refused(
            f"{system.name} was not renamed: the name {name} is reserved for the source. Choose another name."
        )
    others = System.objects.filter(campaign=system.campaign).exclude(pk=system.pk).values_list("name", flat=True)
    if same := [other for other in others if other.casefold() == name.casefold()]:
        raise Refused(f"{system.name} was not renamed: there is a system {same[0]} already. Choose another name.")
    return _changed(system, name=name)


@transaction.atomic
def change_kind(system: System, kind: str) -> System:
    """Change a system's kind; judges compare it if it becomes a system."""
    system = _locked(system)
    _refuse_planned(system, "its kind cannot be changed")
    if System.Kind.SOURCE in (kind, system.kind):
        raise Refused(
            f"{system.name} stays a {system.kind}: everything else refers to the source. If the wrong file was "
            "uploaded as the source, make a new campaign."
        )
    return _changed(system, kind=kind, takes_part=kind == System.Kind.SYSTEM)


@transaction.atomic
def leave_out(system: System) -> System:
    """Leave a system out of future screens and of the ranking."""
    system = _locked(system)
    _refuse_planned(system, "it can no longer be left out")
    return _changed(system, takes_part=False)


@transaction.atomic
def take_in(system: System) -> System:
    system = _locked(system)
    _refuse_planned(system, "it can no longer be included")
    if system.kind not in COMPARED:
        raise Refused(f"{system.name} is a {system.kind}, which judges do not compare. Make it a system first.")
    return _changed(system, takes_part=True)


def _locked(system: System) -> System:
    """Lock the campaign against assigning and uploads, and read the system again."""
    campaign = Campaign.objects.select_for_update(no_key=True).get(pk=system.campaign_id)
    refuse_closed(campaign)
    return System.objects.select_related("campaign").get(pk=system.pk)


def _refuse_planned(system: System, what: str) -> None:
    if has_screens(system.campaign):
        raise Refused(f"Screens are assigned with {system.name} as it is, so {what}. Make a new campaign for that.")


def _changed(system: System, **changes: object) -> System:
    for field, value in changes.items():
        setattr(system, field, value)
    system.save(update_fields=list(changes))
    return system
