"""Correction: the edits that correct a sentence, or the statement that it has no error."""

from django.utils.translation import gettext_lazy
from rest_framework import serializers

from judgments.protocols.base import Objects, Protocol
from judgments.protocols.correction.answers import ANSWERS, columns, described, load, store
from judgments.protocols.correction.form import TEACHING, CorrectionForm, specification
from judgments.rules.authored.categories import LONGEST_NAME
from judgments.rules.texts.edits import LONGEST_REPLACEMENT, MOST_EDITS

WORDS = {
    "no_edits_yet": gettext_lazy("Correct the sentence, or say that there is no error."),
    "edits_made": gettext_lazy("Edits: {count}"),
    "fine_said": gettext_lazy("No error."),
    "fine_or_edits": gettext_lazy("There are edits; remove them first if nothing is wrong."),
    "edit_open": gettext_lazy("Save or cancel the edit that you are writing."),
    "category_lacking": gettext_lazy("An edit has no category yet."),
    "category_wanted": gettext_lazy("Choose a category."),
    "changes_nothing": gettext_lazy("This changes nothing; write something else, or cancel."),
    "edit_too_long": gettext_lazy("This is too long, with the spaces beside it; {most} characters are the most."),
    "too_many_edits": gettext_lazy("There are {most} edits already; remove one, or make one that is longer."),
    "no_line": gettext_lazy("This has a tab, a line break or a sign that cannot be seen; write a space instead."),
    "overlaps": gettext_lazy("This overlaps with an edit; change or remove that one."),
    "mark_something": gettext_lazy("Nothing is marked"),
    "replace": gettext_lazy("Replace “{old}”"),
    "insert_between": gettext_lazy("Insert between “{before}” and “{after}”"),
    "insert_before": gettext_lazy("Insert before “{after}”"),
    "insert_after": gettext_lazy("Insert after “{before}”"),
    "replaced": gettext_lazy("“{old}” becomes “{now}”"),
    "deleted": gettext_lazy("“{old}” is deleted"),
    "inserted": gettext_lazy("“{now}” is inserted"),
    "edit_saved": gettext_lazy("Saved: {edit}."),
    "edit_removed": gettext_lazy("Removed: {edit}."),
    "change": gettext_lazy("Change"),
    "change_edit": gettext_lazy("Change: {edit}"),
    "remove": gettext_lazy("Remove"),
    "remove_edit": gettext_lazy("Remove: {edit}"),
    "undone": gettext_lazy("Undone."),
    "redone": gettext_lazy("Redone."),
    "nothing_to_undo": gettext_lazy("There is nothing to undo."),
    "nothing_to_redo": gettext_lazy("There is nothing to redo."),
}


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


# Nothing is compared, and no right answer is known.
LACKS = frozenset({
    "feedback", "screen_size", "automatic_ties", "one_domain_a_day", "control_share", "control_pass_share",
    "least_controls",
})  # fmt: skip

PROTOCOL = Protocol(
    name="correction",
    label=gettext_lazy("Correction (write the edits)"),
    explained="asks for the edits that mend each sentence",
    asks=gettext_lazy("Correct the sentence"),
    form=CorrectionForm,
    answers=ANSWERS,
    store=store,
    load=load,
    specification=specification,
    inputs=INPUTS,
    teaching=TEACHING,
    columns=columns,
    described=described,
    words=WORDS,
    has_candidates=False,
    in_order=True,
    wider=30,
    seconds=60.0,
    lacks=LACKS,
    recommended={"design": "complete", "repeat_share": 0.0, "control_share": 0.0},
    report_kind="corrections",
)
