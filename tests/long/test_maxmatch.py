"""M2 counts what the plain model of the official program counts, on very many cases."""

import pytest

from tests.ranking.metrics.maxmatch_cases import disagreements, made_cases


@pytest.mark.wide
def test_none_of_thirty_thousand_cases_differs():
    """Repeated words, deletions, overlapping edits, alternatives and several annotators."""
    assert list(disagreements(made_cases(2014, 30_000))) == []
