"""Keys of imported judgments are those of every version, whatever classes are called: importing again adds nothing."""

from uuid import UUID

import pytest

from judgments.exchange.importers.joining import Value
from judgments.exchange.importers.rules.essay_ratings import EssayScores
from judgments.exchange.importers.rules.recorded import RecordedScore, keys_of
from judgments.rules.texts.edits import Edit, JudgedEdit

SAID = EssayScores((("Fluency", 3), ("Grammaticality", None)), (("Grammaticality", "Other"),))


@pytest.mark.parametrize(
    ("what", "key"),
    [
        (1, "b2ac07ee-ce5b-5987-b832-c3499f91a68d"),
        (RecordedScore(87.5), "f0c643e2-e008-5aec-97f2-c78ef867c546"),
        (SAID, "260ee718-2d73-57b3-ad71-bd483a7a86bc"),
        (Value((JudgedEdit(0, 2, "go", "True"),), 1), "005f48b6-428b-5969-8e0e-7241d8ab8378"),
        ((Edit(0, 2, "go", "V"),), "b81a4cf6-52de-5cc2-bbf4-61b152e53d7b"),
    ],
    ids=["rank", "score", "scores of an essay", "verdicts on edits", "edits"],
)
def test_the_key_of_a_judgment_never_changes(what, key):
    assert keys_of(UUID(int=7), [("c", what)]) == [UUID(key)]
