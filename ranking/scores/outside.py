"""Scores by other metrics, set beside ours: read from files, or computed by a program.

A program reads a line of JSON for each distinct output of a sentence, and answers each with a line, in the same order:

    {"sentence": 1, "source": "He go .", "output": "He goes .", "references": ["He goes ."]}
    {"score": 0.93}

Toy: a program that prints {"score": 1} for every line gives every system the mean 1.
"""

import json
import os
import signal
import subprocess
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from math import isfinite
from typing import NamedTuple

import numpy as np

from judgments.rules.errors import Refused
from ranking.metrics.candidates import Candidates
from ranking.metrics.material import Material
from ranking.metrics.scoring import COLUMNS, SCORES
from ranking.numbers.intervals import LEVEL, interval_of
from ranking.numbers.tables import Table
from ranking.scores.files import GivenFile
from ranking.scores.metric_files import labelled, read_metric_scores
from ranking.stats.metaevaluation.scores import MetricScores, ScoreLevel, mean_scores, times_drawn

LONGEST_QUOTE = 200


class Outside(NamedTuple):
    """Scores of the systems in order, and where they come from, as a signature."""

    scores: MetricScores
    signature: str

    @property
    def means(self) -> np.ndarray:
        """The scores of systems; of those of sentences the means, NaN without any."""
        found = self.scores.scores
        return found if self.scores.level is ScoreLevel.SYSTEM else mean_scores(found, np.ones((len(found), 1)))[0]

    def at(self, sentences: Sequence[int]) -> "Outside":
        """The scores of some sentences; those of systems stay as they are."""
        if self.scores.level is ScoreLevel.SYSTEM:
            return self
        return self._replace(scores=replace(self.scores, scores=self.scores.scores[list(sentences)]))

    def tables(self, names: Sequence[str]) -> Iterator[Table]:
        """The same tables as for our metrics."""
        yield Table.of(SCORES, COLUMNS, self._rows(names))
        yield Table.of("signatures", ("metric", "signature"), [(self.scores.metric, self.signature)])
        if self.scores.level is ScoreLevel.SENTENCE:
            yield Table.of("score_intervals", ("metric", "system", "value", "low", "high"), self._intervals(names))

    def _rows(self, names: Sequence[str]) -> Iterator[tuple]:
        for name, value in zip(names, self.means, strict=True):
            yield self.scores.metric, ScoreLevel.SYSTEM.value, name, None, value
        if self.scores.level is ScoreLevel.SENTENCE:
            for number, row in enumerate(self.scores.scores, 1):
                for name, value in zip(names, row, strict=True):
                    yield self.scores.metric, ScoreLevel.SENTENCE.value, name, number, value

    def _intervals(self, names: Sequence[str]) -> Iterator[tuple]:
        replicates = mean_scores(self.scores.scores, times_drawn(len(self.scores.scores)))
        for name, column, value in zip(names, replicates.T, self.means, strict=True):
            if np.isfinite(value):
                yield self.scores.metric, name, value, *interval_of(column, LEVEL)


class Program(NamedTuple):
    """A metric's name, the words of its command, and the seconds that it may take."""

    name: str
    command: tuple[str, ...]
    seconds: float


def from_file(file: GivenFile, systems: Sequence[str], sentences: int, may_lack: Collection[str] = ()) -> list[Outside]:
    """Read every metric of a file; systems in `may_lack` need no score and get NaN."""
    digest = sha256(file.content).hexdigest()[:8]
    found = labelled(
        file.name, read_metric_scores(file.name, file.content, systems, (), sentences, may_lack, others_fit=True)
    )
    return [Outside(one, f"{one.metric}|file:{file.name}|data:{digest}") for one in found]


def by_program(program: Program, material: Material, outputs: Mapping[str, Sequence[str]]) -> Outside:
    candidates = Candidates.of(list(outputs.values()))
    answers = _answers(program, list(_questions(material, candidates)))
    scores = np.array(answers)[candidates.chosen.T]
    signature = f"{program.name}|program:{' '.join(program.command)}|data:{material.digest}"
    return Outside(MetricScores(program.name, ScoreLevel.SENTENCE, scores), signature)


def _questions(material: Material, candidates: Candidates) -> Iterator[str]:
    for sentence, output in zip(candidates.sentence.tolist(), candidates.texts, strict=True):
        references = [row[sentence] for row in material.texts if row[sentence] is not None]
        said = {"sentence": sentence + 1, "source": material.source[sentence], "output": output}
        yield json.dumps({**said, "references": references}, ensure_ascii=False) + "\n"


def _answers(program: Program, questions: Sequence[str]) -> list[float]:
    """Run the program; refuse what it does wrong, with its last words."""
    try:
        # In a session of its own, to end what it starts too.
        process = subprocess.Popen(  # noqa: S603 (the user's own command, without a shell)
            program.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            start_new_session=True,
        )  # fmt: skip
    except OSError as reason:
        raise Refused(f"{program.name} cannot be run: {reason}.") from reason
    try:
        answered, said = process.communicate("".join(questions).encode(), program.seconds)
    except subprocess.TimeoutExpired as reason:
        raise Refused(
            f"{program.name} was stopped after {program.seconds:g} seconds; --time-limit gives it more."
        ) from reason
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    if process.returncode:
        last = said.decode(errors="replace").strip().rpartition("\n")[2][:LONGEST_QUOTE]
        raise Refused(f"{program.name} failed (status {process.returncode}): {last or 'it said nothing'}")
    lines = answered.decode(errors="replace").splitlines()
    if len(lines) != len(questions):
        raise Refused(f"{program.name} gave {len(lines)} lines for {len(questions)} outputs; it must answer each one.")
    return [_number(program, line, text) for line, text in enumerate(lines, 1)]


def _number(program: Program, line: int, text: str) -> float:
    try:
        score = json.loads(text)["score"]
        number = float(score)
    except (ValueError, TypeError, KeyError) as reason:
        what = f'line {line} of its output is not like {{"score": 0.5}}: {text[:LONGEST_QUOTE]}'
        raise Refused(f"{program.name}: {what}") from reason
    if isinstance(score, bool) or not isfinite(number):
        raise Refused(f"{program.name}: line {line} of its output has no finite score: {text[:LONGEST_QUOTE]}")
    return number
