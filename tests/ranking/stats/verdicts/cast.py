"""Small studies of verdicts: a row a usage, a letter a judge (e an error, k OK, u unknown, a dot nothing)."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ranking.stats.analysis import Day
from ranking.stats.answers import Answers
from ranking.stats.verdicts.study import VerdictDocument, VerdictNames, VerdictParameters, VerdictStudy

E, K, U = 1, 0, -1
FINDING = {"e": E, "k": K, "u": U}
QUICK = VerdictParameters(replicates=200, draws=20, seed=3)


def verdicts(*rows: str) -> Answers:
    letters = ((place, *one) for place, row in enumerate(rows) for one in enumerate(row))
    found = [(place, judge, FINDING[letter]) for place, judge, letter in letters if letter != "."]
    usage, judge, finding = (np.array(column) for column in zip(*found, strict=True))
    return answers(usage, judge, finding, len(rows), max(map(len, rows)))


def answers(*given: Any, seconds: float = 2.5, is_repeat: Any = False, is_control: Any = False) -> Answers:
    """Answers with all columns; one value stands for all rows."""
    seconds, is_repeat, is_control = (np.broadcast_to(one, len(given[0])) for one in (seconds, is_repeat, is_control))
    return Answers(*given, seconds=seconds, is_repeat=is_repeat, is_control=is_control)


def study_of(
    found: Answers, classes: Sequence[Sequence[float]] = (), parameters: VerdictParameters = QUICK,
    gold: Sequence[float] | None = None, experts: Sequence[int] = (), domains: Sequence[str] = ("news",), **more,
) -> VerdictStudy:  # fmt: skip
    """Systems are A, B and so on, judges 0, 1 and so on; documents take turns."""
    names = VerdictNames(
        tuple("ABCDEFGH"[: len(classes)]),
        tuple(f"judge {number}" for number in range(found.judges)),
        tuple(f"i{number}" for number in range(found.units)),
        tuple(VerdictDocument(f"essay {number}", domain) for number, domain in enumerate(domains)),
    )
    defaults = {
        "names": names,
        "gold": np.array(gold if gold is not None else [np.nan] * found.units, dtype=float),
        "document": np.arange(found.units) % len(domains), "is_expert": np.isin(np.arange(found.judges), experts),
        "skipped": np.zeros(found.judges, dtype=np.int64), "parameters": parameters,
        "classes": np.array(classes, dtype=float).reshape(len(classes), found.units),
        "days": (Day("2011-06-19", 3, 1),),
    }  # fmt: skip
    return VerdictStudy(verdicts=found, **defaults | more)


def whole_study(parameters: VerdictParameters = QUICK, seed: int = 7) -> VerdictStudy:
    """Thirty usages in two domains, seven judges of whom the last two are experts, three systems, one partial."""
    random = np.random.default_rng(seed)
    truth = random.random(30) < 0.5
    finding = np.where(random.random((30, 7)) < [0.9, 0.8, 0.8, 0.7, 0.6, 0.95, 0.95], truth[:, None], ~truth[:, None])
    finding = np.where(random.random((30, 7)) < 0.05, U, finding.astype(int))
    usage, judge = np.indices(finding.shape)
    again = [0, 1], [0, 0], [finding[0, 0], 1]  # repeats of the first judge
    columns = (np.concatenate([one.ravel(), more]) for one, more in zip((usage, judge, finding), again, strict=True))
    # The first usage is only ever dealt as a control.
    found = answers(*columns, 30, 7, is_repeat=np.arange(212) >= 210, is_control=np.arange(212) < 7)
    first = np.arange(30) < 20
    classes = [
        np.where(random.random(30) < 0.8, truth, ~truth).astype(float),
        np.where(random.random(30) < 0.6, truth, ~truth).astype(float),
        np.where(first, random.random(30), np.nan),
    ]
    gold = np.where(np.arange(30) % 5 == 0, truth.astype(float), np.nan)
    return study_of(found, classes, parameters, gold, experts=(5, 6), domains=("news", "essays"))
