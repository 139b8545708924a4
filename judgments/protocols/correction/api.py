"""A correction as programs send it."""

from rest_framework import serializers

from judgments.protocols.base import Objects
from judgments.rules.authored.categories import LONGEST_NAME
from judgments.rules.texts.edits import LONGEST_REPLACEMENT, MOST_EDITS

EDITS = Objects(
    name="EditInput",
    about="Characters from start to end of the source, counted from 0 by code points, and what should stand there.",
    fields={
        "start": serializers.IntegerField(min_value=0),
        "end": serializers.IntegerField(min_value=0),
        "replacement": serializers.CharField(allow_blank=True, trim_whitespace=False, max_length=LONGEST_REPLACEMENT),
        "category": serializers.CharField(required=False, allow_blank=True, max_length=LONGEST_NAME),
    },
    most=MOST_EDITS,
)
INPUTS = {
    "edits": EDITS,
    "text": serializers.CharField(
        required=False, trim_whitespace=False, help_text="Correction: the corrected sentence, instead of its edits."
    ),
    "fine": serializers.BooleanField(required=False, help_text="Correction: that there is no error."),
}
