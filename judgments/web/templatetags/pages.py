"""Filters and tags of pages: navigation, numbers, Markdown, and the texts of scripts."""

from collections.abc import Sequence
from html import escape
from typing import Any

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.html import format_html, json_script
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext, gettext_lazy

from judgments.campaigns import overview
from judgments.charts import numbers
from judgments.jobs.turns import outlook
from judgments.judges.watching import sentence_of
from judgments.models import Campaign, Job
from judgments.protocols import protocol_of
from judgments.protocols.base import Protocol
from judgments.protocols.form import letter
from judgments.rules.authored.prose import to_html
from judgments.rules.texts.diff import Change, Piece, is_rewritten
from judgments.web.actions import UNDO

register = template.Library()

# In the order in which an organiser needs them.
PAGES = {
    "organise": "Overview",
    "material": "Material",
    "screens": "Screens",
    "judges": "Judges",
    "board": "Board",
    "disputes": "Disputes",
    "metrics": "Metrics",
    "report_list": "Reports",
    "exports": "Exports",
    "settings": "Settings",
    "journal": "Journal",
}
# The guides, and their headings, at which the help of pages begins.
PLACES = {
    "first": "home new_campaign",
    "organisers#start-a-campaign": "first_account",
    "organisers#who-runs-it": "organisers",
    "upload-texts": "material new_upload system",
    "upload-texts#check-the-preview": "upload check_upload",
    "collect-submissions": "submissions team",
    "texts-for-judges": "settings consents",
    "plan-screens": "screens preview assignment_job power",
    "when-to-stop": "analysis_plan",
    "invite-judges": "judges mail_links",
    "watch-judging": "board journal",
    "watch-judging#judges-who-need-a-look": "judge",
    "watch-judging#feedback-and-disputes": "disputes adjudicate",
    "watch-judging#close-or-delete-a-campaign": "delete_campaign",
    "make-reports": "report_list new_report",
    "make-reports#publish-it": "publication release_data datasheet",
    "citing": "report report_pairs report_judges public_page",
    "citing#which-metric-agrees-with-people": "report_metrics",
    "statistics#comparing-two-reports": "report_changes compare_reports",
    "score-outputs": "metrics score_outputs",
    "program-judges": "programs run_program change_prompt",
    "import-judgments": "import_judgments judgments_upload check_judgments",
    "export-and-move": "exports",
    "export-and-move#move-a-campaign-to-another-installation": "new_import import_job",
    "judges": "join join_shared prolific campaign consent tutorial example questions answers differences thanks",
    "judges#saving-breaks-and-your-data": "your_data forget_me forgotten",
    "data#forgetting-a-judge": "forget_judge",
    "deployment#monitoring": "operation",
}
HELP = {page: place for place, pages in PLACES.items() for page in pages.split()}
# Texts by the names under which static/js reads them; scripts fill in the values. Pages embed them, because script
# files are the same in every language. Protocols add the texts of their own scripts.
WORDS = {
    "full": gettext_lazy("Full"),
    "compact": gettext_lazy("Compact"),
    "marks": gettext_lazy("Marks"),
    "old_words": gettext_lazy("Old words"),
    "replaced": gettext_lazy("“{old}” becomes “{now}”"),
    "inserted": gettext_lazy("“{now}” is inserted"),
    "deleted": gettext_lazy("“{old}” is deleted"),
    "saving": gettext_lazy("Saving…"),
    "waits": gettext_lazy("Waiting for the next screen. Your answer is kept, and the page goes on by itself."),
    "go_on": gettext_lazy("Go on"),
    "rest": gettext_lazy("You have judged for {minutes} minutes without a break. Rest your eyes; everything is kept."),
    "signed_out": gettext_lazy("You are signed out. Your answers are kept here."),
    "no_connection": gettext_lazy("No connection. Your answers are kept in this browser and will be sent later."),
    "wrong_password": gettext_lazy("The user name or the password is wrong."),
    "dead_link": gettext_lazy("Your link is no longer valid. Ask the organiser for a new one."),
    "no_answer": gettext_lazy("The server does not answer. Try again in a moment."),
}


@register.filter
def unit(campaign: Campaign) -> str:
    return protocol_of(campaign).unit


@register.inclusion_tag("judgments/_pages.html")
def pages_of(campaign: Campaign, here: str) -> dict[str, object]:
    """Link to the pages of a campaign that have something to show; `here` is the current one."""
    hidden = set() if campaign.opened_at else overview.pages_without_content(campaign)
    if not protocol_of(campaign).has_outputs:  # texts that metrics can score
        hidden |= {"metrics"}
    pages = {name: title for name, title in PAGES.items() if name not in hidden or name == here}
    return {"campaign": campaign, "pages": pages.items(), "here": here}


@register.simple_tag(takes_context=True)
def help_address(context: Context) -> str:
    """The guide for the page on which one is."""
    match = getattr(context.get("request"), "resolver_match", None)
    guide, _, heading = HELP.get(match.url_name if match else "", "organisers").partition("#")
    return reverse("guide", args=[guide]) + (f"#{heading}" if heading else "")


@register.filter
def is_deleted(pieces: Sequence[Piece]) -> bool:
    """Whether a version has nothing where others have something."""
    return bool(pieces) and not any(piece.new.strip() for piece in pieces)


@register.filter
def is_unchanged(pieces: Sequence[Piece]) -> bool:
    return bool(pieces) and all(piece.change is Change.SAME for piece in pieces)


@register.filter
def markup_of(pieces: Sequence[Piece]) -> SafeString:
    """A text with its edits marked. A template would take most of the time of a judging page for this."""
    return mark_safe("".join(map(_marked, pieces)))  # noqa: S308 # nosec B308 B703 (escaped below)


def _marked(piece: Piece) -> str:
    if piece.change is Change.SAME:
        return escape(piece.new)
    gone = f"<del>{escape(piece.gone)}</del>" if piece.gone else ""
    put = "".join(f"<b>{escape(part)}</b>" if is_mended else escape(part) for part, is_mended in piece.letters)
    html = gone + (f"<ins>{put}</ins>" if put else "")
    if piece.change is Change.SUBSTITUTED or piece.is_slight:
        html = f'<span class="edit{" slight" * piece.is_slight}{" space" * piece.is_space}">{html}</span>'
    html = escape(piece.lead) + html + escape(piece.tail)
    return f'<span class="gone">{html}</span>' if piece.change is Change.DELETED else html


@register.simple_tag
def wording(pieces: Sequence[Piece]) -> SafeString:
    """A version with its edits; one that changes nothing or nearly all says so instead."""
    note = gettext("unchanged") if is_unchanged(pieces) else ""
    if is_rewritten(pieces):
        text, note = "".join(piece.new for piece in pieces), gettext("rewritten")
        pieces = [Piece(text, text)]
    return markup_of(pieces) + format_html(
        ' <small class="note" lang="{}">{}</small>' if note else "", get_language(), note
    )


@register.inclusion_tag("judgments/_undo.html", takes_context=True)
def undo_button(context: Context) -> dict[str, Any]:
    """What undoes the action whose message the page shows."""
    request: Any = context.get("request")
    undo = request.session.pop(UNDO, None) if hasattr(request, "session") else None
    return {"undo": undo}


@register.filter
def protocol_label(campaign: Campaign) -> str:
    return str(protocol_of(campaign).label)


@register.filter
def protocol_task(campaign: Campaign) -> str:
    return str(protocol_of(campaign).task)


register.filter(sentence_of)
register.filter(letter)
register.filter("probability", numbers.chance)


@register.filter
def ahead(job: object) -> str:
    """What a waiting job waits for; jobs shown together say it themselves."""
    return outlook(job) if isinstance(job, Job) else job.get("ahead", "") if isinstance(job, dict) else ""


@register.filter
def percent(share: object) -> str:
    """Format a share as a whole percentage; empty if there is none."""
    return f"{share:.0%}" if isinstance(share, int | float) else ""


@register.filter
def number(value: object, decimals: int) -> str:
    """Format a number with a minus sign, which Django's floatformat lacks; a dash if there is none."""
    return numbers.number(value if isinstance(value, int | float) else None, decimals)


@register.filter
def thousands(number: object) -> str:
    """Format an integer with thousands separators; empty if there is none."""
    return f"{number:,}" if isinstance(number, int) else ""


@register.filter
def prose(markdown: str) -> SafeString:
    """Render an organiser's Markdown, which `rules.authored.prose` makes safe."""
    return mark_safe(to_html(markdown))  # noqa: S308 (see above) # nosec B703


@register.simple_tag
def script_words(protocol: Protocol) -> SafeString:
    """Embed the texts as JSON, which the content policy allows, outside the part replaced between screens."""
    return json_script({**WORDS, **protocol.words}, "words")
