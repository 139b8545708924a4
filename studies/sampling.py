"""What ways of choosing 50 sentences resolve and shift, on public ratings of six systems.

The ratings are those of Napoles et al. (2019) for the FCE test set: mean scores by sentence, of which chosen ones stand
for a campaign, and all whose outputs differ for the truth (`shift`; in `of all` those without differences, too). Pairs
count as resolved by a paired t-test at 5 %, and in the column `holm` corrected by Holm (1979).

                          pairs of 15   by Holm   shift, of 100 points   tau
    published                     4.5       1.5                    1.7   0.65
    chance                        4.5       1.6                    1.6   0.63
    distinct, weighted            5.4       2.2               2.6, 1.8   0.67, 0.65
    diverse                         8         8                    6.5   0.60

Shifts are from the 809 of 963 sentences whose outputs differ; from all, 8.6 for `diverse`, 2.7 by chance. With six
outputs a screen `published` draws all alike.
"""

import csv
import os
import random
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.stats import kendalltau, rankdata, ttest_rel

from judgments.assignment.rules.assigning import SAMPLED, Choice, PlanSettings, choose_screens
from judgments.assignment.rules.sampling import ADAPTIVE, CHANCE, DISTINCT, DIVERSE, PUBLISHED, diversity
from judgments.rules.texts.collapsing import collapse
from ranking.numbers.tables import Table
from ranking.stats.rankings.pair_tests import holm

RATED = Path(__file__).parent.parent / os.environ.get("SHARED_DATA", "../shared") / "data/gmeg-fce/test"
LACKS = "SHARED_DATA lacks data/gmeg-fce"
SYSTEMS = "amu", "marian", "nus", "lstm", "lstm-r", "transformer"
SENTENCES, LEVEL = 50, 0.05
COLUMNS = ("sentences chosen", "weighted", "resolved", "holm", "shift", "of all", "tau")
KINDS = ("kind of sentence", "sentences", "deviation of slopes", "deviation of means", "ratio")


class Rated(NamedTuple):
    """Scores of each sentence (row) and system, and the outputs as choices."""

    scores: np.ndarray
    choices: list[Choice]


def rated() -> Rated | None:
    """Sentences with a score of every system; None where the data are not at hand."""
    if not RATED.exists():
        return None
    with (RATED / "segment-scores.csv").open(encoding="utf-8") as file:
        scores = np.array([[float(line[name] or "nan") for name in SYSTEMS] for line in csv.DictReader(file)])
    columns = [(RATED / name).read_text(encoding="utf-8").splitlines() for name in SYSTEMS]
    known = np.flatnonzero(~np.isnan(scores).any(axis=1))
    outputs = [[column[line] for column in columns] for line in known]
    return Rated(scores[known], [_choice(place, texts) for place, texts in enumerate(outputs)])


def _choice(place: int, texts: list[str]) -> Choice:
    distinct, number_of = collapse(texts)
    many = tuple(number_of.count(number) for number in range(len(distinct)))
    return Choice(place, "", tuple(range(len(distinct))), many, diversity=diversity(distinct, many))


def sampling(campaigns: int, _: int) -> Table:
    """Each way of choosing, with and without weights; ways by chance are tried as often as there are campaigns."""
    material = rated()
    if material is None:
        return Table.of(LACKS, COLUMNS, [])
    rows = []
    for way in (PUBLISHED, CHANCE, DISTINCT, DIVERSE, *ADAPTIVE):
        tries = 1 if way == DIVERSE else campaigns
        found = [_tried(material, way, seed) for seed in range(tries)]
        plain, weighted = (np.mean([one[place] for one in found], axis=0) for place in (0, 1))
        rows.append((way, "no", *plain))
        if way in (PUBLISHED, DISTINCT):
            rows.append((way, "yes", *plain[:2], *weighted[2:]))
    return Table.of("sampling", COLUMNS, rows)


def _tried(material: Rated, way: str, seed: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    settings = PlanSettings(SAMPLED, len(SYSTEMS), 1, 20, screens=SENTENCES, sampling=way)
    screens = choose_screens(material.choices, settings, random.Random(seed))
    chosen = material.scores[[screen.segment for screen in screens]]
    weights = [screen.weight or 1.0 for screen in screens]
    tests = np.array([ttest_rel(chosen[:, one], chosen[:, other]).pvalue for one, other in PAIRS])
    p_values = np.nan_to_num(tests, nan=1.0)
    resolved = float((p_values < LEVEL).sum()), float((np.array(holm(p_values.tolist())) < LEVEL).sum())
    differs = [len(choice.candidates) > 1 for choice in material.choices]
    truth, of_all = material.scores[differs].mean(axis=0), material.scores.mean(axis=0)
    means = chosen.mean(axis=0), np.average(chosen, axis=0, weights=weights)
    plain, weighted = (
        (np.abs(one - truth).mean(), np.abs(one - of_all).mean(), kendalltau(one, truth).statistic) for one in means
    )
    return (*resolved, *plain), (*resolved, *weighted)


PAIRS = list(combinations(range(len(SYSTEMS)), 2))


def kinds(_: int, __: int) -> Table:
    """How much systems differ by kind of sentence: the slope of each over the rank of the diversity of outputs.

    Slopes are those of scores less the sentence's mean; their variance is less that of their errors.
    """
    material = rated()
    if material is None:
        return Table.of(LACKS, KINDS, [])
    differs = np.array([len(choice.candidates) > 1 for choice in material.choices])
    ranks = rankdata([choice.diversity for choice in material.choices if len(choice.candidates) > 1])
    kind = (ranks - ranks.mean()) / ranks.std()
    apart = material.scores[differs] - material.scores[differs].mean(axis=1, keepdims=True)
    means, slopes = apart.mean(axis=0), (apart * kind[:, None]).mean(axis=0)
    errors = (apart - means - slopes * kind[:, None]).var(axis=0) / len(apart)
    deviation = float(np.sqrt(max(0.0, slopes.var() - errors.mean())))
    row = "diversity of outputs", len(apart), deviation, means.std(), deviation / means.std()
    return Table.of("kinds", KINDS, [row])
