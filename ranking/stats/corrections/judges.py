"""How much each judge corrects, in which categories, and how far judges agree sentence by sentence.

Edits are counted by words, as in M2 (Bryant and Ng 2015, Table 3): several changes within one word are one edit, and
changes of white space none.

Toy: of two sentences of three words Ada changes one word and inserts another in the first, and leaves the second
unchanged: 2 edits, 1 of 2 sentences changed, 1 edit per sentence, 33.3 edits per hundred words.

Two judges may both be right with different texts, so exact agreement is not enough. The following allows alternatives:
the probability that at least one of i others wrote the same correction. If k of n others did, it is

    1 - C(n - k, i) / C(n, i)

averaged over judges and sentences. Also computed are kappa of whether two judges change a sentence at all (Cohen 1960)
and the share of edits that two judges have in common (Dice 1945: twice the common ones over all), which replace the
same words by the same text, whatever their category.

Toy: of three judges two wrote the same. Each of these has k = 1 of n = 2 others: the probability is 1/2 for one other,
1 for both. For the third it is 0. The means are 1/3 and 2/3.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from math import comb

import numpy as np

from ranking.numbers.tables import Gap, StatisticsError, Table
from ranking.stats.agreement.kappa import kappas_of_judges
from ranking.stats.answers import Answers
from ranking.stats.corrections.scoring import Corrections
from ranking.stats.corrections.study import CorrectionStudy

EVERYBODY = "everybody"
BY_JUDGE = (
    "judge", "sentences", "changed", "edits", "edits_a_sentence", "edits_a_hundred_words", "inserted", "deleted",
    "replaced", "compared",
)  # fmt: skip
PAIRS = ("judge", "other", "sentences", "same", "both_change", "kappa", "same_edits")


def edits_by_judge(study: CorrectionStudy) -> Iterator[Table]:
    """How much each judge corrects, and in which categories."""
    corrections, rows = study.corrections, []
    compared: tuple[str, ...] = ()
    with suppress(StatisticsError):
        compared = study.comparable.judges
    for name, row in zip(corrections.judges, corrections.edits, strict=True):
        judged = [(text, edits) for text, edits in zip(corrections.source, row, strict=True) if edits is not None]
        words, every = sum(len(text.split()) for text, _ in judged), [edit for _, edits in judged for edit in edits]
        inserted = sum(edit.start == edit.end for edit in every)
        deleted = sum(edit.start < edit.end and not edit.corrections[0] for edit in every)
        rows.append((
            name, len(judged), sum(bool(edits) for _, edits in judged), len(every),
            len(every) / len(judged) if judged else None, 100 * len(every) / words if words else None, inserted,
            deleted, len(every) - inserted - deleted, name in compared,
        ))  # fmt: skip
    yield Table.of("edits_by_judge", BY_JUDGE, rows)
    by_kind = edits_by_kind(corrections)
    if set(by_kind) - {""}:
        who = EVERYBODY, *corrections.judges
        by_kind = {kind: [sum(counts), *counts] for kind, counts in by_kind.items()}
        totals = [sum(counts) for counts in zip(*by_kind.values(), strict=True)]
        shares = [
            (kind, judge, many, many / total if total else None)
            for kind, counts in by_kind.items() for judge, many, total in zip(who, counts, totals, strict=True)
        ]  # fmt: skip
        yield Table.of("edits_by_category", ("category", "judge", "edits", "share"), shares)
    if study.labels:
        labels = [(corrections.judges[judge], label, many) for judge, label, many in study.labels]
        yield Table.of("labels", ("judge", "label", "sentences"), labels)


def edits_by_kind(corrections: Corrections) -> dict[str, list[int]]:
    """The number of edits of each category by judge, the most frequent category first."""
    by_judge = [Counter(edit.kind for edits in row for edit in edits or ()) for row in corrections.edits]
    total = sum(by_judge, Counter())
    kinds = sorted(total, key=lambda kind: (-total[kind], kind))
    return {kind: [counts[kind] for counts in by_judge] for kind in kinds}


def agreement(study: CorrectionStudy) -> Iterator[Table | Gap]:
    names = study.corrections.judges
    rows = [(names[one], names[other], *cells) for one, other, *cells in pairs_of_judges(study.corrections)]
    if rows:
        yield Table.of("correction_pairs", PAIRS, rows)
    try:
        compared = study.comparable
    except StatisticsError as reason:
        yield Gap("same_as_others", str(reason))
        return
    same = [
        (others, *line) for others, by_judge in enumerate(same_as_others(compared), 1)
        for line in ((EVERYBODY, by_judge.mean()), *zip(compared.judges, by_judge, strict=True))
    ]  # fmt: skip
    yield Table.of("same_as_others", ("others", "judge", "same"), same)
    counted = np.bincount([len(set(texts)) for texts in zip(*compared.texts(), strict=True)])
    shares = [(number, counted[number], counted[number] / len(compared)) for number in range(1, len(counted))]
    yield Table.of("different_corrections", ("different", "sentences", "share"), shares)


def pairs_of_judges(corrections: Corrections) -> Iterator[tuple]:
    """Every two judges who share a sentence, and what PAIRS has of them; kappa is of whether they change it at all."""
    judge, sentence = np.nonzero(corrections.is_judged)
    changed = np.array([bool(corrections.edits[one][place]) for one, place in zip(judge, sentence, strict=True)])
    answers, texts = Answers(sentence, judge, changed, len(corrections), len(corrections.judges)), corrections.texts()
    for one, other, common, both_change, kappa in kappas_of_judges(answers):
        both = np.flatnonzero(corrections.is_judged[one] & corrections.is_judged[other])
        same = sum(texts[one][place] == texts[other][place] for place in both) / common
        edits = [[corrections.edits[number][place] or () for place in both] for number in (one, other)]
        shared = sum(
            len({edit[:3] for edit in mine} & {edit[:3] for edit in theirs})
            for mine, theirs in zip(*edits, strict=True)
        )
        every = sum(len(line) for lines in edits for line in lines)
        yield one, other, common, same, both_change, kappa, 2 * shared / every if every else None


def same_as_others(corrections: Corrections) -> list[np.ndarray]:
    """By judge, the probability that one of 1, 2, ... others wrote the same; all of them judged all sentences."""
    counts = [(texts, Counter(texts)) for texts in zip(*corrections.texts(), strict=True)]
    # By judge and sentence, how many others wrote the same.
    alike = np.array([[count[text] - 1 for text in texts] for texts, count in counts], dtype=np.int64).T
    others = len(corrections.judges) - 1
    chances = [
        np.array([1 - comb(others - same, drawn) / comb(others, drawn) for same in range(others + 1)])
        for drawn in range(1, others + 1)
    ]
    return [of_alike[alike].mean(axis=1) for of_alike in chances]
