"""Changing a system: its name, its kind, and whether judges compare it."""

import unicodedata

from django.db import transaction

from judgments.material.storing import has_screens, refuse_closed
from judgments.models import Campaign, Submission, System
from judgments.rules.errors import Refused
from judgments.rules.files.names import fault_of_name, is_source_name

COMPARED = (System.Kind.SYSTEM, System.Kind.SOURCE)


@transaction.atomic
def change(system: System, name: str | None = None, kind: str | None = None, takes_part: bool | None = None) -> System:
    """Apply all changes to a system, or none. After a change of kind, judges compare it if it is a "system"."""
    # Assigning and uploads wait for this lock.
    refuse_closed(Campaign.objects.select_for_update(no_key=True).get(pk=system.campaign_id))
    system = System.objects.select_related("campaign").get(pk=system.pk)
    if name is not None and name != system.name:
        checked = _checked_name(system, unicodedata.normalize("NFC", name))
        # The next file of the team whose system it is replaces these outputs.
        accepted = Submission.objects.filter(team__campaign=system.campaign, accepted_as=system.name)
        accepted.update(accepted_as=checked)
        system.name = checked
    if kind is not None and kind != system.kind:
        _refuse_planned(system, "its kind cannot be changed")
        if System.Kind.SOURCE in (kind, system.kind):
            raise Refused(
                f"{system.name} stays a {system.kind}, because everything else refers to the source. If the wrong file "
                "was uploaded as the source, create a new campaign."
            )
        system.kind, system.takes_part = kind, kind == System.Kind.SYSTEM
    elif takes_part is not None and takes_part != system.takes_part:
        _refuse_planned(system, f"it can no longer be {'included' if takes_part else 'left out'}")
        if takes_part and system.kind not in COMPARED:
            raise Refused(f"{system.name} is a {system.kind}, which judges do not compare. Make it a system first.")
        system.takes_part = takes_part
    system.save(update_fields=["name", "kind", "takes_part"])
    return system


def fixed_fields(system: System) -> set[str]:
    """What cannot be changed, because screens depend on it or its kind leaves no choice."""
    if has_screens(system.campaign):
        return {"kind", "takes_part"}
    if system.kind == System.Kind.SOURCE:
        return {"kind"}
    return set() if system.kind in COMPARED else {"takes_part"}


def _checked_name(system: System, name: str) -> str:
    if fault := fault_of_name(name):
        raise Refused(f"{system.name} was not renamed: {fault}.")
    if is_source_name(name) and system.kind != System.Kind.SOURCE:
        raise Refused(
            f"{system.name} was not renamed: the name {name} is reserved for the source. Choose another name."
        )
    others = System.objects.filter(campaign=system.campaign).exclude(pk=system.pk).values_list("name", flat=True)
    if same := [other for other in others if other.casefold() == name.casefold()]:
        raise Refused(f"{system.name} was not renamed: there is a system {same[0]} already. Choose another name.")
    return name


def _refuse_planned(system: System, what: str) -> None:
    if has_screens(system.campaign):
        raise Refused(
            f"Screens are assigned with {system.name} as it is, so {what}. To leave a system out of the results, "
            "choose the others under Systems when you make a report; for anything else, create a new campaign."
        )
