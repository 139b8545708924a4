"""Screens of a plan become ballots without answers, in the order in which judges claim them."""

from judgments.assignment.rules.assigning import PlannedAssignment, PlannedBatch, PlannedScreen
from ranking.power.predicting import blank_ballots

# Candidate 9 is a control, which no report compares.
BEHIND = {1: ["Crane", "Wren"], 2: ["Magpie"], 3: ["Heron"]}
SCREENS = [PlannedScreen(70, "", (1, 2)), PlannedScreen(71, "", (3, 9)), PlannedScreen(72, "", (2, 3, 9))]


def test_rounds_go_to_different_judges_and_repeats_and_controls_are_left_out():
    assignments = [
        PlannedAssignment(screen, round_, position, order, repeats)
        for round_ in (0, 1)
        for position, (screen, order, repeats) in enumerate(
            [(0, (1, 0), None), (1, (0, 1), None), (2, (2, 0, 1), None), (0, (0, 1), 0)]
        )
    ]
    blank = blank_ballots([PlannedBatch("", SCREENS, assignments)], BEHIND, judges=2)
    assert (blank.systems, blank.judges, blank.segments) == (4, 2, 2)
    assert blank.judge.tolist() == [0, 0, 1, 1]
    assert blank.segment.tolist() == [0, 1, 0, 1]
    assert blank.candidate.tolist() == [1, 0, 1, 2] * 2
    assert blank.candidates.starts.tolist() == [0, 2, 3, 4]
    assert blank.candidates.members.tolist() == [0, 3, 2, 1], "systems are numbered by name"
