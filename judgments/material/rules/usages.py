"""Files of instances and of what systems say of them, read together: what they would bring to a campaign.

A file of JSON lines, or a CSV with a column `sentence`, holds instances; any other is named after its system and says
what it makes of them. Instances that the campaign has already may come again as they are.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from judgments.material.rules.classifications import read_classes
from judgments.material.rules.usages_reading import Instance, read_instances
from judgments.rules.files.names import fault_of_name, system_name
from judgments.rules.files.problems import Problem, Problems
from judgments.rules.files.text_files import UploadedFile

JSON_LINES = (".jsonl", ".json")
SUFFIXES = (".csv", ".tsv", ".txt")
NO_INSTANCES = (
    "there is no file of instances; hand one in, a CSV or JSON lines, before or with what systems say of them"
)
Read = TypeVar("Read")


@dataclass(frozen=True)
class Usages:
    """New instances, and by system what it says of instances, new ones or those that were there."""

    instances: tuple[Instance, ...]
    classes: dict[str, dict[str, float]]
    notes: tuple[str, ...] = ()


def read_usages(files: Sequence[UploadedFile], known: Mapping[str, Instance]) -> Usages:
    """What files bring to a campaign with these instances, or every problem in them."""
    problems: list[Problem] = []
    found: dict[str, Instance] = {}
    again = 0
    for file in filter(holds_instances, files):
        for instance in _read(read_instances, file, problems) or []:
            there = found.get(instance.id) or known.get(instance.id)
            if there is None:
                found[instance.id] = instance
            elif there == instance:
                again += 1
            else:
                what = f"has the instance {instance.id!r} otherwise than it is known already; give it another id"
                problems.append(Problem(file.name, None, what))
    problems += _divided({**known, **found}.values())
    names = known.keys() | found.keys()
    if not names and not problems:
        raise Problems([Problem("", None, NO_INSTANCES)])
    classes: dict[str, dict[str, float]] = {}
    for file in files:
        if not holds_instances(file):
            told = _read(lambda name, content: read_classes(name, content, names), file, problems)
            _take(classes, file, told or {}, problems)
    if problems:
        raise Problems(problems)
    return Usages(tuple(found.values()), classes, _notes(again))


def _divided(instances: Iterable[Instance]) -> list[Problem]:
    """Documents that are said to be of two domains."""
    domains: dict[str, set[str]] = {}
    for instance in instances:
        domains.setdefault(instance.document, set()).add(instance.domain)
    return [
        Problem("", None, f"the document {name!r} is of several domains: {', '.join(map(repr, sorted(several)))[:100]}")
        for name, several in domains.items()
        if len(several) > 1
    ]


def holds_instances(file: UploadedFile) -> bool:
    """Whether a file is one of instances, by its name or its header."""
    if file.name.endswith(JSON_LINES):
        return True
    header = file.content.split(b"\n", 1)[0].decode("utf-8", "replace").casefold()
    return file.name.endswith(".csv") and "sentence" in [cell.strip(' "\r\ufeff') for cell in header.split(",")]


def system_of(file: UploadedFile) -> str:
    """The system that a file speaks for: its name without what says how it is written."""
    name = system_name(file.name)
    return next((name.removesuffix(suffix) for suffix in SUFFIXES if name.endswith(suffix)), name)


def _read(read: Callable[[str, bytes], Read], file: UploadedFile, problems: list[Problem]) -> Read | None:
    """What a file holds, or nothing where it has problems, which are noted."""
    try:
        return read(file.name, file.content)
    except Problems as reason:
        problems.extend(reason.problems)
        return None


def _take(
    classes: dict[str, dict[str, float]], file: UploadedFile, told: dict[str, float], problems: list[Problem]
) -> None:
    name = system_of(file)
    if fault := fault_of_name(name):
        problems.append(Problem(file.name, None, fault))
    elif any(name.casefold() == other.casefold() for other in classes):
        problems.append(Problem(file.name, None, f"there are two files of the system {name}"))
    else:
        classes[name] = told


def _notes(again: int) -> tuple[str, ...]:
    return (f"{again} instances were there already, and stay as they are",) if again else ()


def in_documents(instances: Iterable[Instance]) -> dict[tuple[str, str], list[Instance]]:
    """Instances by document and sentence, in the order of their first ones; a sentence with several usages is one."""
    places: dict[tuple[str, str], list[Instance]] = {}
    for instance in instances:
        places.setdefault((instance.document, instance.sentence), []).append(instance)
    return places
