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
from ranking.metrics.material import Candidates, Material
from ranking.metrics.scoring import COLUMNS, SCORES, score_rows
from ranking.numbers.intervals import LEVEL, interval_of
from ranking.numbers.tables import Table
from ranking.scores.files import GivenFile
from ranking.scores.metric_files import read_metric_scores
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
        metric, scores, means = self.scores.metric, self.scores.scores, self.means
        sentences = {metric: scores} if self.scores.level is ScoreLevel.SENTENCE else {}
        yield Table(SCORES, COLUMNS, tuple(score_rows(names, {metric: means}, sentences)))
        yield Table.of("signatures", ("metric", "signature"), [(metric, self.signature)])
        if sentences:
            replicates = mean_scores(scores, times_drawn(len(scores)))
            intervals = [
                (metric, name, value, *interval_of(column, LEVEL))
                for name, column, value in zip(names, replicates.T, means, strict=True)
                if np.isfinite(value)
            ]
            yield Table.of("score_intervals", ("metric", "system", "value", "low", "high"), intervals)


def from_file(file: GivenFile, systems: Sequence[str], sentences: int, may_lack: Collection[str] = ()) -> list[Outside]:
    """Read every metric of a file; systems in `may_lack` need no score and get NaN."""
    digest = sha256(file.content).hexdigest()[:8]
    found = read_metric_scores(file.name, file.content, systems, (), sentences, may_lack, others_fit=True)
    return [Outside(one, f"{one.metric}|file:{file.name}|data:{digest}") for one in found]


def by_program(
    name: str, command: Sequence[str], seconds: float, material: Material, outputs: Mapping[str, Sequence[str]]
) -> Outside:
    """Have a program score each distinct output of a sentence; `command` has its words."""
    candidates = Candidates.of(list(outputs.values()))
    questions = []
    for sentence, output in zip(candidates.sentence.tolist(), candidates.texts, strict=True):
        references = [row[sentence] for row in material.texts if row[sentence] is not None]
        said = {"sentence": sentence + 1, "source": material.source[sentence], "output": output}
        questions.append(json.dumps({**said, "references": references}, ensure_ascii=False) + "\n")
    scores = np.array(_answers(name, command, seconds, questions))[candidates.chosen.T]
    signature = f"{name}|program:{' '.join(command)}|data:{material.digest}"
    return Outside(MetricScores(name, ScoreLevel.SENTENCE, scores), signature)


def _answers(name: str, command: Sequence[str], seconds: float, questions: Sequence[str]) -> list[float]:
    """Run the program; refuse what it does wrong, with its last words."""
    try:
        # In a session of its own, to end what it starts too.
        process = subprocess.Popen(  # noqa: S603 (the user's own command, without a shell)
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
        )
    except OSError as reason:
        raise Refused(f"{name} cannot be run: {reason}.") from reason
    try:
        answered, said = process.communicate("".join(questions).encode(), seconds)
    except subprocess.TimeoutExpired as reason:
        raise Refused(f"{name} was stopped after {seconds:g} seconds; --time-limit gives it more.") from reason
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    if process.returncode:
        last = said.decode(errors="replace").strip().rpartition("\n")[2][:LONGEST_QUOTE]
        raise Refused(f"{name} failed (status {process.returncode}): {last or 'it said nothing'}")
    lines = answered.decode(errors="replace").splitlines()
    if len(lines) != len(questions):
        raise Refused(f"{name} gave {len(lines)} lines for {len(questions)} outputs; it must answer each one.")
    scores = []
    for line, text in enumerate(lines, 1):
        try:
            score = json.loads(text)["score"]
            number = float(score)
        except (ValueError, TypeError, KeyError) as reason:
            what = f'line {line} of its output is not like {{"score": 0.5}}: {text[:LONGEST_QUOTE]}'
            raise Refused(f"{name}: {what}") from reason
        if isinstance(score, bool) or not isfinite(number):
            raise Refused(f"{name}: line {line} of its output has no finite score: {text[:LONGEST_QUOTE]}")
        scores.append(number)
    return scores
