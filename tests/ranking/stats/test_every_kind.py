"""What holds for every kind of study: no gap and no NaN in a whole one, the same bytes from the same seed and files."""

from dataclasses import replace

import pytest

from ranking.numbers.tables import to_csv
from ranking.stats import corrections, edits, essays, programs, verdicts
from ranking.stats.analysis import analyse
from ranking.stats.study_files import read, write
from tests.ranking.stats.corrections.test_study import study as study_of_corrections
from tests.ranking.stats.edits.cast import whole_study as study_of_edits
from tests.ranking.stats.essays.cast import whole_study as study_of_essays
from tests.ranking.stats.programs import cast as of_programs
from tests.ranking.stats.verdicts.cast import whole_study as study_of_verdicts

KINDS = {
    "corrections": (study_of_corrections, corrections.SECTIONS),
    "edits": (study_of_edits, edits.SECTIONS),
    "essays": (study_of_essays, essays.SECTIONS),
    "programs that rate": (lambda: of_programs.study(of_programs.ratings()), programs.SECTIONS),
    "programs that rank": (of_programs.rankings, programs.SECTIONS),
    "programs that find errors": (of_programs.verdicts, programs.SECTIONS),
    "verdicts": (study_of_verdicts, verdicts.SECTIONS),
}
GAPS = {"edits": {"metric ERRANT": "It has no score of s3."}}


@pytest.mark.wide
@pytest.mark.parametrize("kind", KINDS)
def test_a_whole_study_has_no_gap_and_the_same_bytes_from_its_files_and_seed(kind):
    made, sections = KINDS[kind]
    study = made()
    found = analyse(study, sections)
    assert kind.startswith("programs") or found.gaps == GAPS.get(kind, {})
    text = "".join(map(to_csv, found.tables.values()))
    assert "nan" not in text.lower()
    files = write(study)
    again = read(type(study), files)
    assert write(again) == files
    assert (again.signature(), again.parameters) == (study.signature(), study.parameters)
    assert analyse(again, sections) == found
    other = replace(study, parameters=study.parameters.with_changes(seed=study.parameters.seed + 1))
    assert "".join(map(to_csv, analyse(other, sections).tables.values())) != text
