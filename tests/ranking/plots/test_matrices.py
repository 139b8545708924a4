"""Heat maps: head to head, and the agreement of judges."""

from dataclasses import replace

from ranking.plots.agreement import agreement
from ranking.plots.head_to_head import head_to_head
from ranking.plots.heat import step_around_half, step_of_kappa
from tests.ranking.plots.cast import marks, tables, texts


def changed(made: dict, name: str, change) -> dict:
    """Tables of which one has other rows."""
    return made | {name: replace(made[name], rows=tuple(tuple(change(list(row))) for row in made[name].rows))}


def test_rows_and_columns_stand_in_the_order_of_the_ranking():
    systems = ("Wren", "Heron", "source")
    (plot,) = head_to_head(tables(systems))
    assert texts(plot, "name") == list(systems)
    assert texts(plot, "name column") == list(systems)


def test_shares_are_told_with_their_marks():
    (plot,) = head_to_head(tables())
    assert sorted(text for text in texts(plot) if "." in text) == [".25‡"] * 3 + [".75‡"] * 3
    assert "3 of 3 pairs differ by more than chance" in plot.sentence
    assert plot.sentence.endswith("none of them contradicts the order of the ranking.")


def test_many_systems_keep_their_marks_and_get_a_key():
    (plot,) = head_to_head(tables([f"S{number}" for number in range(20)]))
    written = texts(plot)
    assert written.count("‡") == 20 * 19
    assert "wins all" in written


def test_who_contradicts_the_ranking_is_named():
    made = tables()
    turned = {("Heron", "Wren"): 0.2, ("Wren", "Heron"): 0.8}
    (plot,) = head_to_head(
        changed(made, "head_to_head", lambda row: [*row[:5], turned.get((row[0], row[1]), row[5]), *row[6:]])
    )
    assert plot.sentence.endswith("against the order of the ranking, Wren beats Heron.")


def test_without_any_mark_nothing_is_said_about_contradictions():
    (plot,) = head_to_head(changed(tables(), "head_to_head", lambda row: [*row[:7], ""]))
    assert "0 of 3 pairs differ" in plot.sentence
    assert "contradict" not in plot.sentence


def test_the_scale_is_even_around_a_half():
    shares = [0, 0.1, 0.25, 0.4, 0.5]
    for share in shares:
        assert step_around_half(share).replace("less", "more") == step_around_half(1 - share)
    assert len({step_around_half(share) for share in shares}) == 5


def test_the_scale_of_kappa_begins_at_chance():
    classes = [step_of_kappa(kappa) for kappa in (-0.3, -0.001, 0.19, 0.2, 0.5, 0.7, 0.9, 1.0)]
    assert classes == [
        f"cell {name}" for name in ("less2", "even", "even", "more1", "more2", "more3", "more4", "more4")
    ]


def test_every_judge_is_named_once_beside_the_diagonal():
    (plot,) = agreement(tables())
    assert texts(plot, "name") == ["ada", "ben", "eve"]
    # Three with all others, three with themselves, three pairs.
    assert len(marks_of_squares(plot)) == 9
    assert texts(plot).count(".35") == 3
    assert texts(plot).count(".25 to .45") == 3


def marks_of_squares(plot) -> list:
    return marks(plot, "rect", "cell")


def test_few_comparisons_have_a_star_as_in_the_paper():
    made = changed(tables(), "agreement", lambda row: [*row[:4], 3, False] if row[0] == "intra" else row)
    (plot,) = agreement(made)
    assert texts(plot).count(".55*") == 3
    assert "A star marks 3 kappas from fewer than 50 comparisons." in plot.sentence


def test_what_was_never_compared_is_an_empty_square():
    made = tables()
    rows = tuple(row for row in made["agreement"].rows if row[:3] != ("inter", "ada", "eve"))
    (plot,) = agreement(made | {"agreement": replace(made["agreement"], rows=rows)})
    assert len(marks(plot, "rect", "cell void")) == 1
    assert texts(plot).count(".35") == 2


def test_a_judge_called_everybody_is_a_judge():
    (plot,) = agreement(tables(judges=("everybody", "the rest")))
    assert texts(plot, "name") == ["everybody", "the rest"]


def test_the_sentence_on_agreement_names_the_extremes():
    made = changed(tables(), "agreement", lambda row: [*row[:3], 0.6, *row[4:]] if row[1:3] == ["ben", "eve"] else row)
    (plot,) = agreement(made)
    assert plot.sentence.startswith("Judges agree with each other at a kappa of 0.35 (0.25 to 0.45).")
    assert "highest between ben and eve (0.60) and lowest between ada and ben (0.35)." in plot.sentence
