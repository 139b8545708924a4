"""Plans: the toy by hand, and that a plan is what is assigned."""

from judgments.assignment.rules.assigning import PlannedAssignment, PlannedBatch, PlannedScreen
from judgments.assignment.rules.planning import plan_of

BEHIND = {1: ["A", "B"], 2: ["C"], 3: ["D"]}


def batch(*candidates: tuple[int, ...], judges: int = 2) -> PlannedBatch:
    screens = [PlannedScreen(number, "", shown) for number, shown in enumerate(candidates)]
    assignments = [
        PlannedAssignment(number, judge, number, tuple(range(len(shown))))
        for judge in range(judges) for number, shown in enumerate(candidates)
    ]  # fmt: skip
    return PlannedBatch("", screens, assignments)


def test_the_toy_of_the_definition():
    plan = plan_of([batch((1, 2))], 0, {1: ["A", "B"], 2: ["C"]}, 49.0)
    assert (plan.screens, plan.assignments, plan.batches, plan.longest) == (1, 2, 1, 1)
    assert (plan.fewest, plan.median, plan.most) == (0, 2, 2)
    assert plan.apart == (("A", "B"),)
    assert plan.pairs == (("A", "B", 0), ("A", "C", 2), ("B", "C", 2)), "the rarest first"


def test_sentences_that_come_again_are_counted_once():
    plan = plan_of([batch((1, 2), (2, 3)), batch((1, 3))], 0, BEHIND, 49.0)
    assert (plan.screens, plan.shown, plan.most_screens) == (3, 2, 2)


def test_controls_make_no_comparison_and_hours_are_those_of_all_assignments():
    plan = plan_of([batch((1, 9))], 4, BEHIND, 49.0)
    assert (plan.most, plan.automatic) == (0, 4)
    assert len(plan.apart) == 6
    assert plan_of([batch((1, 2), (2, 3), judges=3)], 0, BEHIND, 60.0).hours == 0.1
