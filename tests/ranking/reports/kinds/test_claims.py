"""What a ranking supports, in sentences, on tables so small that it can be seen."""

import re
from dataclasses import replace
from itertools import pairwise

import pytest

from ranking.numbers.tables import Table
from ranking.reports.kinds.comparison_claims import (
    MethodFindings,
    answer,
    headline,
    may_not_say,
    may_say,
)
from ranking.reports.kinds.corrections import CORRECTIONS
from ranking.reports.sentences.pairs import verdict_on
from ranking.stats.comparisons.leave_out import FRAGILITY
from ranking.stats.comparisons.standings import (
    BEATS_SOURCE,
    BREAK,
    METHODS_COMPARED,
    NOT_BEST,
    NOT_LAST,
    PAIRS,
    PRECISION,
    QUESTIONS,
    STANDINGS,
    pairs,
    questions,
    standings,
)
from ranking.stats.comparisons.study import PRESETS, Parameters
from ranking.stats.corrections.study import CorrectionParameters
from ranking.stats.resampling import Unit
from tests.ranking.stats.comparisons.sections.cast import published_study
from tests.ranking.stats.comparisons.test_changes import pair, ranked
from tests.services.house import ROOT

A_TO_D = ("A", "B", "C", "D")
OVERALL = ("inter", 0.29), ("intra", 0.46)


def found(*separated: str, equivalent: bool | None = None, **answers: str | tuple[str, ...]) -> MethodFindings:
    """Systems, best first, with the pairs that are separated, such as AB, and what other questions establish."""
    findings = MethodFindings.of(concluded(*separated, **answers), "expected-wins")
    pairs = tuple(line | {"equivalent": equivalent} for line in findings.pairs)
    return MethodFindings(findings.lines, pairs, findings.questions)


def concluded(
    *separated: str,
    systems: tuple[str, ...] = A_TO_D,
    best: str | tuple[str, ...] = (),
    last: str | tuple[str, ...] = (),
    source: str = "",
    above: str | tuple[str, ...] = (),
    before: str | tuple[str, ...] = (),
    asks_for_breaks: bool = True,
) -> dict[str, Table]:
    """Tables in which these may be the best or the last (all, if none is named), beat the source, begin a group."""
    pairs = [
        pair(better, worse, (place + 1) / 10, 0.01 if better + worse in separated else 0.5)
        for at, better in enumerate(systems)
        for place, worse in enumerate(systems[at + 1 :])
    ]
    first, final, neighbours = systems[0], systems[-1], list(pairwise(systems))
    answers = [
        *((NOT_BEST, None, one, first, bool(best) and one not in best) for one in systems),
        *((NOT_LAST, None, one, final, bool(last) and one not in last) for one in systems),
        *((BEATS_SOURCE, None, one, source, one in above) for one in systems if source and one != source),
        *((BREAK, one, one, other, other in before) for one, other in neighbours if asks_for_breaks),
    ]
    questions = [
        ("expected-wins", question, after, one, other, 3.0 if holds else 0.0, 0.01 if holds else 0.5, holds)
        for question, after, one, other, holds in answers
    ]
    counts = [("systems", len(systems)), ("sentences", 60), ("documents", 1), ("judges", 3), ("judgments", 1200)]
    tables = (
        Table.of("counts", ("what", "number"), counts),
        Table.of("standings", STANDINGS, ranked(*((name, 1) for name in systems))),
        Table.of("questions", QUESTIONS, questions),
        Table.of("pairs", PAIRS, pairs),
    )
    return {table.name: table for table in tables}


@pytest.mark.parametrize(
    ("separated", "answers", "sentence"),
    [
        ("AB AC AD", {"best": "A"}, "A is best; the judgments do not separate the other three."),
        ("AB AC AD BD CD", {"best": "A"}, "A is best; the judgments do not separate the next two."),
        ("AB AC AD BC BD", {"best": "A"}, "A is best; B is second."),
        ("AB AC AD BC", {"best": "A"}, "A is best; the judgments do not separate B from D."),
        ("AC AD BD", {"best": "AB"}, "The best is one of A and B."),
        ("AC AD BD", {"best": "AB", "last": "D"}, "The best is one of A and B; D is last."),
        ("BD", {"best": "ABC", "last": "CD"}, "The best is one of A, B and C."),
        ("BD", {}, "A scores highest; each of the four systems may be the best."),
        ("", {"last": "D"}, "A scores highest; each of the four systems may be the best; D is last."),
        ("", {}, "The judgments do not separate any of the four systems."),
        ("", {"source": "D", "above": "A"}, "A scores highest; each of the four systems may be the best."),
        ("", {"before": "D"}, "A scores highest; each of the four systems may be the best."),
        (
            "AB AC AD", {"best": "A", "source": "D", "above": "ABC"},
            "A is best; the judgments do not separate the next two.",
        ),
        ("", {"systems": tuple("AB")}, "The judgments do not separate A and B."),
        ("AB", {"systems": tuple("AB"), "best": "A", "last": "B"}, "A is better than B."),
        (
            "AJ", {"systems": tuple("ABCDEFGHIJ"), "best": "ABCDEFGH"},
            "A scores highest; eight of the ten systems may be the best.",
        ),
    ],
)  # fmt: skip
def test_the_sentence_to_quote_says_what_the_tests_say(separated, answers, sentence):
    assert headline(found(*separated.split(), **answers)) == sentence


def test_every_question_has_its_sentence():
    some = found("AC", "AD", "BD", best="AB", last="D", source="D", above="ABC", before="D")
    assert may_say(some, 0.95, Unit.SENTENCE) == [
        "With 95% confidence, the best system is among these two; another may be as good as it.",
        "A, B and C are better than D, the source.",
        "The order breaks before D: all systems above are better than all below.",
        "3 of 6 pairs of systems differ; all are tested together, so that the probability of any false difference "
        "among them is at most 5%.",
        "Each question is tested by itself, and one with fewer comparisons needs weaker evidence. For example, C is "
        "better than D, although the tests of all pairs do not separate them.",
    ]
    assert may_not_say(some, Unit.SENTENCE) == [
        "“A is the best system.” B may be the best, too.",
        "“A and B are equally good.” Not separated is not equal.",
        "“Other judges would give the same.”",
    ]
    alone = may_say(found("AB", "AC", "AD", best="A"), 0.95, Unit.SENTENCE)
    assert alone[0] == "A is better than all three other systems."
    assert alone[-1].endswith("For example, A is better than all others, although no break is shown after it.")
    assert alone[1] == "No break in the order is shown. Systems that share a letter are not separated."
    without = may_say(found("AB", "AC", "AD", best="A", asks_for_breaks=False), 0.95, Unit.SENTENCE)
    assert not any("break" in said for said in without), "clusters are those of a published rule"
    nothing = may_say(found(source="A"), 0.9, Unit.SENTENCE)
    assert nothing == [
        "No system is shown to be better than A, the source.",
        "None of the 6 pairs of systems differs significantly, all tested together.",
    ]
    many = may_say(found(systems=tuple("ABCDEF"), source="F", above="ABCD"), 0.95, Unit.SENTENCE)
    assert many[0] == "A, B, C and D are better than F, the source."
    named = may_say(found(systems=("A", "Source"), source="Source", above="A"), 0.95, Unit.SENTENCE)
    assert named[0] == "A is better than the source."
    assert "Equally good within the margin of the report (delta): A and B, A and C, A and D and 3 others." in may_say(
        found(equivalent=True), 0.95, Unit.SENTENCE
    )


MEETING = Table.of("head_to_head", ("system", "opponent", "wins", "losses"), [("A", "D", 30, 10), ("D", "A", 10, 30)])


@pytest.mark.parametrize(
    ("separated", "answers", "said"),
    [
        ("AD", {}, "A is better than D: their scores differ by 0.300 (0.000 to 1.000), significant among all 6 pairs "
         "tested together (p = 0.01)."),
        ("", {}, "The judgments do not separate A from D: their scores differ by 0.300 (0.000 to 1.000), not "
         "significant among all 6 pairs tested together (p = 0.5)."),
        ("", {"source": "D", "above": "A"}, "A is better than D, tested with all systems against the source "
         "(p = 0.01). Their scores differ by 0.300 (0.000 to 1.000); this is not significant among all 6 pairs tested "
         "together (p = 0.5), which need stronger evidence."),
        ("", {"before": "C"}, "A is better than D, because the order breaks between them (p = 0.01). Their scores "
         "differ by 0.300 (0.000 to 1.000); this is not significant among all 6 pairs tested together (p = 0.5), "
         "which need stronger evidence."),
    ],
)  # fmt: skip
def test_a_pair_has_a_verdict_the_question_that_decides_it_and_counts(separated, answers, said):
    tables = concluded(*separated.split(), **answers) | {"head_to_head": MEETING}
    counts = " A won 30 of 40 decisive comparisons with D; scores also rest on comparisons with others."
    assert verdict_on(tables, "A", "D") == verdict_on(tables, "D", "A") == said + counts
    assert verdict_on(tables, "A", "Z") == verdict_on({}, "A", "D") == ""


def test_a_system_that_is_not_the_best_says_of_no_other_one_that_it_is_better():
    conflict = may_say(found("AC", best="AB"), 0.95, Unit.SENTENCE)[-1]
    assert conflict.endswith("D is not the best, although the tests of all pairs do not separate it from A.")
    assert verdict_on(concluded("AC", best="AB"), "A", "D").startswith("The judgments do not separate A from D")
    alone = concluded("AC", best="A")
    assert verdict_on(alone, "A", "D").startswith("A is better than D, because no other system may be the best")
    assert verdict_on(alone, "B", "D").startswith("The judgments do not separate B from D")
    assert "A is better than B, although" in may_say(found("AC", best="A"), 0.95, Unit.SENTENCE)[-1]


def test_a_system_that_cannot_be_placed_stands_on_no_side_of_a_break():
    tables = concluded(systems=tuple("ABCDE"))
    lines = [(*row[:2], None if row[4] == "D" else row[2], *row[3:]) for row in tables["standings"].rows]
    asked = [("expected-wins", BREAK, "C", "C", "E", 4.0, 0.01, True)]
    tables |= {
        "standings": Table.of("standings", STANDINGS, lines),
        "questions": Table.of("questions", QUESTIONS, asked),
    }
    assert "The order breaks before E: " in " ".join(answer(tables, vars(Parameters())).may_say)
    assert verdict_on(tables, "C", "E").startswith("C is better than E, because the order breaks")
    assert verdict_on(tables, "A", "D").startswith("The judgments do not separate A from D")


def test_a_unit_that_is_too_narrow_promises_no_error():
    said = may_say(found("AC", "AD", "BD", best="AB"), 0.95, Unit.PAIR)
    assert "3 of 6 pairs of systems differ, all tested together." in said
    assert "The best system is among these two; another may be as good as it." in said
    tables = concluded("AB")
    by_pair = [(row[0], "pair", *row[2:]) for row in tables["standings"].rows]
    tables["standings"] = Table.of("standings", STANDINGS, by_pair)
    answered = answer(tables, vars(Parameters(intervals="percentile")))
    assert answered.caution == (
        "Pairs of a sentence were drawn as if independent, so intervals are too narrow. So each of these statements is "
        "false in more than 5% of campaigns; use them only beside published numbers."
    )
    text = answered.paper.files()["paper.md"]
    assert "Pairs of a sentence were drawn as if independent, so intervals are too narrow." in text
    assert "at most 5%" not in text
    assert "may be the best (intervals as published, which are too narrow)." in text
    own_choices = answer(tables, vars(Parameters()))
    assert own_choices.sentence.endswith("may be the best (by intervals that are too narrow).")
    assert verdict_on(tables, "A", "B").endswith("so intervals are too narrow.")


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        ("breaks", ""),
        ("never-overlapping", " Clusters follow the rule “never-overlapping” of rank ranges. "),
        ("all-later", " Clusters follow the published rule “all-later” of rank ranges [@grundkiewicz2015]. "),
        ("next-only", " Clusters follow the published rule “next-only” of rank ranges [@grundkiewicz2015]. "),
    ],
)
def test_only_published_rules_for_clusters_are_called_so_and_cited(rule, sentence):
    without_tests = concluded("AB") | {"questions": Table.of("questions", QUESTIONS, [])}
    methods = answer(without_tests, vars(Parameters(clusters=rule))).paper.methods
    assert sentence in methods
    assert ("Clusters" in methods) == bool(sentence)


def test_a_line_between_clusters_has_its_sentence_where_it_is_true():
    def legend(**answers) -> str:
        return answer(concluded("AD", **answers), vars(Parameters())).legend

    assert legend(before="C") == (
        "A line between clusters: everything above it is better than everything below; within a cluster some pairs may "
        "still differ."
    )
    assert legend() == legend(asks_for_breaks=False) == ""


def test_what_may_not_be_said_follows_from_the_tests():
    likely = found("AC", best="ABD")
    likely = MethodFindings(({**likely.lines[0], "p_best": 0.91}, *likely.lines[1:]), likely.pairs, likely.questions)
    assert may_not_say(likely, Unit.PAIR)[0] == (
        "“A is the best system.” B and D may be the best, too, though the probability that A is best is 0.91."
    )
    assert may_not_say(found("AB", "AC", "AD", "BD", "CD", best="A"), Unit.SENTENCE_AND_JUDGE)[0] == (
        "“B is better than C.” They are not separated."
    )
    assert len(may_not_say(found(*("AB", "AC", "AD", "BC", "BD", "CD"), best="A"), Unit.PAIR)) == 1
    assert any("“A and B are equally good.”" in said for said in may_not_say(found(equivalent=False), Unit.PAIR))
    assert not any("equally good" in said for said in may_not_say(found(equivalent=True), Unit.PAIR))


def test_other_methods_agree_on_so_many_pairs_and_one_that_cannot_rank_is_said_first():
    tables = concluded("AB", "AC")
    standings = [*tables["standings"].rows, *ranked(*((name, 1) for name in A_TO_D), method="bradley-terry")]
    differing = [("expected-wins", "bradley-terry", "A", "B", "A", None, 0.01, 0.06)]
    tables |= {
        "standings": Table.of("standings", STANDINGS, standings),
        "methods_compared": Table.of("methods_compared", METHODS_COMPARED, differing),
    }
    answered = answer(tables, vars(Parameters()))
    assert answered.others == ({"label": "Bradley-Terry with ties", "same": 5, "pairs": 6},)
    assert answered.facts == ("4 systems", "60 sentences", "3 judges", "1,200 judgments")
    refused = Table.of("standings_refused", ("reason",), [("z-score: for ratings.",)])
    by_pair = [(row[0], "pair", *row[2:]) for row in concluded("AB")["standings"].rows]
    tables = concluded("AB") | {"standings_refused": refused, "standings": Table.of("standings", STANDINGS, by_pair)}
    answered = answer(tables, vars(Parameters(methods=("z-score", "expected-wins"))))
    assert answered.refused == "z-score: for ratings."
    assert "intervals are too narrow" in answered.caution
    answered = answer(concluded("AB"), vars(Parameters()))
    assert answered.refused == answered.caution == ""
    assert answer({name: table for name, table in tables.items() if name != "pairs"}, vars(Parameters())) is None


def test_reports_on_corrections_say_agreement_by_their_measure_and_compare_with_people():
    kappas = [("inter", "ada", "ben", "nominal", 0.3, False),
              *((f"overall {of}", "all", "all", "nominal", kappa, True) for of, kappa in OVERALL),
              *((f"overall {of}", "all", "all", "linear", kappa + 0.1, True) for of, kappa in OVERALL)]  # fmt: skip
    columns = ("kind", "judge", "other", "weighting", "kappa", "enough")
    tables = concluded("AB") | {"agreement": Table.of("agreement", columns, kappas)}
    answered = answer(tables, vars(Parameters()))
    assert answered.agreement == "kappa 0.29 between judges, 0.46 of judges with themselves"
    left_out = "Pairs of judges with fewer than 50 comparisons in common are left out."
    assert left_out in answered.paper.methods
    tables["agreement"] = Table.of("agreement", columns, kappas[1:])
    assert left_out not in answer(tables, vars(Parameters())).paper.methods
    row = ("expected-wins", 0.36, 2, 0.964, 200, 0.9)
    bought = answer(concluded("AB") | {"precision": Table.of("precision", PRECISION, [row])}, vars(Parameters()))
    assert bought.precision == (
        "Judges make up an estimated 36% of the uncertainty: two more judges would make intervals 4% narrower, 200 "
        "more sentences 10%."
    )
    few = Table.of(
        "fragility", FRAGILITY, [("judge", None, 3, None), ("sentence", 12, 60, "B"), ("ranking", 9, 99, "B")]
    )
    assert answer(concluded("AB") | {"fragility": few}, vars(Parameters())).fragility == (
        "Without the 12 of 60 sentences that favour it most over B, A would lose the first place."
    )
    few = Table.of("fragility", FRAGILITY, [("judge", 1, 3, "C"), ("sentence", 9, 60, "B")])
    assert answer(concluded("AB") | {"fragility": few}, vars(Parameters())).fragility == (
        "Without the 9 of 60 sentences or 1 of 3 judges that favours it most over B or C, A would lose the first place."
    )
    below = Table.of("agreement", columns, [("overall inter", "all", "all", "nominal", -0.04, True)])
    said = answer(concluded("AB") | {"agreement": below}, vars(Parameters())).agreement
    assert said == "kappa −0.04 (worse than chance) between judges"
    columns = (*columns, "compared")
    for cells, said in (
        ([], "unknown between judges (no output was judged by two)"),
        ([(37, False)], "unknown between judges (no two share more than 37 comparisons, and 50 are needed)"),
        ([(180, True)], "undefined between judges (all their judgments are alike)"),
    ):
        cells = [("inter", "ada", "ben", "nominal", None, enough, many) for many, enough in cells]
        tables = concluded("AB") | {"agreement": Table.of("agreement", columns, cells)}
        assert answer(tables, vars(Parameters())).agreement == f"kappa {said}"
    said = answer(concluded("AB"), vars(Parameters()) | {"answers": "adjudicated"}).agreement
    assert said == "kappa unknown between judges (it needs independent answers)"
    pairs = Table.of("correction_pairs", ("judge", "other", "same"), [("ada", "ben", 0.5), ("ada", "eve", 0.25)])
    tables = {"counts": Table.of("counts", ("what", "number"), [("judges", 3)]), "correction_pairs": pairs}
    answered = CORRECTIONS.answer(tables, vars(CorrectionParameters()))
    assert answered.agreement == "two judges write the same for 0.38 of sentences"
    columns = ("kind", "who", "gold", "f", "f_low", "f_high", "ratio", "ratio_low", "ratio_high")
    lines = [
        ("people", "people", 2, 0.8, 0.75, 0.85, None, None, None), ("system", "A", 2, 0.6, 0.5, 0.7, 0.75, 0.6, 0.9),
    ]  # fmt: skip
    counts = Table.of("counts", ("what", "number"), [("sentences", 60), ("judges", 3), ("judgments", 180)])
    tables = {"counts": counts, "combinations": Table.of("combinations", columns, lines)}
    answered = CORRECTIONS.answer(tables, vars(CorrectionParameters()))
    said = "A has the highest F0.5 of the systems, 75% (60 to 90%) of people’s (0.80 against two other judges)."
    assert answered.sentence == said
    assert answered.may_say == (
        "Against two other judges, people reach 0.80 (0.75 to 0.85).",
        "A reaches 0.60 (0.50 to 0.70) against the same number.",
    )
    assert answered.scope == "other sentences of the same kind, corrected by these judges"


def test_what_to_paste_has_the_same_numbers_in_every_format_and_every_work_once():
    tables = concluded("AB_1", systems=("A", "B_1"), best="A")
    files = answer(tables, vars(Parameters(replicates=400))).paper.files()
    assert "A is better than B_1." in files["paper.md"]
    assert "A is better than B\\_1." in files["paper.tex"]
    assert "A is better than B\\_1." in files["paper.typ"]
    for name in ("paper.md", "paper.tex", "paper.typ"):
        assert "3 judges made 1,200 judgments" in files[name]
        assert "400 bootstrap replicates" in files[name]
        assert "and clusters; 2 systems, 60 sentences, 3 judges, 1,200 judgments." in files[name]
    assert "[@efron1993]" in files["paper.md"]
    assert r"\cite{efron1993}" in files["paper.tex"]
    assert "95\\%" in files["paper.tex"]
    assert "replicates @efron1993 " in files["paper.typ"]
    assert "\\label{tab:ranking}\n\\end{table}" in files["paper.tex"]
    assert "Table~\\ref{tab:ranking} gives all scores." in files["paper.tex"]
    assert "\n) <tab:ranking>\n" in files["paper.typ"]
    assert "@tab:ranking gives all scores." in files["paper.typ"]
    assert "| A | 1.000 | 0.000 to 1.000 | 1 | 1 |" in files["paper.md"]
    assert "[A], [1.000], [0.000 to 1.000], [1], [1]" in files["paper.typ"]
    files = answer(concluded("AB"), vars(Parameters(delta=0.1))).paper.files()
    entries = files["references.bib"].splitlines()
    assert len(entries) == len(set(entries))
    assert all(entry.count("{") == entry.count("}") for entry in entries)
    for key in ("bojar2013", "romano2005", "hsu1984", "berger1982", "schuirmann1987", "appraisegec"):
        assert f"@{key}" in files["paper.md"]
        assert sum(f"{{{key}," in entry for entry in entries) == 1


def test_no_sentence_of_a_paper_begins_with_digits_and_every_method_is_cited():
    tables = concluded("AB", "AC")
    other = Table.of("standings", STANDINGS, [("bradley-terry", *line[1:]) for line in tables["standings"].rows])
    tables["standings"] = Table.of("standings", STANDINGS, [*tables["standings"].rows, *other.rows])
    text = answer(tables, vars(Parameters())).paper.files()["paper.md"].partition("\n| ")[0]
    assert "Altogether, 2 of 6 pairs of systems differ" in text
    assert "Bradley-Terry with ties [@bradley1952; @davidson1970] leads to the same conclusion for 6 of 6" in text
    assert not re.search(r"(^|\n|\. )\d", text)


@pytest.mark.wide
def test_what_the_guide_says_of_the_published_judgments_is_what_a_report_says():
    guide = (ROOT / "docs" / "citing.md").read_text(encoding="utf-8")
    study = published_study(PRESETS["recommended"].with_changes(methods=("expected-wins",), unit="sentence-and-judge"))
    study = replace(study, names=replace(study.names, source="INPUT"))
    tables = {part.name: part for section in (standings, pairs, questions) for part in section(study)}
    findings = MethodFindings.of(tables, "expected-wins")
    assert f"> {headline(findings)}\n" in guide
    assert f"On the published judgments these are {' and '.join(findings.above_source)}, although" in guide
    assert f"here only before {findings.after_breaks[0]}. " in guide
