"""What a plan of screens would resolve, by simulated judges: assumptions, progress and curves."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from judgments.models import Campaign
from judgments.protocols import protocol_of
from judgments.rules.errors import Refused
from judgments.web.forms.campaigns import Group, ScreensForm
from judgments.web.views.shared import campaign_page, refusals_as_errors
from ranking.charts.power import answer, needs, power_charts
from ranking.models import Prediction
from ranking.numbers.tables import to_csv
from ranking.power import predicting
from ranking.power.pilot import findings
from ranking.power.predicting import (
    CAMPAIGNS,
    FEWEST_IN_PILOT,
    JUDGES,
    MOST_CAMPAIGNS,
    MOST_JUDGES,
    RECOMMENDED,
    AnyAssumptions,
    Wanted,
    assumptions_of,
    can_predict,
    judges_usages,
    judgments_made,
    kind_of_assumptions,
    systems_compared,
)
from ranking.stats.comparisons.study import PRESETS
from ranking.stats.power.verdicts import VerdictAssumptions
from ranking.stats.power.worlds import Assumptions
from ranking.stats.rankings.methods import METHODS
from ranking.web.reports import download

ASSUMPTIONS, PILOT = "assumptions", "judgments"
# The labels and explanations of what is assumed.
ASKED: Mapping[type[AnyAssumptions], Mapping[str, tuple[str, str]]] = {
    Assumptions: {
        "spread": ("Spread of systems", "The standard deviation of their Expected Wins, the share of comparisons that "
                   "a system wins."),
        "ties": ("Share of ties", "Of the pairs of texts compared."),
        "agreement": ("Agreement of judges", "How often two judges who both prefer one of two texts prefer the same."),
    },
    VerdictAssumptions: {
        "errors": ("Share of errors", "Of the usages."),
        "precision": ("Precision", "Of systems, on average."),
        "recall": ("Recall", "Of systems, on average."),
        "spread": ("Spread of systems", "The standard deviation of their precision and recall."),
        "accuracy": ("Accuracy of judges", "How often a verdict other than unknown is right."),
        "unknown": ("Share of unknown", "Of the verdicts."),
    },
}  # fmt: skip
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
        for way in predicting.WAYS
        for weighted in (False, True)
    },
}


class PowerForm(ScreensForm):
    """A plan of screens, and what is assumed of systems and judges."""

    source = forms.ChoiceField(label="Based on", choices=[(ASSUMPTIONS, "the assumptions below")], initial=ASSUMPTIONS)
    judges = forms.IntegerField(initial=JUDGES, min_value=1, max_value=MOST_JUDGES, label="Judges")
    campaigns = forms.IntegerField(
        initial=CAMPAIGNS, min_value=1, max_value=MOST_CAMPAIGNS, label="Simulated campaigns",
        help_text="More make smoother curves, and take longer.",
    )  # fmt: skip
    preset = forms.ChoiceField(label="Analysis", initial=RECOMMENDED)
    compare = forms.BooleanField(
        required=False, initial=False, label="Compare ways of choosing sentences",
        help_text="For the sampled design; takes longer.",
    )  # fmt: skip

    assumed = ("source", *dict.fromkeys(name for asked in ASKED.values() for name in asked), "judges", "campaigns",
               "preset", "compare")  # fmt: skip

    def __init__(self, campaign: Campaign, given: Mapping[str, Any] | None = None):
        super().__init__(campaign, given)
        del self.fields["hours"]
        self.fields.pop("make_controls", None)
        kind = kind_of_assumptions(campaign)
        for name, (label, help_text) in ASKED[kind].items():
            self.fields[name] = forms.FloatField(initial=getattr(kind(), name), label=label, help_text=help_text)
        if judges_usages(campaign):
            del self.fields["preset"], self.fields["compare"]
        else:
            has_scores = protocol_of(campaign).has_scores
            self.fields["preset"].choices = [  # type: ignore[attr-defined]
                (name, name)
                for name, chosen in PRESETS.items() if has_scores or not METHODS[chosen.methods[0]].for_ratings
            ]  # fmt: skip
        if (judgments := judgments_made(campaign)) >= FEWEST_IN_PILOT:
            counts = "" if judges_usages(campaign) else ", which count too"
            so_far = (PILOT, f"the {judgments:,} judgments so far{counts}")
            self.fields["source"].choices += [so_far]  # type: ignore[attr-defined]

    def groups(self) -> dict[str, Group]:
        plan = [field for field in self if field.name not in self.assumed]
        return {
            "assumptions": Group.of("", (self[name] for name in self.assumed if name in self.fields)),
            "plan": Group.of("", plan),
        }

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if not self.errors and given["source"] == ASSUMPTIONS:
            with refusals_as_errors(self):
                given["assumptions"] = assumptions_of(self.campaign, given)
        return given


@campaign_page("GET", "POST")
def power(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Show the newest prediction, and request another one."""
    job = Prediction.objects.newest(campaign)
    form = PowerForm(campaign, request.POST if request.method == "POST" else None)
    if form.is_valid():
        with refusals_as_errors(form):
            given = form.cleaned_data
            wanted = Wanted(
                form.settings(), given["screens"], given.get("assumptions"), given["judges"], given["campaigns"],
                given.get("preset", RECOMMENDED), given.get("compare", False),
            )  # fmt: skip
            predicting.request_prediction(campaign, request.user, wanted)
            return redirect("power", campaign.slug)
    if not form.is_bound:
        before: dict[str, Any] = {}
        if job:
            # The choices of the last prediction, to change one of them.
            earlier = dict(job.payload)
            plan, assumptions = earlier.pop("settings"), earlier.pop("assumptions")
            before = plan | earlier | (assumptions or {}) | {"source": ASSUMPTIONS if assumptions else PILOT}
        asked = {name: request.GET[name] for name in request.GET if name in form.fields}
        form.initial = {**form.initial, **before, **asked}
    table = job.table() if job else None
    page = {"campaign": campaign, "can_predict": can_predict(campaign), "form": form, "job": job, "table": table,
            "of_verdicts": judges_usages(campaign), "pilot": findings(campaign)}  # fmt: skip
    if table:
        said = answer(table, systems_compared(campaign))
        page |= {"answer": said, "needs": needs(table), "charts": power_charts(table)}
    if job and (compared := job.ways_compared()):
        page["ways"] = [line | WAYS[str(line["sampling"]), bool(line["weighted"])] for line in compared.dicts()]
    return render(request, "ranking/power.html", page)


@campaign_page("GET", "POST")
def resolution(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """What the plan of the page of screens would resolve, as a part of that page; a POST has it simulated."""
    form = ScreensForm(campaign, request.GET)
    page: dict[str, Any] = {"campaign": campaign, "query": request.GET.urlencode()}
    if form.is_valid() and can_predict(campaign):
        given = form.cleaned_data
        wanted = Wanted.beside(campaign, form.settings(), given["screens"], given["judges"])
        job = predicting.prediction_for(campaign, wanted)
        if request.method == "POST" and (job is None or job.state == job.State.CANCELLED):
            try:
                job = predicting.request_prediction(campaign, request.user, wanted)
            except Refused as reason:
                page["refusal"] = reason
        page |= {"job": job, "assumed": wanted.assumptions, "table": job.table() if job else None}
        if page["table"]:
            page["answer"] = answer(page["table"], systems_compared(campaign))
    return render(request, "ranking/_resolution.html", page)


@campaign_page("GET")
def power_file(request: HttpRequest, campaign: Campaign, pk: int) -> HttpResponse:
    table = get_object_or_404(Prediction, campaign=campaign, pk=pk, state=Prediction.State.DONE).table()
    return download(campaign, f"power-{pk}.csv", to_csv(table) if table else "", "text/csv; charset=utf-8")
