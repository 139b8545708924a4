"""The judges of a campaign, people and programs, and the links that admit them."""

from django.conf import settings
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from judgments.actions.links import InviteJudges, ShareLink
from judgments.campaigns import steps
from judgments.judges import exclusion, mailing, people, watching
from judgments.judges.rules.statistics import NO_RULE
from judgments.judging import evidence
from judgments.models import Alarm, Campaign, ExclusionJob
from judgments.protocols import protocol_of
from judgments.rules.crowd_platforms import PROLIFIC_QUERY
from judgments.web.views.shared import campaign_page

ANSWERS_A_PAGE = 20


@campaign_page("GET")
def judges(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """List all judges, and offer ways to invite more."""
    page = {
        "campaign": campaign,
        "judges": people.judges(campaign),
        "alarms": watching.open_alarms(campaign),
        "is_local": settings.IS_LOCAL,
        "invitations": people.invited_judges(campaign),
        "rule": exclusion.rule_of(campaign),
        "next_step": steps.next_to_prepare(campaign),
        "has_rule": exclusion.rule_of(campaign) != NO_RULE,
        "is_replaced": exclusion.reassigns_screens(campaign),
        "exclusion_job": ExclusionJob.objects.newest(campaign),
        "shared_links": people.shared_links(campaign),
        "prolific_query": PROLIFIC_QUERY,
        "to_mail": people.links_to_mail(campaign).count() if mailing.is_possible() else 0,
        "invitation_form": InviteJudges(campaign, auto_id="invitation_%s"),
        "shared_link_form": ShareLink(campaign, auto_id="shared_link_%s"),
    }
    return render(request, "judgments/judges.html", page)


@campaign_page("GET", observers=False)
def invitations_csv(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Send all personal links as a table for a mail program."""
    response = HttpResponse(people.links_csv(campaign), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{campaign.slug}-invitations.csv"'
    response["Cache-Control"] = "no-store"
    return response


@campaign_page("GET")
def judge(request: HttpRequest, campaign: Campaign, pk: int) -> HttpResponse:
    """Show a judge's statistics, alarms and answers, all or those that an alarm is about."""
    judge = get_object_or_404(people.judges(campaign), pk=pk)
    alarms = Alarm.objects.filter(judge=judge).select_related("judge")
    chosen = next((alarm for alarm in alarms if str(alarm.pk) == request.GET.get("alarm")), None)
    shown = Paginator(evidence.screens_answered(judge, chosen), ANSWERS_A_PAGE).get_page(request.GET.get("page"))
    page = {
        "campaign": campaign,
        "judge": judge,
        "protocol": protocol_of(campaign),
        "alarms": alarms,
        "chosen": chosen,
        "is_replaced": exclusion.reassigns_screens(campaign),
        "page": shown,
        "answers": evidence.evidence(judge, list(shown)),
    }
    return render(request, "judgments/judge.html", page)


@campaign_page("GET")
def consents(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Show who agreed to which consent text."""
    page = {"campaign": campaign, "texts": people.consent_texts(campaign)}
    return render(request, "judgments/consents.html", page)
