

def test_it_ends_where_few_instances_have_so_many_verdicts():
    # Three instances with two verdicts, one with five.
    instance = np.repeat(np.arange(4), [2, 2, 2, 5])
    judge = np.concatenate([np.arange(2)] * 3 + [np.arange(5)])
    crowd = Verdicts(instance, judge, np.ones(11, dtype=int), instances=4, judges=5)
    found = list(agreement_by_number(crowd, np.ones((1, 4)), most=20, seed=1, draws=3))
    assert [one.judges for one in found] == [1, 2]
