"""The digits of the code change with every module that computes numbers, and with its name."""

import re

import pytest

from ranking.numbers.version import VERSION
from ranking.stats import analysis


@pytest.fixture
def digits(tmp_path, monkeypatch):
    """Return the digits of a package with one module of this name and content."""
    monkeypatch.setattr(analysis, "RANKING", tmp_path)

    def digits_of(name: str, content: str) -> str:
        for file in tmp_path.rglob("*.py"):
            file.unlink()
        (tmp_path / "stats").mkdir(exist_ok=True)
        (tmp_path / "stats" / name).write_bytes(content.encode())
        analysis.code_version.cache_clear()
        return analysis.code_version()

    yield digits_of
    analysis.code_version.cache_clear()


def test_they_change_with_the_content_and_the_name_of_a_module_but_not_with_its_line_ends(digits):
    usual = digits("half.py", "HALF = 0.5\n")
    assert digits("half.py", "HALF = 0.25\n") != usual
    assert digits("part.py", "HALF = 0.5\n") != usual
    assert digits("half.py", "HALF = 0.5\r\n") == usual


def test_they_follow_the_version_and_cover_all_packages_that_compute():
    assert re.fullmatch(rf"{re.escape(VERSION)}-[0-9a-f]{{8}}", analysis.code_version())
    assert all(list((analysis.RANKING / package).rglob("*.py")) for package in analysis.PACKAGES)
