"""Agreement of those who have a preference: the toy, ties, and a judge who answers twice."""

from ranking.stats.agreement.meetings import preferences
from tests.ranking.stats.ballots import ballot, columns


def test_preferences_by_hand_without_ties_and_second_answers():
    ballots = [ballot(("A", 1), ("B", 2), judge=judge) for judge in range(3)] + [ballot(("A", 2), ("B", 1), judge=3)]
    assert preferences(columns(ballots)) == (6, 3)
    ballots = [ballot(("A", 1), ("B", 2), judge=judge) for judge in (0, 0, 2)]
    ballots += [ballot(("A", 1), ("B", 1), judge=1), ballot(("A", 1), ("B", 2), judge=3, segment=1)]
    assert preferences(columns(ballots)) == (1, 1)
    assert preferences(columns(ballots[:1])) == (0, 0)
    ballots = [ballot(("A", 1), ("B", 2), judge=judge, segment=segment) for judge in range(2) for segment in range(9)]
    assert preferences(columns(ballots)) == (9, 9)
