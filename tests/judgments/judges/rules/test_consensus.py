"""Agreement of each judge with the others, counted by hand."""

import pytest

from judgments.judges.rules.consensus import consensus, outcomes


def test_the_toy():
    ada = [outcomes((1, 2), (5, 3)), outcomes((4, 3), (2, 2))]
    ben = [outcomes((2, 1), (0, 1)), outcomes((3, 4), (9, 8))]
    found = consensus({"ada": ada, "ben": ben})
    assert found["ada"].screens == ((1, 1), (0, 1))
    assert found["ada"].chance == found["ben"].chance == 0.5
    assert found["ada"].kappa() == 0
    assert found["ada"].kappa(slice(1)) == 1


def test_the_order_shown_does_not_matter():
    assert outcomes((7, 2, 5), (1, 3, 3)) == outcomes((5, 2, 7), (3, 3, 1)) == {(2, 5): 0, (2, 7): 1, (5, 7): 1}


def test_single_answers_are_compared_as_they_are():
    cast = {"ada": [1, 0, 1, 0], "ben": [1, 0, 0, 1], "cy": [1, 0, 1, 0]}
    answers = {name: [outcomes((at,), (given,)) for at, given in enumerate(row)] for name, row in cast.items()}
    found = consensus(answers)
    # Ada agrees with Ben on 2 of 4 and with Cy on 4 of 4; half is expected by chance.
    assert found["ada"].screens == ((2, 2), (2, 2), (1, 2), (1, 2))
    assert found["ada"].kappa() == pytest.approx((6 / 8 - 1 / 2) / (1 - 1 / 2))


def test_judges_without_comparisons_or_with_one_answer_are_left_out():
    alone = {"ada": [outcomes((1, 2), (5, 3))], "ben": [outcomes((3, 4), (5, 3))], "cy": []}
    assert consensus(alone) == {}
    assert consensus({name: [outcomes((1, 2), (5, 3))] for name in ("ada", "ben")}) == {}
