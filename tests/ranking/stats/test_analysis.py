"""A report of poor judgments: what cannot be made is a gap with a sentence, the rest is there, and no number is NaN."""

import pytest

from ranking.numbers.tables import Gap, StatisticsError, Table, to_csv
from ranking.stats.analysis import Analysis, SectionProgress, analyse
from ranking.stats.comparisons import SECTIONS
from ranking.stats.comparisons.study import PRESETS, ComparisonStudy, Covariates, Names
from ranking.stats.rankings.methods import METHODS
from tests.ranking.stats.ballots import Ballot, ballot, columns
from tests.ranking.stats.comparisons.sections.cast import of_sentences, of_systems

CHOSEN = PRESETS["recommended"].with_changes(replicates=200)
PUBLISHED = PRESETS["grundkiewicz2015"].with_changes(replicates=200)
EVERY_METHOD = CHOSEN.with_changes(methods=tuple(METHODS), unit="sentence")
A_OVER_B = [ballot(("A", 1), ("B", 2), judge=judge, segment=segment) for judge in range(2) for segment in range(8)]

POOR = {
    "one ballot": [ballot(("A", 1), ("B", 2), ("C", 3))],
    "a judge alone": [ballot(("A", 1), ("B", 2), ("C", 2), segment=segment) for segment in range(6)],
    "a pair never compared": [
        ballot((left, 1), (right, 2), judge=segment % 2, segment=segment)
        for segment, (left, right) in enumerate([("A", "B"), ("C", "B")] * 8)
    ],
    "a system never compared": A_OVER_B,
    "all ties": [
        ballot(("A", 1), ("B", 1), ("C", 1), judge=segment % 2, segment=segment // 2) for segment in range(16)
    ],
    "only skips": [Ballot(0, segment, ()) for segment in range(4)],
    "only one candidate": [ballot(("ABC", 1), segment=segment) for segment in range(4)],
    "always the same": [ballot(("A", 1), ("B", 2), ("C", 3), judge=n % 2, segment=n // 2) for n in range(40)],
}
METRICS = (of_systems("flat", 1, 1, 1), of_systems("like", 3, 2, 1))


def report(ballots: list[Ballot], parameters=CHOSEN, are_ratings: bool = False, metrics=METRICS) -> Analysis:
    study = ComparisonStudy(
        columns(ballots, 3, 2), Names(("A", "B", "C"), ("ada", "ben")), parameters, are_ratings,
        Covariates(metrics=metrics, lacking={"lost": "It has no score of C."}),
    )  # fmt: skip
    return analyse(study, SECTIONS)


@pytest.mark.wide
@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("chosen", "are_ratings"), [
    pytest.param(CHOSEN, False, id="recommended"),
    pytest.param(CHOSEN, True, id="ratings"),
    pytest.param(EVERY_METHOD, False, id="every method"),
    pytest.param(EVERY_METHOD, True, id="every method, ratings", marks=pytest.mark.long),
    pytest.param(PUBLISHED, False, id="published", marks=pytest.mark.long),
    pytest.param(PUBLISHED, True, id="published, ratings", marks=pytest.mark.long),
])  # fmt: skip
@pytest.mark.parametrize("poor", POOR)
def test_poor_judgments_leave_gaps_and_the_rest_is_made(poor, chosen, are_ratings):
    found = report(POOR[poor], chosen, are_ratings)
    assert "comparison_counts" in found.tables
    assert found.gaps["metric lost"] == "It has no score of C."
    for reason in found.gaps.values():
        assert reason.endswith(".")
        assert "nan" not in reason.casefold().split()
    for table in found.tables.values():
        assert "nan" not in to_csv(table).casefold().replace("\n", ",").split(",")


@pytest.mark.long
def test_missing_things_are_named():
    assert "nothing to rank systems by" in report(POOR["all ties"]).tables["standings_refused"].rows[0][0]
    assert "No method could rank" in report(POOR["only skips"]).gaps["metrics"]
    assert "Nobody compared A and C." in report(POOR["a pair never compared"]).gaps["pairs never compared"]
    assert "no agreement to measure" in report(POOR["a pair never compared"]).gaps["agreement"]
    assert "All scores by the metric are equal" in report(POOR["always the same"]).gaps["metric flat"]


def test_one_method_that_cannot_rank_leaves_the_others():
    found = report(POOR["always the same"], CHOSEN.with_changes(methods=("z-score", "expected-wins")))
    assert set(found.tables["standings"].column("method")) == {"expected-wins"}
    assert "for ratings" in found.tables["standings_refused"].rows[0][0]


def test_a_metric_scored_for_no_sentence_is_a_gap():
    nothing = of_sentences("nothing", [[float("nan")] * 3] * 20)
    found = report(POOR["always the same"], metrics=(nothing,))
    assert "nothing" in " ".join(found.gaps)
    assert "standings" in found.tables


@pytest.mark.parametrize(
    ("ballots", "systems", "words"), [([], 3, "no judgments yet"), (A_OVER_B, 1, "only one system")]
)
def test_without_judgments_or_opponents_there_is_no_report(ballots, systems, words):
    study = ComparisonStudy(columns(ballots, systems, 2), Names(("A",) * systems, ("ada", "ben")), CHOSEN)
    with pytest.raises(StatisticsError, match=words):
        analyse(study, SECTIONS)


def test_progress_is_reported_by_section_and_never_goes_back(monkeypatch):
    steps: list[tuple[str, float]] = []
    study = ComparisonStudy(columns(A_OVER_B, 3, 2), Names(("A", "B", "C"), ("ada", "ben")), CHOSEN)
    analyse(study, SECTIONS, lambda name, done: steps.append((name, done)))
    assert [name for name, _ in steps] == list(SECTIONS)
    assert [done for _, done in steps] == sorted(done for _, done in steps)
    steps.clear()
    slow = {"slow": lambda study: iter([SectionProgress("fold 2 of 4", 0.25)]), "quick": lambda study: iter(())}
    analyse(study, slow, lambda *step: steps.append(step))
    assert steps == [("slow", 0), ("slow, fold 2 of 4", 0.125), ("quick", 0.5)]


def test_a_section_that_fails_halfway_keeps_what_it_made(monkeypatch):
    def halfway(study):
        yield Table.of("first", ("a",), [(1,)])
        yield Gap("second", "It was lost.")
        raise StatisticsError("The third one cannot be made.")

    monkeypatch.setitem(SECTIONS, "halfway", halfway)
    found = report(A_OVER_B)
    assert "first" in found.tables
    assert found.gaps["second"] == "It was lost."
    assert found.gaps["halfway"] == "The third one cannot be made."
