"""What a report was made from: written and read, nothing is lost."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking.stats.analysis import Day
from ranking.stats.comparisons.study import PRESETS, ComparisonStudy, Covariates, Names
from ranking.stats.metaevaluation.scores import MetricScores, ScoreLevel
from ranking.stats.study_files import read, write
from tests.ranking.stats.ballots import any_ballots, ballot, columns

texts = st.text(st.characters(exclude_categories=["C"]), min_size=1, max_size=8)
floats = st.floats(-1e6, 1e6)


@st.composite
def any_study(draw) -> ComparisonStudy:
    seconds = st.one_of(floats, st.just(float("nan")))
    ballots = columns([one._replace(seconds=draw(seconds)) for one in draw(any_ballots)])
    system = np.array([draw(floats) for _ in range(6)])
    sentence = np.array([[draw(st.one_of(floats, st.just(float("nan")))) for _ in range(6)] for _ in range(2)])
    metrics = (
        MetricScores(draw(texts), ScoreLevel.SYSTEM, system),
        MetricScores(draw(texts), ScoreLevel.SENTENCE, sentence),
    )
    days = tuple(Day(f"2015-09-1{day}", draw(st.integers(1, 9)), 1) for day in range(draw(st.integers(0, 2))))
    covariates = Covariates(
        np.array(draw(st.lists(st.integers(1, 9)))), metrics, draw(st.dictionaries(texts, texts)),
        np.array([draw(st.floats(0.01, 100)) for _ in range(len(ballots))] if draw(st.booleans()) else []),
    )  # fmt: skip
    names = Names(tuple(draw(texts) for _ in range(6)), tuple(draw(texts) for _ in range(8)))
    chosen = draw(st.sampled_from(sorted(PRESETS)))
    return ComparisonStudy(ballots, names, PRESETS[chosen], draw(st.booleans()), covariates, days)


@pytest.mark.wide
@given(any_study())
def test_a_written_study_reads_back_the_same(study):
    files = write(study)
    again = read(ComparisonStudy, files)
    assert write(again) == files
    assert again.fingerprint() == study.fingerprint()
    assert (again.names, again.parameters, again.are_ratings) == (study.names, study.parameters, study.are_ratings)
    assert again.days == study.days


def test_a_judgment_is_a_line_that_people_can_read():
    ballots = columns([ballot(("AB", 1), ("C", 2), judge=1), ballot(("AB", 2), ("C", 1))], 3, 2)
    files = write(ComparisonStudy(ballots, Names(("A", "B", "C"), ("ada", "ben")), PRESETS["recommended"]))
    assert files["ballots.judge.csv"] == "judge,segment,seconds\n1,0,nan\n0,0,nan\n"
    assert files["ballots.candidate.csv"] == "candidate,merit\n0,-1.0\n1,-2.0\n0,-2.0\n1,-1.0\n"
