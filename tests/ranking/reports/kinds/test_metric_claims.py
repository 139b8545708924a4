"""What a report says of metrics, from tables so small that it can be seen."""

from ranking.numbers.tables import Table
from ranking.reports.kinds.metric_claims import claims_on_metrics
from ranking.stats.metaevaluation.metric_tests import BY_SENTENCES, COMPARISONS, OTHER_SENTENCES, OTHER_SYSTEMS
from ranking.stats.metaevaluation.overview import COLUMNS, COMPARED, INLIER, NAME

PEOPLE = "Expected Wins"
R = ("system_pearson", "system_pearson_low", "system_pearson_high")


def row(metric: str, *r: float, people: str = PEOPLE, **cells) -> dict:
    return {"people": people, "metric": metric, "systems": 12, **dict(zip(R, r, strict=True)), **cells}


def compared(kind: str, metric: str, other: str, p: float | None) -> dict:
    return {"people": PEOPLE, "test": kind, "metric": metric, "other": other, "p_value": p}


def claims(*rows: dict, tests: list[dict] | None = None) -> tuple[list[str], list[str], str]:
    tables = {
        name: Table.of(name, columns, [[line.get(column) for column in columns] for line in lines])
        for name, columns, lines in ((NAME, COLUMNS, rows), (COMPARED, COMPARISONS, tests or []))
    }
    return claims_on_metrics(tables, PEOPLE, 0.95)


def test_nothing_is_said_without_metrics_or_with_those_of_another_ranking_alone():
    assert claims_on_metrics({}, PEOPLE, 0.95) == ([], [], "")
    assert claims(row("GLEU", 0.7, 0.4, 0.9, people="TrueSkill")) == ([], [], "")


def test_the_metric_with_the_highest_correlation_is_better_than_those_from_which_tests_separate_it():
    others = row("ERRANT", 0.8, 0.6, 0.9), row("BLEU", 0.1, -0.2, 0.3, sentence_tau=0.2), row("M2", 0.7, 0.5, 0.8)
    said, unsaid, methods = claims(
        *others,
        row("ERRANT", 0.6, 0.2, 0.8, people=PEOPLE + INLIER),
        tests=[
            compared(OTHER_SENTENCES, "ERRANT", "BLEU", 0.01), compared(OTHER_SENTENCES, "ERRANT", "M2", 0.06),
            compared(OTHER_SENTENCES, "M2", "BLEU", 0.01), compared(OTHER_SYSTEMS, "ERRANT", "BLEU", 0.2),
        ],
    )  # fmt: skip
    assert said == [
        "Of three metrics, ERRANT correlates most with people over 12 systems: Pearson's r is 0.80 (0.60 to 0.90), and "
        "0.60 (0.20 to 0.80) without outliers.",
        "ERRANT agrees better with people than BLEU for these systems on other sentences.",
        "Sentence by sentence, BLEU agrees most with people: tau is 0.20.",
    ]
    assert unsaid == [
        "“ERRANT is the best metric.” M2 is not separated from it.",
        "“ERRANT is better for other systems, too.” No test over 12 systems shows it.",
    ]
    assert "[@romano2005] and, for other systems, by Williams' test [@williams1959; @graham2014]" in methods
    said, unsaid, _ = claims(
        *others[:2],
        tests=[compared(OTHER_SENTENCES, "ERRANT", "BLEU", 0.01), compared(OTHER_SYSTEMS, "ERRANT", "BLEU", 0.04)],
    )
    assert said[2] == "ERRANT agrees better with people than BLEU for other systems."
    assert unsaid == []


def test_a_metric_that_agrees_most_sentence_by_sentence_is_not_the_best_for_it_without_a_test():
    rows = row("ERRANT", 0.8, 0.6, 0.9, sentence_tau=0.2), row("M2", 0.7, 0.5, 0.8, sentence_tau=0.3)
    best = "“ERRANT is the best metric.” M2 is not shown to be worse."
    closest = "“M2 is the best metric sentence by sentence.” ERRANT is not separated from it."
    for p, unsaid in (0.2, [best, closest]), (0.05, [best]):  # at its level a test separates, as in all tables
        found = claims(*rows, tests=[compared(BY_SENTENCES, "M2", "ERRANT", p)])
        assert found[0][-1] == "Sentence by sentence, M2 agrees most with people: tau is 0.30."
        assert found[1] == unsaid


def test_what_no_test_compares_is_not_called_separated_or_not():
    _, unsaid, methods = claims(row("ERRANT", 0.8, 0.6, 0.9), row("M2", 0.7, 0.5, 0.8))
    assert unsaid == ["“ERRANT is the best metric.” M2 is not shown to be worse."]
    assert "step-down" not in methods


def test_correlations_that_may_be_0_or_are_negative_are_no_agreement():
    said, unsaid, _ = claims(row("GLEU", 0.3, -0.1, 0.6))
    assert said == ["GLEU correlates with people over 12 systems: Pearson's r is 0.30 (−0.10 to 0.60)."]
    assert unsaid == ["“GLEU agrees with people.” Its r may be 0."]
    _, unsaid, _ = claims(row("GLEU", 0.9, 0.7, 1.0) | {"systems": 4})
    assert unsaid == ["“GLEU agrees with people.” 4 systems are too few to show it."]
    said, unsaid, _ = claims(row("BLEU", -0.3, -0.5, 0.1), row("chrF", -0.4, -0.6, 0.0))
    assert said == [
        "No metric correlates positively with people over 12 systems; BLEU has the highest Pearson's r, −0.30 (−0.50 "
        "to 0.10)."
    ]
    assert unsaid == ["“BLEU is the best metric.” chrF is not shown to be worse."]
