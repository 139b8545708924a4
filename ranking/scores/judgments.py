"""People's rankings of outputs from files, in any layout that campaigns import.

A file may judge more systems and sentences than there are outputs; what is not about them is left out and counted.

Toy: a ranking of A, B and C, of which A and C have outputs, says how these two compare.
"""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import PurePosixPath
from typing import NamedTuple

from judgments.exchange.importers.rules import RANKINGS
from judgments.exchange.importers.rules.matching.grouping import Matched
from judgments.exchange.importers.rules.matching.naming import Naming, possible_namings
from judgments.exchange.importers.rules.matching.reconcile import reconcile_with_texts
from judgments.exchange.importers.rules.recorded import Group, Recorded
from judgments.rules.files.problems import Problem, Problems
from judgments.rules.texts.collapsing import one_line
from ranking.scores.ballots import Numbered, Row, numbered
from ranking.scores.files import GivenFile

Texts = Mapping[str, Sequence[str]]
MOST_NAMED = 5


class JudgedFile(NamedTuple):
    """The rankings of a file, matched with the outputs, notes on how it was read, and digits that identify it."""

    name: str
    rankings: Sequence[Matched]
    notes: Sequence[str]
    digest: str

    @property
    def sentences(self) -> set[int]:
        """The places of the sentences that were judged, from 0."""
        return {one.position for one in self.rankings}

    def ballots(self, sentences: Sequence[int]) -> Numbered:
        """The ballots on these sentences, which are in order."""
        chosen, here = [], set(sentences)
        for number, one in enumerate(self.rankings):
            if one.position in here:
                ballot = one.recorded.judge, one.position, f"{number}"
                chosen += [Row(ballot, "", systems, -float(rank)) for systems, rank in one.groups]
        if not chosen:
            raise Problems([Problem(self.name, None, "judges none of the sentences that count")])
        return numbered(chosen, sentences)


def read_judgments(file: GivenFile, outputs: Texts, numbered_from: int | None = None) -> JudgedFile:
    """Match the rankings of a file with the outputs; refuse a file that is about others."""
    recorded = [row for row in RANKINGS[_layout(file)](*file) if row.groups]
    naming = max(possible_namings(recorded), key=lambda one: len(outputs.keys() & one.systems()) / len(one.systems()))
    if not outputs.keys() & naming.systems():
        names = ", ".join(naming.systems()[:MOST_NAMED])
        raise Problems([Problem(file.name, None, f"judges no output that you gave; it names {names}")])
    about = [row for row in (_about(row, naming, outputs) for row in recorded) if row.groups]
    sentences = len(next(iter(outputs.values())))
    texts = {place: {name: one_line(lines[place]) for name, lines in outputs.items()} for place in range(sentences)}
    if numbered_from is None:
        numbered_from = _first_number(file.name, about, texts)
    kept = [row for row in about if row.segment - numbered_from in texts]
    if not kept:
        raise Problems([Problem(file.name, None, f"judges none of the {sentences} sentences of the outputs")])
    matched = reconcile_with_texts(file.name, kept, texts, outputs, numbered_from)
    notes = [*matched.notes]
    if lacking := sorted(set(naming.systems()) - outputs.keys()):
        notes.append(f"{file.name}: systems without an output are left out: {', '.join(lacking)}")
    if left_out := len(recorded) - len(kept):
        what = "rankings are about no output or sentence that you gave, and are left out"
        notes.append(f"{file.name}: {left_out} of {len(recorded)} {what}")
    return JudgedFile(PurePosixPath(file.name).stem, matched.judgments, notes, sha256(file.content).hexdigest()[:8])


def _layout(file: GivenFile) -> str:
    opening = file.content.lstrip(b"\xef\xbb\xbf \t\r\n")[:10_000]
    if opening.startswith(b"<"):
        return "appraise-xml"
    # Both kinds of tables name systems by number; only rows of pairs stop at the second.
    return "wmt-csv" if b"system3id" in opening.split(b"\n")[0].lower() else "pairs-csv"


def _about(row: Recorded, naming: Naming, outputs: Texts) -> Recorded:
    """The ranking of those systems alone that have outputs."""
    groups = ((tuple(filter(outputs.__contains__, naming.read(group.systems))), group.value) for group in row.groups)
    return row._replace(groups=tuple(Group(" ".join(kept), rank) for kept, rank in groups if kept))


def _first_number(name: str, rows: Sequence[Recorded], texts: Mapping[int, Mapping[str, str]]) -> int:
    """The number of the first sentence, by the sentences that both ways to count have; 0 and the last one decide."""
    numbers = {row.segment for row in rows}
    last = len(texts) if 0 not in numbers and max(numbers) == len(texts) else len(texts) - 1
    shared = [row for row in rows if row.segment <= last]
    if not shared:
        return 0
    first = reconcile_with_texts(name, shared, texts, texts[0]).judgments[0]
    return first.recorded.segment - first.position
