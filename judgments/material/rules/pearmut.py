"""Campaigns of Pearmut as material: JSON with the sentences, the outputs by system, and perhaps a reference.

`data` is a list of documents, or with the assignment `task-based` a list of tasks, each a list of documents; a document
is a list of items `{"src": ..., "tgt": {SYSTEM: text}, "ref": ...}`. Several tasks may have the same document.
"""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from judgments.material.rules.documents import SIDECAR
from judgments.rules.files.archives import MOST_FILES
from judgments.rules.files.names import fault_of_name
from judgments.rules.files.problems import Problem, Problems, refuse, shorten
from judgments.rules.files.spreadsheets import is_table
from judgments.rules.files.text_files import UploadedFile, fault_of_count
from judgments.rules.files.values import read_json
from judgments.rules.texts.collapsing import one_line

SOURCE, REFERENCE = "source", "ref"
NO_CAMPAIGN = "is no campaign of Pearmut: JSON with info and data; upload other material as text files"
NEEDS = "needs src, a text, and tgt, an object with the text of each system"


class _Sentence(NamedTuple):
    document: int
    texts: dict[str, str]


def expand_pearmut(files: Iterable[UploadedFile]) -> list[UploadedFile]:
    """Replace campaigns of Pearmut by a text file per system, the source, references, and the table of documents."""
    return [one for file in files for one in (_files(file) if _is_pearmut(file) else [file])]


def _is_pearmut(file: UploadedFile) -> bool:
    return file.name.casefold().endswith(".json") and not is_table(file)


def _files(file: UploadedFile) -> list[UploadedFile]:
    problems: list[Problem] = []
    sentences = _sentences(file.name, list(_documents(file)), problems)
    names = list(dict.fromkeys(name for sentence in sentences for name in sentence.texts))
    if len(names) > MOST_FILES:
        what = f"has outputs of {len(names):,} systems; at most {MOST_FILES} are allowed"
        raise Problems([Problem(file.name, None, what)])
    if fault := fault_of_count(len(names) * len(sentences)):
        raise Problems([Problem(file.name, None, f"{fault} into several campaigns")])
    problems += [Problem(file.name, None, fault) for name in names if (fault := fault_of_name(name))]
    refuse(shorten(file.name, problems))
    if not sentences:
        raise Problems([Problem(file.name, None, "contains no sentence")])
    made = {f"{name}.txt": [sentence.texts.get(name, "") for sentence in sentences] for name in names}
    made[SIDECAR] = [f"{line}\tdocument-{sentence.document}" for line, sentence in enumerate(sentences, 1)]
    # Half a surrogate pair becomes a problem of its line.
    written = {name: "".join(f"{line}\n" for line in lines) for name, lines in made.items()}
    return [UploadedFile(name, text.encode(errors="surrogatepass")) for name, text in written.items()]


def _documents(file: UploadedFile) -> Iterator[tuple[str, list[Any]]]:
    """Yield the place and the items of each document."""
    try:
        campaign: Any = read_json(file.content)
        tasks = campaign["data"] if campaign["info"]["assignment"] == "task-based" else [campaign["data"]]
        for task_number, task in enumerate(tasks, 1):
            for number, document in enumerate(task, 1):
                yield f"task {task_number}, document {number}", list(document)
    except (ValueError, RecursionError, TypeError, KeyError):
        raise Problems([Problem(file.name, None, NO_CAMPAIGN)]) from None


def _sentences(name: str, documents: list[tuple[str, list[Any]]], problems: list[Problem]) -> list[_Sentence]:
    """Return the sentences in the order of their first appearance, without tutorials and attention checks."""
    known: dict[tuple[tuple[str, str], ...], list[_Sentence]] = {}
    for place, items in documents:
        if faulty := [number for number, item in enumerate(items, 1) if not _is_sound(item)]:
            problems += [Problem(name, None, f"{place}, item {number} {NEEDS}") for number in faulty]
            continue
        judged = [item for item in items if not item.get("validation") and "form" not in item]
        ids = (item.get("item_id") for item in judged)
        key = tuple(
            (str(one) if isinstance(one, str | int) else "", item["src"]) for one, item in zip(ids, judged, strict=True)
        )
        number = len(known) + 1
        sentences = known.setdefault(key, [_Sentence(number, {}) for _ in judged])
        for sentence, item in zip(sentences, judged, strict=True):
            texts = {SOURCE: item["src"], **item["tgt"]} | ({REFERENCE: item["ref"]} if item.get("ref") else {})
            for system, text in texts.items():
                if sentence.texts.setdefault(system, one_line(text)) != one_line(text):
                    what = f"{place} has another text of {system!a} for {item['src'][:60]!r}; give items an item_id"
                    problems.append(Problem(name, None, what))
    return [sentence for sentences in known.values() for sentence in sentences]


def _is_sound(item: Any) -> bool:
    if not isinstance(item, dict):
        return False
    source, outputs, reference = item.get("src"), item.get("tgt"), item.get("ref")
    if "form" in item or not isinstance(outputs, dict):
        return "form" in item
    texts = (source, *outputs.values(), reference or "")
    return all(isinstance(text, str) for text in texts) and outputs.get(SOURCE, source) == source
