"""Actions on pages: a button or a form posts to each, and the browser returns to a page with a message."""

from collections.abc import Iterable
from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse

from judgments.actions.base import Action, Undo, name_of
from judgments.models import Campaign
from judgments.web.views.shared import campaign_page, refusals_as_errors

# The button that undoes what was done last, in the session until a page shows it.
UNDO = "undo"


def page_addresses(actions: Iterable[type[Action]]) -> list[URLPattern]:
    return [
        path(f"campaigns/<slug:slug>/{one.address}", view_of(one), name=name_of(one))
        for one in actions
        if not one.has_own_page
    ]


def view_of(action: type[Action]) -> Any:
    @campaign_page("POST")
    def view(request: HttpRequest, campaign: Campaign, pk: int | None = None) -> HttpResponse:
        form = action(campaign, action.subject_in(campaign, pk), request.user, data=request.POST)
        if done := carry_out(request, form):
            return done
        show_faults(request, form, "Nothing was changed")
        return redirect(form.return_address())

    return view


def carry_out(request: HttpRequest, form: Action) -> HttpResponse | None:
    """Do it and return to its page; None, with errors in the form, if nothing was submitted or it is refused."""
    if form.is_valid():
        with refusals_as_errors(form):
            messages.success(request, form.act())
            request.session.pop(UNDO, None)
            if form.undo:
                request.session[UNDO] = _as_sent(form.undo)
            return redirect(form.return_address())
    return None


def _as_sent(undo: Undo) -> dict[str, Any]:
    """The address and the fields of the button that undoes an action, as a browser sends them."""
    listed = {name: value if isinstance(value, list) else [value] for name, value in undo.fields.items()}
    fields = [(name, "" if one is None else str(one)) for name, values in listed.items() for one in values]
    return {"address": reverse(undo.action, args=undo.args), "fields": fields}


def show_faults(request: HttpRequest, form: Form, failure: str) -> None:
    """Show why a form was refused, or what is wrong in its fields, as a message."""
    if refused := " ".join(map(str, form.non_field_errors())):
        messages.error(request, refused)
    elif form.errors:
        faults = [_with_label(form, name, str(fault)) for name, some in form.errors.items() for fault in some]
        messages.error(request, f"{failure}: {' '.join(faults)}")


def _with_label(form: Form, name: str, fault: str) -> str:
    """Name the field in sentences of Django, which stand beside it elsewhere."""
    label = f"“{form[name].label}”"
    return fault.replace("This field", label, 1).replace("this value", label, 1)
