"""What scripts say: the page brings the words along, because scripts are files that are the same for everybody."""

from django import template
from django.utils.html import json_script
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy

register = template.Library()

# By the names under which static/js asks for them; scripts put the values in.
WORDS = {
    "ranked": gettext_lazy("{done} of {all} ranked"),
    "rated": gettext_lazy("{done} of {all} rated"),
    "no_rank_yet": gettext_lazy("Sentence {number} has no rank yet."),
    "no_score_yet": gettext_lazy("Sentence {number} has no score from 0 to 100 yet."),
    "no_verdict_yet": gettext_lazy("Say whether the marked usage is an error: 1, 2 or 3."),
    "verdict": gettext_lazy("{finding}. Enter or {key} goes on."),
    "drag": gettext_lazy("Drag to a rank"),
    "slider": gettext_lazy("{label}, slider"),
    "not_rated": gettext_lazy("not rated yet"),
    "same": gettext_lazy("Same as above"),
    "same_for": gettext_lazy("Same as above for sentence {number}"),
    "show_marks": gettext_lazy("Show the marks"),
    "hide_marks": gettext_lazy("Hide the marks"),
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
    "waits": gettext_lazy("This screen is kept, and goes on by itself when the server answers."),
    "signed_out": gettext_lazy("You are signed out. What you answered is kept here."),
    "no_connection": gettext_lazy("No connection: what you answered is kept in this browser and sent when it returns."),
    "wrong_password": gettext_lazy("Name and password do not fit together."),
    "dead_link": gettext_lazy("Your link is not valid any more. Ask the organiser."),
    "no_answer": gettext_lazy("The server does not answer. Try again in a moment."),
}


@register.simple_tag
def script_words() -> SafeString:
    """A block of data, which the policy allows, in the language of the page; its place is outside of what is swapped
    between screens.
    """
    return json_script(WORDS, "words")
