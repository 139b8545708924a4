"""Reading files of usages and of systems' classifications together.

A file of JSON lines, or a CSV with a column `sentence`, contains usages; any other is named after its system and
contains its classifications. Usages that the campaign already has may be repeated unchanged.
"""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from judgments.material.rules.preview import count
from judgments.material.rules.usages_reading import ERROR_FROM, Usage, read_classes, read_usages
from judgments.rules.files.names import fault_of_name, system_name
from judgments.rules.files.problems import Problem, Problems
from judgments.rules.files.text_files import UploadedFile
from judgments.rules.texts.marking import marked

JSON_LINES = (".jsonl", ".json")
SUFFIXES = (".csv", ".tsv", ".txt")
NO_USAGES = "there is no file of usages; upload one as CSV or JSON lines, before or together with the classifications"
Read = TypeVar("Read")


@dataclass(frozen=True)
class Usages:
    """New usages, and each system's classifications of new or known usages."""

    usages: tuple[Usage, ...]
    classes: dict[str, dict[str, float]]
    notes: tuple[str, ...] = ()


def read_usage_files(files: Sequence[UploadedFile], known: Mapping[str, Usage]) -> Usages:
    """Read what the files add to a campaign with the known usages, or raise all problems in them."""
    problems: list[Problem] = []
    found: dict[str, Usage] = {}
    again = 0
    for file in filter(holds_usages, files):
        for usage in _read(read_usages, file, problems) or []:
            there = found.get(usage.id) or known.get(usage.id)
            if there is None:
                found[usage.id] = usage
            elif there == usage:
                again += 1
            else:
                what = f"has a usage {usage.id!r} that differs from the one already known; give it another id"
                problems.append(Problem(file.name, None, what))
    problems += _divided({**known, **found}.values())
    names = known.keys() | found.keys()
    if not names and not problems:
        raise Problems([Problem("", None, NO_USAGES)])
    classes: dict[str, dict[str, float]] = {}
    for file in files:
        if not holds_usages(file):
            values = _read(lambda name, content: read_classes(name, content, names), file, problems)
            _take(classes, file, values or {}, problems)
    if problems:
        raise Problems(problems)
    notes = (f"{again} usages exist already and stay unchanged",) if again else ()
    return Usages(tuple(found.values()), classes, notes)


def _divided(usages: Iterable[Usage]) -> list[Problem]:
    """Report documents with several domains."""
    domains: dict[str, set[str]] = {}
    for usage in usages:
        domains.setdefault(usage.document, set()).add(usage.domain)
    return [
        Problem("", None, f"the document {name!r} has several domains: {', '.join(map(repr, sorted(several)))[:100]}")
        for name, several in domains.items()
        if len(several) > 1
    ]


def holds_usages(file: UploadedFile) -> bool:
    """Whether a file holds usages, by its name or its header."""
    if file.name.endswith(JSON_LINES):
        return True
    header = file.content.split(b"\n", 1)[0].decode("utf-8", "replace").casefold()
    return file.name.endswith(".csv") and "sentence" in [cell.strip(' "\r\ufeff') for cell in header.split(",")]


def system_of(file: UploadedFile) -> str:
    """The system to which a file belongs: its name without the format."""
    name = system_name(file.name)
    return next((name.removesuffix(suffix) for suffix in SUFFIXES if name.endswith(suffix)), name)


def _read(read: Callable[[str, bytes], Read], file: UploadedFile, problems: list[Problem]) -> Read | None:
    """Read a file, or collect its problems and return None."""
    try:
        return read(file.name, file.content)
    except Problems as reason:
        problems.extend(reason.problems)
        return None


def _take(
    classes: dict[str, dict[str, float]], file: UploadedFile, values: dict[str, float], problems: list[Problem]
) -> None:
    name = system_of(file)
    if fault := fault_of_name(name):
        problems.append(Problem(file.name, None, fault))
    elif any(name.casefold() == other.casefold() for other in classes):
        problems.append(Problem(file.name, None, f"there are two files of the system {name}"))
    else:
        classes[name] = values


def in_documents(usages: Iterable[Usage]) -> dict[tuple[str, str], list[Usage]]:
    """Group usages by document and sentence, in the order of the first usage of each."""
    places: dict[tuple[str, str], list[Usage]] = {}
    for usage in usages:
        places.setdefault((usage.document, usage.sentence), []).append(usage)
    return places


SAMPLES = 10


def preview_of(usages: Usages, known: Mapping[str, Usage], seed: str) -> dict[str, Any]:
    """Count and sample, as JSON; systems may classify usages that the campaign already has."""
    there = {**known, **{usage.id: usage for usage in usages.usages}}
    shown = list(usages.usages) or list(known.values())
    places: Iterable[int] = sorted(random.Random(seed).sample(range(len(shown)), min(SAMPLES, len(shown))))
    systems = sorted(usages.classes.items())
    return {
        "usages": len(usages.usages),
        "sentences": len({(usage.document, usage.sentence) for usage in usages.usages}),
        "gold_errors": sum(usage.gold is True for usage in usages.usages),
        "gold_fine": sum(usage.gold is False for usage in usages.usages),
        "classifiers": [
            {
                "name": name,
                "usages": len(values),
                "errors": sum(value >= ERROR_FROM for value in values.values()),
                "left_out": len(there) - len(values),
            }
            for name, values in systems
        ],
        "samples": [
            {
                "id": usage.id,
                "document": usage.document,
                "marked": marked(usage.sentence, usage.start, usage.end)._asdict(),
                "gold": usage.gold,
                "classifications": [(name, values[usage.id]) for name, values in systems if usage.id in values],
            }
            for usage in map(shown.__getitem__, places)
        ],
        "summary": f"{count(len(usages.usages), 'usage')} and {count(len(systems), 'system')}",
    }
