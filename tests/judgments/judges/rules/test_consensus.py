"""Agreement of each judge with the others, counted by hand."""

import pytest

from judgments.judges.rules.alarms import consensus, kappa, outcomes


def test_the_toy_in_any_order():
    ada = outcomes([((1, 2), (5, 3)), ((4, 3), (2, 2))])
    ben = outcomes([((2, 1), (0, 1)), ((3, 4), (9, 8))])
    found = consensus({"ada": ada, "ben": ben})
    screens, chance = found["ada"]
    assert screens == ((1, 1), (0, 1))
    assert chance == found["ben"][1] == 0.5
    assert kappa(screens, chance) == 0
    assert kappa(screens[:1], chance) == 1
    (one,), (other,) = outcomes([((7, 2, 5), (1, 3, 3))]), outcomes([((5, 2, 7), (3, 3, 1))])
    assert one == other == {(2, 5): 0, (2, 7): 1, (5, 7): 1}


def test_single_answers_are_compared_with_the_mean_of_the_judge():
    cast = {"ada": [90, 70, 90, 70], "ben": [40, 0, 0, 40], "cy": [1, 0, 1, 0]}
    found = consensus({name: outcomes([((at,), (one,)) for at, one in enumerate(row)]) for name, row in cast.items()})
    # Ada agrees with Ben on 2 of 4 and with Cy on 4 of 4; half is expected by chance.
    assert found["ada"][0] == ((2, 2), (2, 2), (1, 2), (1, 2))
    assert kappa(*found["ada"]) == pytest.approx((6 / 8 - 1 / 2) / (1 - 1 / 2))


def test_judges_without_comparisons_or_with_one_answer_are_left_out():
    agreed = outcomes([((1, 2), (5, 3))])
    assert consensus({"ada": agreed, "ben": outcomes([((3, 4), (5, 3))]), "cy": []}) == {}
    assert consensus({"ada": agreed, "ben": agreed}) == {}
