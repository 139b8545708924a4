"""A release alone, in an empty folder and without the platform, makes every number of its report again."""

import pytest

from tests.judgments.management.test_demo import demo_of  # noqa: F401 (a fixture)
from tests.ranking.publishing.cast import files_of, report_on, unpacked
from tests.ranking.reports.test_bundles import run


@pytest.mark.parametrize("slug", ["demo", "demo-rating", "demo-verdict", "demo-correction"])
def test_all_numbers_of_a_demonstration_come_out_the_same(slug, demo_of, tmp_path):  # noqa: F811
    report = report_on(demo_of(slug))
    folder = unpacked(report, tmp_path, with_texts=True)
    numbers = {file.name: file.read_bytes() for file in (folder / "tables").iterdir()}
    assert len(numbers) > 5
    assert run(folder / "reproduction") == f"All {len(numbers) + 2} files are the same, byte for byte.\n"
    again = folder / "reproduction" / "again"
    assert {name: (again / name).read_bytes() for name in numbers} == numbers
    assert files_of(report).keys() <= files_of(report, with_texts=True).keys()
