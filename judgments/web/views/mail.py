"""Mails with personal links: written, previewed, tried on oneself, sent, and listed."""

from typing import Any

from django.contrib import messages
from django.forms.models import model_to_dict
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from judgments.judges import mailing, people
from judgments.models import Campaign
from judgments.web.forms.judges import MailForm
from judgments.web.views.shared import campaign_page, refusals_as_errors


@campaign_page("GET", "POST", observers=False)
def mail_links(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Show the form and the log; preview, try or send what was written."""
    sent = mailing.mails_of(campaign)
    shown: dict[str, Any] = {"initial": _initial(request, sent.first())}
    form = MailForm(campaign, None, request.user, **{"data": request.POST} if request.method == "POST" else shown)
    page: dict[str, Any] = {"campaign": campaign, "form": form, "jobs": sent, "preview": ""}
    if form.is_valid():
        given = form.cleaned_data
        mail = given["subject"], given["text"]
        page["preview"] = mailing.preview(campaign, given["text"])
        with refusals_as_errors(form):
            if given["step"] == MailForm.SEND:
                messages.success(request, form.do(*mail))
                return redirect("mail_links", campaign.slug)
            if given["step"] == MailForm.TEST:
                mailing.send_test(campaign, *mail, given["test_to"])
                messages.success(request, f"A test was sent to {given['test_to']}.")
    page |= {"is_possible": mailing.is_possible(), "to_mail": people.links_to_mail(campaign).count()}
    return render(request, "judgments/mail.html", page)


def _initial(request: HttpRequest, last: Any) -> dict[str, str]:
    """What was written last, and the address of the organiser."""
    return {"test_to": request.user.email, **(model_to_dict(last, ["subject", "text"]) if last else {})}  # type: ignore[union-attr] # signed in
