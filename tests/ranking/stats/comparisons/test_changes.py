"""What changed between two reports, on reports so small that it can be seen."""

from ranking.numbers.tables import Table
from ranking.stats.comparisons.changes import CHANGES, Choice, Conclusion, Rankings, compare, has_changed
from ranking.stats.comparisons.sections.standings import PAIRS, STANDINGS

CHOICES = {"methods": ["expected-wins"], "seed": 1, "judgments": 100}


def ranked(*places: tuple[str, int], method: str = "expected-wins") -> list[tuple]:
    """Systems with their clusters, the best first."""
    return [
        (method, "sentence", cluster, rank, system, 1 / rank, 0.0, 1.0, rank, rank, 0.5)
        for rank, (system, cluster) in enumerate(places, 1)
    ]


def pair(system: str, opponent: str, difference: float, p_value: float, method: str = "expected-wins") -> tuple:
    """A pair, the better one first."""
    return (method, system, opponent, difference, 0.0, 1.0, 0.5, p_value, p_value <= 0.05, None, None)


def concluded(standings: list[tuple] = (), pairs: list[tuple] = (), name: str = "report 2", **choices) -> Conclusion:
    tables = [Table.of("standings", STANDINGS, standings), Table.of("pairs", PAIRS, pairs)]
    return Conclusion(name, {table.name: table for table in tables if table.rows}, CHOICES | choices)


BEFORE = concluded(ranked(("A", 1), ("B", 1), ("C", 1)), [pair("A", "B", 0.1, 0.2)], "report 1")


def test_the_same_report_twice_changes_nothing():
    changes = compare(BEFORE, BEFORE)
    assert changes.is_empty
    assert changes.conclusions_stand
    assert changes.sentences() == ["Nothing changed."]
    assert [line["moved"] for line in changes.moves.dicts()] == [0, 0, 0]


def test_a_cluster_splits_and_a_system_moves():
    changes = compare(BEFORE, concluded(ranked(("B", 1), ("A", 1), ("C", 2)), [pair("A", "B", 0.1, 0.2)]))
    assert changes.sentences() == ["Expected Wins: Cluster 1 split: B and A are now ahead of C."]
    assert changes.moves.columns == CHANGES
    assert changes.moves.rows[0] == (
        "expected-wins", "expected-wins", "B", 1, 1, 2, 1, 2, 2, 1, 1, 0.5, 1.0, 1,
    )  # fmt: skip
    assert [(line["system"], line["moved"]) for line in changes.moves.dicts()] == [("B", 1), ("A", -1), ("C", 0)]


def test_numbers_may_move_while_conclusions_stand():
    changes = compare(BEFORE, concluded(ranked(("B", 1), ("A", 1), ("C", 1)), [pair("A", "B", 0.05, 0.4)]))
    assert changes.conclusions_stand
    assert not changes.is_empty
    assert changes.sentences() == ["No cluster and no pair changed."]


def test_changed_choices_are_listed_with_those_an_old_report_lacked():
    later = concluded(ranked(("A", 1), ("B", 1), ("C", 1)), [pair("A", "B", 0.1, 0.2)], judgments=120, folds="none")
    changes = compare(BEFORE, later)
    assert changes.choices == (Choice("judgments", "100", "120"), Choice("folds", "", "none"))
    assert changes.sentences()[:2] == ["judgments: 100 before, 120 now.", "folds: not chosen before, none now."]


def test_methods_and_systems_of_only_one_report_are_listed_and_the_others_compared():
    later = concluded(
        ranked(("A", 1), ("B", 1), ("D", 2)) + ranked(("A", 1), method="mean-score"), [pair("A", "B", 0.1, 0.2)]
    )
    changes = compare(BEFORE, later)
    assert changes.only_in_one == (
        "Only report 1 ranks C.",
        "Only report 2 ranks D and by Mean score.",
    )
    assert [line["system"] for line in changes.moves.dicts()] == ["A", "B"]
    assert not changes.conclusions_stand


def test_a_report_without_a_ranking_is_noted_without_listing_every_system():
    changes = compare(BEFORE, concluded())
    assert changes.only_in_one == ("Only report 1 ranks by Expected Wins.",)
    assert changes.moves.rows == ()
    assert compare(concluded(), concluded()).is_empty
    assert not compare(concluded(), concluded()).conclusions_stand


def test_pairs_are_listed_once_from_the_side_of_the_better_one():
    places = ranked(("A", 1), ("B", 1), ("C", 1), ("D", 1))
    before = [pair("A", "B", 0.1, 0.2), pair("A", "C", 0.2, 0.01), pair("C", "B", 0.2, 0.04), pair("A", "D", 0.4, 0.01)]
    now = [pair("B", "A", 0.15, 0.05), pair("A", "C", 0.1, 0.06), pair("B", "C", 0.2, 0.01), pair("A", "D", 0.3, 0.02)]
    changes = compare(concluded(places, before), concluded(places, now))
    assert changes.sentences() == [
        "B is now better than A.",
        "A is no longer separated from C.",
        "B is now better than C, which was better before.",
    ]
    assert changes.pairs.rows[0] == (
        "expected-wins", "expected-wins", "B", "A", "not separated", "better", -0.1, 0.15, 0.2, 0.05
    )  # fmt: skip
    assert changes.separated_in_both == {"A": ("D",)}
    assert changes.pairs.rows[1][4:] == ("better", "not separated", 0.2, 0.1, 0.01, 0.06)


def test_without_a_common_method_the_rankings_to_cite_are_compared():
    places = ranked(("B", 1), ("A", 2), ("C", 2), method="mean-score")
    pairs = [pair("B", "A", 9, 0.01, "mean-score"), pair("B", "C", 9, 0.01, "mean-score")]
    earlier = concluded(
        ranked(("A", 1), ("B", 1), ("C", 2)), [pair("A", "B", 0.1, 0.2), pair("B", "C", 0.1, 0.02)], "report 1"
    )
    changes = compare(earlier, concluded(places, pairs))
    cited = Rankings("expected-wins", "mean-score")
    assert [(line["system"], line["rank_before"], line["rank"]) for line in changes.moves_of(cited)] == [
        ("B", 2, 1), ("A", 1, 2), ("C", 3, 3),
    ]  # fmt: skip
    assert changes.separated_in_both == {"B": ("C",)}
    assert [row[:6] for row in changes.pairs.rows] == [(*cited, "B", "A", "not separated", "better")]
    assert [one.sentence() for one in changes.regroupings[cited]] == [
        "Cluster 1 split: B is now ahead of A.", "Joined in cluster 2: A is no longer ahead of C.",
    ]  # fmt: skip


def test_a_common_method_is_compared_even_if_one_report_cites_another():
    both = [*ranked(("A", 1), ("B", 1), method="mean-score"), *ranked(("B", 1), ("A", 1))]
    changes = compare(BEFORE, concluded(both))
    assert [*changes.regroupings] == [
        Rankings("expected-wins", "mean-score"), Rankings("expected-wins", "expected-wins"),
    ]  # fmt: skip
    assert [line["moved"] for line in changes.moves.dicts()] == [0, 0, 1, -1]


def test_scores_by_two_methods_are_not_compared():
    ranking = [(*line[:5], 99.0, *line[6:]) for line in ranked(("A", 1), ("B", 1), ("C", 1), method="mean-score")]
    assert not any(map(has_changed, compare(BEFORE, concluded(ranking)).moves.dicts()))
    again = [("expected-wins", *line[1:]) for line in ranking]
    assert all(map(has_changed, compare(BEFORE, concluded(again)).moves.dicts()))
