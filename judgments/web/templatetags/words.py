"""What scripts say: the page brings the words along, because scripts are files that are the same for everybody."""

from django import template
from django.utils.html import json_script
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy

from judgments.protocols.base import Protocol

register = template.Library()

# By the names under which static/js asks for them; scripts put the values in. Protocols have more for their own.
WORDS = {
    "show_marks": gettext_lazy("Show the marks"),
    "hide_marks": gettext_lazy("Hide the marks"),
    "waits": gettext_lazy("This screen is kept, and goes on by itself when the server answers."),
    "signed_out": gettext_lazy("You are signed out. What you answered is kept here."),
    "no_connection": gettext_lazy("No connection: what you answered is kept in this browser and sent when it returns."),
    "wrong_password": gettext_lazy("Name and password do not fit together."),
    "dead_link": gettext_lazy("Your link is not valid any more. Ask the organiser."),
    "no_answer": gettext_lazy("The server does not answer. Try again in a moment."),
}


@register.simple_tag
def script_words(protocol: Protocol) -> SafeString:
    """A block of data, which the policy allows, in the language of the page; its place is outside of what is swapped
    between screens.
    """
    return json_script({**WORDS, **protocol.words}, "words")
