"""The digits of the code change with what may be computed, and with nothing else."""

import re

import pytest

from ranking.numbers.version import VERSION
from ranking.stats.analysis import PACKAGES, RANKING, code_version, digest_of

CODE = '''"""What a half is."""

HALF = 0.5  # of everything


def half(number: float) -> float:
    """A half of it."""
    return number * HALF
'''


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("  # of everything", ""),
        ('"""What a half is."""\n', ""),
        ('    """A half of it."""\n', '    """Half of it,\n\n    and no more.\n    """\n'),
        ("number * HALF", "(\n        number\n        * HALF\n    )"),
        ("0.5", "0.50"),
    ],
)
def test_comments_docstrings_and_formatting_are_no_part_of_it(before, after):
    assert before in CODE
    assert digest_of({"half.py": CODE.replace(before, after)}) == digest_of({"half.py": CODE})


@pytest.mark.parametrize(
    ("before", "after"), [("0.5", "0.25"), ("number * HALF", "HALF * number"), ("HALF", "PART"), ("* HALF", "+ HALF")]
)
def test_every_change_that_may_alter_a_number_is_noticed(before, after):
    assert digest_of({"half.py": CODE.replace(before, after)}) != digest_of({"half.py": CODE})


def test_the_name_of_a_module_counts_and_all_that_computes_is_looked_at():
    assert digest_of({"half.py": CODE}) != digest_of({"part.py": CODE})
    assert digest_of({"a.py": CODE, "b.py": ""}) == digest_of({"b.py": "", "a.py": CODE})
    assert re.fullmatch(rf"{re.escape(VERSION)}-[0-9a-f]{{8}}", code_version())
    assert all(list((RANKING / package).rglob("*.py")) for package in PACKAGES)
