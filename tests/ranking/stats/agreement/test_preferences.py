"""Agreement of those who have a preference: the toy, ties, and a judge who answers twice."""

from ranking.stats.agreement.preferences import preferences
from tests.ranking.stats.ballots import ballot, columns


def test_the_toy_of_the_definition():
    ballots = [ballot(("A", 1), ("B", 2), judge=judge) for judge in range(3)] + [ballot(("A", 2), ("B", 1), judge=3)]
    assert preferences(columns(ballots)) == (6, 3)


def test_ties_and_second_answers_are_left_out():
    ballots = [
        ballot(("A", 1), ("B", 2), judge=0),
        ballot(("A", 1), ("B", 2), judge=0),
        ballot(("A", 1), ("B", 1), judge=1),
        ballot(("A", 1), ("B", 2), judge=2),
        ballot(("A", 1), ("B", 2), judge=3, segment=1),
    ]
    assert preferences(columns(ballots)) == (1, 1)
    assert preferences(columns(ballots[:1])) == (0, 0)
