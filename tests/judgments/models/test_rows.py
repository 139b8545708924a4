"""Storing ready tuples: what comes back is what went in, whatever it is, and keys are those of the table."""

from datetime import UTC, datetime
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction

from judgments.models import Assignment, Candidate, Document, Judgment, Segment, SystemOutput
from judgments.models.database import new_keys, store_rows

pytestmark = pytest.mark.postgresql
ODD = ["a \\ b", "\\N", "\\.", "tab\there", "two\nlines", "\r", "", "\u2028 \N{SNOWMAN} \U0001f600", "'; --", "%s"]


def test_texts_come_back_as_they_were_and_rows_have_the_keys_returned(campaign):
    segment = Segment.objects.first()
    rows = [(segment.pk, text, str(number)) for number, text in enumerate([*ODD, None])]
    keys = store_rows(Candidate, ["segment", "text", "fingerprint"], rows)
    stored = Candidate.objects.in_bulk(keys)
    assert [stored[key].text for key in keys] == [*ODD, None]
    assert Candidate.objects.create(segment=segment, text="next", fingerprint="x").pk > max(keys)
    assert store_rows(Candidate, ["segment", "text", "fingerprint"], []) == []


def test_other_columns_get_their_defaults_and_values_are_prepared_as_fields_do_it(campaign, ada):
    assignment = Assignment.objects.first()
    moment, key = datetime(2026, 1, 2, 3, 4, 5, 678, tzinfo=UTC), uuid4()
    columns = ["assignment", "screen_id", "key", "submitted_at", "wall_seconds", "skipped"]
    (pk,) = store_rows(Judgment, columns, [(assignment.pk, assignment.screen_id, key, moment, 1.5, True)])
    made = Judgment.objects.get(pk=pk)
    assert (made.key, made.submitted_at, made.wall_seconds, made.skipped) == (key, moment, 1.5, True)
    assert (made.revision, made.current, made.flagged, made.comment) == (1, True, False, "")
    output = SystemOutput.objects.first()
    edits = [[0, 1, ["a \\ \t"], "Nn"]]
    output.delete()
    columns = ["system_id", "segment_id", "candidate_id", "verbatim", "edits"]
    given = (output.system_id, output.segment_id, output.candidate_id, None, edits)
    (pk,) = store_rows(SystemOutput, columns, [given])
    assert SystemOutput.objects.get(pk=pk).edits == edits


def test_keys_may_be_taken_before_their_rows_and_constraints_hold(campaign):
    first, second = keys = new_keys(Document, 2)
    assert store_rows(Document, ["campaign", "name"], [(campaign.pk, "a"), (campaign.pk, "b")], keys) == keys
    assert dict(Document.objects.filter(pk__in=keys).values_list("pk", "name")) == {first: "a", second: "b"}
    with pytest.raises(IntegrityError), transaction.atomic():
        store_rows(Document, ["campaign", "name"], [(campaign.pk, "a")])
