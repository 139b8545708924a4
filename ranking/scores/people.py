"""People's judgments of outputs from files: scores, rankings, or a folder with scores to train on.

A table of scores has a column per system and a row per sentence. Bounds, such as the source, are outputs left out of
correlations. Toy: the table has columns `A,B,source`, and the outputs are A, B, source and gold. A and B are compared
with people; the source is a bound by its name, and gold must be declared one, since nobody judged it.

The folder holds the source (`source` or `INPUT`), references (`ref...`, or one M2 file, or both), an output per system,
and one table as CSV, in which an empty cell is a sentence that nobody scored. The ensemble learns from the outputs that
have a column; columns of the source, of references and of controls are ignored.

Rankings are read in any layout that campaigns import. A file may judge more systems and sentences than there are
outputs; what is not about them is left out and counted. Toy: a ranking of A, B and C, of which A and C have outputs,
says how these two compare.
"""

import csv
from collections.abc import Collection, Mapping, Sequence
from hashlib import sha256
from pathlib import PurePosixPath
from typing import NamedTuple

import numpy as np

from judgments.exchange.importers.rules import RANKINGS
from judgments.exchange.importers.rules.matching import MatchedJudgment, match_with_texts
from judgments.exchange.importers.rules.naming import names_written, possible_namings
from judgments.exchange.importers.rules.recorded import RecordedGroup, RecordedJudgment
from judgments.rules.files.csv_tables import separator_of
from judgments.rules.files.names import is_reference_name, is_source_name
from judgments.rules.files.problems import Problem, refuse
from judgments.rules.texts.collapsing import one_line
from ranking.metrics.ensemble import JudgedTexts
from ranking.scores.ballots import BallotVersion, NumberedBallots, number_ballots
from ranking.scores.files import GivenFile, fault_in, is_bound, read_lines, read_material
from ranking.scores.metric_files import is_segments, read_metric_scores
from ranking.stats.metaevaluation.correlations import FEWEST_SYSTEMS
from ranking.stats.metaevaluation.scores import MetricScores, ScoreLevel

Texts = Mapping[str, Sequence[str]]
MOST_NAMED = 5


def compared_names(
    outputs: Sequence[str], bounds: Collection[str] = (), systems: Collection[str] = ()
) -> tuple[str, ...]:
    """The outputs that are compared with people: all except the bounds, and except those called so unless named."""
    names = tuple(name for name in outputs if name not in bounds and (name in systems or not is_bound(name)))
    if len(names) < FEWEST_SYSTEMS:
        what = f"are fewer than {FEWEST_SYSTEMS}, so there is no correlation; give more outputs that are not bounds"
        raise fault_in("", f"the outputs to compare with people ({', '.join(names) or 'none'}) {what}")
    return names


def read_human_systems(file: GivenFile, names: Sequence[str]) -> list[MetricScores]:
    """Read people's scores of systems, by every way of scoring; other systems in the file are ignored."""
    found = read_metric_scores(file.name, file.content, names, others_fit=True)
    if found[0].level is not ScoreLevel.SYSTEM:
        raise fault_in(file.name, "holds scores of sentences; give them with --human")
    return found


def read_human(
    file: GivenFile,
    outputs: Sequence[str],
    sentences: int,
    bounds: Collection[str] = (),
    systems: Collection[str] = (),
) -> tuple[tuple[str, ...], np.ndarray]:
    """Read the names of the outputs that are compared, and people's scores of them; other columns are ignored."""
    names = compared_names(outputs, bounds, systems)
    columns = columns_of(file)
    refuse([
        Problem(file.name, 1, f"has no column {name}; add it, or leave the output out of correlations by --bounds")
        for name in names
        if name not in columns
    ])  # fmt: skip
    scores = scores_of(file, names, sentences)
    if unscored := [name for name, column in zip(names, scores.T, strict=True) if np.isnan(column).all()]:
        raise fault_in(
            file.name, f"has no score of {unscored[0]} at all; leave the output out of correlations by --bounds"
        )
    return names, scores


def scores_of(file: GivenFile, names: Sequence[str], sentences: int) -> np.ndarray:
    """Read the named columns, a row per sentence; NaN marks a missing score."""
    columns = columns_of(file)
    (found,) = read_metric_scores(file.name, file.content, columns, sentences=sentences)
    if found.level is not ScoreLevel.SENTENCE:
        raise fault_in(file.name, "holds no row for each sentence below the names of systems")
    return found.scores[:, [columns.index(name) for name in names]]


def columns_of(file: GivenFile) -> list[str]:
    """The names of systems in the header."""
    opening = next(iter(read_lines(file)), "")
    separator = separator_of(opening)
    cells = next(csv.reader([opening], delimiter=separator), []) if separator else opening.split()
    return [name for cell in cells if not is_segments(name := cell.strip())]


def read_folder(name: str, files: Sequence[GivenFile]) -> JudgedTexts:
    """Read a folder to train an ensemble on."""
    scores = [file for file in files if file.name.endswith("segment-scores.csv")] or [
        file for file in files if file.name.endswith(".csv")
    ]
    if len(scores) != 1:
        raise fault_in(name, f"has {len(scores)} tables of people's scores; it needs one, as segment-scores.csv")
    texts = {file.system: file for file in files if not file.name.endswith((".csv", ".m2"))}
    source = next((file for system, file in texts.items() if is_source_name(system)), None)
    references = [file for system, file in texts.items() if is_reference_name(system)]
    annotated = next((file for file in files if file.name.endswith(".m2")), None)
    material = read_material(read_lines(source) if source else None, references, annotated)
    systems = [
        name for name in columns_of(scores[0]) if not is_bound(name) and not name.casefold().startswith("source")
    ]
    if missing := [system for system in systems if system not in texts]:
        what = f"has a column {missing[0]!r}, but no output of that name; add the output, or remove the column"
        raise fault_in(scores[0].name, what, 1)
    if len(systems) < 2:
        what = "has fewer than two columns of systems; name the columns like the files of outputs"
        raise fault_in(scores[0].name, what, 1)
    human = scores_of(scores[0], systems, material.sentences)
    return JudgedTexts(name, material, [read_lines(texts[system]) for system in systems], human, tuple(systems))


class JudgedFile(NamedTuple):
    """The rankings of a file, matched with the outputs, notes on how it was read, and digits that identify it."""

    name: str
    rankings: Sequence[MatchedJudgment]
    notes: Sequence[str]
    digest: str

    @property
    def sentences(self) -> set[int]:
        """The places of the sentences that were judged, from 0."""
        return {one.position for one in self.rankings}

    def ballots(self, sentences: Sequence[int]) -> NumberedBallots:
        """The ballots on these sentences, which are in order."""
        chosen, here = [], set(sentences)
        for number, one in enumerate(self.rankings):
            if one.position in here:
                ballot = one.recorded.judge, one.position, f"{number}"
                chosen += [BallotVersion(ballot, "", systems, -float(rank)) for systems, rank in one.groups]
        if not chosen:
            raise fault_in(self.name, "judges none of the sentences that count")
        return number_ballots(chosen, sentences)


def read_judgments(file: GivenFile, outputs: Texts, numbered_from: int | None = None) -> JudgedFile:
    """Match the rankings of a file with the outputs; refuse a file that is about others."""
    opening = file.content.lstrip(b"\xef\xbb\xbf \t\r\n")[:10_000]
    # Both kinds of tables name systems by number; only rows of pairs stop at the second.
    table = "wmt-csv" if b"system3id" in opening.split(b"\n")[0].lower() else "pairs-csv"
    recorded = [
        row for row in RANKINGS["appraise-xml" if opening.startswith(b"<") else table].read(*file) if row.groups
    ]
    naming = max(
        possible_namings(names_written(recorded)),
        key=lambda one: len(outputs.keys() & one.systems()) / len(one.systems()),
    )
    if not outputs.keys() & naming.systems():
        names = ", ".join(naming.systems()[:MOST_NAMED])
        raise fault_in(file.name, f"judges no output that you gave; it names {names}")
    about = []
    for row in recorded:
        # The ranking of those systems alone that have outputs.
        named = ((tuple(filter(outputs.__contains__, naming.read(group.systems))), group.value) for group in row.groups)
        if groups := tuple(RecordedGroup(" ".join(systems), rank) for systems, rank in named if systems):
            about.append(row._replace(groups=groups))
    sentences = len(next(iter(outputs.values())))
    texts = {place: {name: one_line(lines[place]) for name, lines in outputs.items()} for place in range(sentences)}
    if numbered_from is None:
        numbered_from = _first_number(file.name, about, texts)
    kept = [row for row in about if row.about - numbered_from in texts]
    if not kept:
        raise fault_in(file.name, f"judges none of the {sentences} sentences of the outputs")
    matched = match_with_texts(file.name, kept, texts, outputs, numbered_from)
    notes = [*matched.notes]
    if lacking := sorted(set(naming.systems()) - outputs.keys()):
        notes.append(f"{file.name}: systems without an output are left out: {', '.join(lacking)}")
    if left_out := len(recorded) - len(kept):
        what = "rankings are about no output or sentence that you gave, and are left out"
        notes.append(f"{file.name}: {left_out} of {len(recorded)} {what}")
    return JudgedFile(PurePosixPath(file.name).stem, matched.judgments, notes, sha256(file.content).hexdigest()[:8])


def _first_number(name: str, rows: Sequence[RecordedJudgment], texts: Mapping[int, Mapping[str, str]]) -> int:
    """The number of the first sentence, by the sentences that both ways to count have; 0 and the last one decide."""
    numbers = {row.about for row in rows}
    last = len(texts) if 0 not in numbers and max(numbers) == len(texts) else len(texts) - 1
    shared = [row for row in rows if row.about <= last]
    if not shared:
        return 0
    first = match_with_texts(name, shared, texts, texts[0]).judgments[0]
    return first.recorded.about - first.position
