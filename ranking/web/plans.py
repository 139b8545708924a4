"""The plan of analysis of a campaign: fix it, read it, take it to a registry."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from judgments.models import Campaign
from judgments.web.views.shared import campaign_page, refusals_as_errors
from ranking.actions import AnalysisPlanForm
from ranking.models import AnalysisPlan
from ranking.reports import plans
from ranking.reports.kinds.kind import NoReportKind, kind_for
from ranking.web.reports import download


@campaign_page("GET", "POST")
def analysis_plan(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Show the plan in force, and fix a new one."""
    try:
        kind = kind_for(campaign.protocol)
    except NoReportKind as reason:
        return render(request, "ranking/plan.html", {"campaign": campaign, "refusal": reason})
    given = request.POST if request.method == "POST" else None
    plan, numbers = AnalysisPlanForm(given), kind.form_for(campaign, given)
    if given is not None and all([plan.is_valid(), numbers.is_valid()]):
        chosen = numbers.cleaned_data
        with refusals_as_errors(plan):
            plans.fix_plan(campaign, request.user, chosen["preset"], chosen["parameters"], **plan.cleaned_data)
            messages.success(request, plans.FIXED)
            return redirect("analysis_plan", campaign.slug)
    in_force = AnalysisPlan.in_force(campaign)
    page = {
        "campaign": campaign,
        "plan": in_force,
        "text": plans.markdown_of(in_force) if in_force else "",
        "known_now": plans.known_at(campaign),
        "plan_form": plan,
        "form": numbers,
    }
    return render(request, "ranking/plan.html", page)


@campaign_page("GET")
def plan_file(request: HttpRequest, campaign: Campaign, pk: int) -> HttpResponse:
    plan = get_object_or_404(AnalysisPlan.objects.select_related("campaign"), campaign=campaign, pk=pk)
    return download(campaign, f"plan-{plan.pk}.md", plans.markdown_of(plan), "text/markdown; charset=utf-8")
