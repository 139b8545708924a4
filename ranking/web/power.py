"""What a plan of screens would resolve, by simulated judges: assumptions, progress and curves."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from judgments.models import Campaign, System
from judgments.protocols import protocol_of
from judgments.web.forms.campaigns import Group, PlanForm
from judgments.web.views.shared import campaign_page, refusals_as_errors
from ranking.charts.power import answer, needs, power_charts
from ranking.models import Prediction
from ranking.numbers.tables import to_csv
from ranking.power import prediction_job
from ranking.power.predicting import (
    ASSUMED,
    CAMPAIGNS,
    FEWEST_IN_PILOT,
    JUDGES,
    MOST_CAMPAIGNS,
    MOST_JUDGES,
    Wanted,
    assumptions_of,
    can_predict,
    judgments_made,
)
from ranking.stats.comparisons.parameters import PRESETS
from ranking.stats.rankings.methods import METHODS

ASSUMPTIONS, PILOT = "assumptions", "judgments"
LIKE_THESE = "sentences like these"
ABOUT = {
    Campaign.Sampling.PUBLISHED: LIKE_THESE,
    Campaign.Sampling.CHANCE: "the collection",
    Campaign.Sampling.DISTINCT: LIKE_THESE,
    Campaign.Sampling.DIVERSE: "these sentences",
}
# The lines of a comparison by way of choosing and weights: their label, and what numbers are about.
WAYS = {
    ("collection", False): {"label": "The whole collection", "about": ""},
    **{
        (way.value, weighted): {
            "label": f"{way.label}{', weighted' * weighted}",
            "about": "the collection" if weighted else ABOUT[way],
        }
        for way in Campaign.Sampling
        for weighted in (False, True)
    },
}


class PowerForm(PlanForm):
    """A plan of screens, and what is assumed of systems and judges."""

    source = forms.ChoiceField(label="Based on", choices=[(ASSUMPTIONS, "the assumptions below")], initial=ASSUMPTIONS)
    spread = forms.FloatField(
        initial=ASSUMED.spread, label="Spread of systems",
        help_text="The standard deviation of their Expected Wins, the share of comparisons that a system wins.",
    )  # fmt: skip
    ties = forms.FloatField(initial=ASSUMED.ties, label="Share of ties", help_text="Of the pairs of texts compared.")
    agreement = forms.FloatField(
        initial=ASSUMED.agreement, label="Agreement of judges",
        help_text="How often two judges who both prefer one of two texts prefer the same.",
    )  # fmt: skip
    judges = forms.IntegerField(initial=JUDGES, min_value=1, max_value=MOST_JUDGES, label="Judges")
    campaigns = forms.IntegerField(
        initial=CAMPAIGNS, min_value=1, max_value=MOST_CAMPAIGNS, label="Simulated campaigns",
        help_text="More make smoother curves, and take longer.",
    )  # fmt: skip
    preset = forms.ChoiceField(label="Analysis", initial="recommended")
    compare = forms.BooleanField(
        required=False, initial=False, label="Compare ways of choosing sentences",
        help_text="For the sampled design; takes longer.",
    )  # fmt: skip

    assumed = ("source", "spread", "ties", "agreement", "judges", "campaigns", "preset", "compare")

    def __init__(self, campaign: Campaign, given: Mapping[str, Any] | None = None):
        super().__init__(campaign, given)
        self.fields.pop("with_controls", None)
        has_scores = protocol_of(campaign).has_scores
        self.fields["preset"].choices = [  # type: ignore[attr-defined]
            (name, name) for name, chosen in PRESETS.items() if has_scores or not METHODS[chosen.methods[0]].for_ratings
        ]
        if (judgments := judgments_made(campaign)) >= FEWEST_IN_PILOT:
            so_far = (PILOT, f"the {judgments:,} judgments so far, which count too")
            self.fields["source"].choices += [so_far]  # type: ignore[attr-defined]

    def groups(self) -> dict[str, Group]:
        plan = [field for field in self if field.name not in self.assumed]
        return {"assumptions": Group.of("", (self[name] for name in self.assumed)), "plan": Group.of("", plan)}

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if not self.errors and given["source"] == ASSUMPTIONS:
            with refusals_as_errors(self):
                given["assumptions"] = assumptions_of(**{name: given[name] for name in ("spread", "ties", "agreement")})
        return given

    def wanted(self) -> Wanted:
        given = self.cleaned_data
        return Wanted(self.settings(), given["screens"], given.get("assumptions"), given["judges"],
                      given["campaigns"], given["preset"], given["compare"])  # fmt: skip


@campaign_page("GET", "POST")
def power(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Show the newest prediction, and request another one."""
    job = Prediction.objects.newest(campaign)
    form = PowerForm(campaign, request.POST if request.method == "POST" else None)
    if form.is_valid():
        with refusals_as_errors(form):
            prediction_job.request(campaign, request.user, form.wanted())
            return redirect("power", campaign.slug)
    if not form.is_bound:
        given = {name: request.GET[name] for name in request.GET if name in form.fields}
        form.initial = {**form.initial, **_as_before(job), **given}
    table = job.table() if job else None
    page = {"campaign": campaign, "can_predict": can_predict(campaign), "form": form, "job": job, "table": table}
    if table:
        systems = System.objects.filter(campaign=campaign).judged().count()
        page |= {"answer": answer(table, systems), "needs": needs(table), "charts": power_charts(table)}
    if job and (compared := job.compared()):
        page["ways"] = [line | WAYS[str(line["sampling"]), bool(line["weighted"])] for line in compared.dicts()]
    return render(request, "ranking/power.html", page)


def _as_before(job: Prediction | None) -> dict[str, Any]:
    """The choices of the last prediction, to change one of them."""
    if job is None:
        return {}
    wanted = dict(job.wanted)
    plan, assumptions = wanted.pop("settings"), wanted.pop("assumptions")
    return plan | wanted | (assumptions or {}) | {"source": ASSUMPTIONS if assumptions else PILOT}


@campaign_page("GET")
def power_file(request: HttpRequest, campaign: Campaign, pk: int) -> HttpResponse:
    """The curves of a prediction as CSV."""
    table = get_object_or_404(Prediction, campaign=campaign, pk=pk, state=Prediction.State.DONE).table()
    response = HttpResponse(to_csv(table) if table else "", content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{campaign.slug}-power-{pk}.csv"'
    return response
