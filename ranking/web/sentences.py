"""From the numbers of a report to sentences: what was compared, by whom, and where a metric and people differ."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render

from judgments.exchange.downloads import stream_response
from judgments.models import System
from judgments.protocols import protocol_of
from judgments.rules.errors import Refused
from judgments.rules.files.archives import in_blocks
from judgments.web.views.shared import english_page, refusals_as_messages
from ranking.models import Report
from ranking.reports.building import is_stale, report_of
from ranking.reports.sentences import judges, metrics, pairs
from ranking.reports.sentences.listing import Listing, refusal_of

A_PAGE = 20
CSV = "text/csv; charset=utf-8"
ALL_SYSTEMS = ("", "all systems")


class SentencesForm(forms.Form):
    """What a page shows; what an address leaves out is the first choice."""

    def __init__(self, given: QueryDict, **choices: Iterable[tuple[str, str]]) -> None:
        fields = {name: list(named) for name, named in choices.items()}
        first = {name: named[0][0] if named else "" for name, named in fields.items()}
        super().__init__({name: given.get(name) or default for name, default in first.items()})
        for name, named in fields.items():
            field = forms.ChoiceField(choices=named, required=False)
            field.error_messages["invalid_choice"] = "%(value)s is not in this list now; choose from the list."
            self.fields[name] = field


class PairForm(SentencesForm):
    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if not self.errors and given["system"] == given["opponent"]:
            raise forms.ValidationError("Choose two different systems.")
        return given


@english_page("GET")
def report_pairs(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Show the sentences on which two systems were compared."""
    report = report_of(request.user, pk)
    if refusal := refusal_of(report):
        return _show(request, report, "pairs", refusal=refusal)
    systems = {one.name: one for one in System.objects.filter(campaign=report.campaign).judged().order_by("name")}
    names = [(name, name) for name in systems]
    form = PairForm(
        request.GET, system=names, opponent=names[1:] + names[:1], sort=pairs.SORTS.items(),
        show=[(key, label) for key, (label, _) in pairs.SHOWN.items()],
    )  # fmt: skip
    if not form.is_valid():
        return _show(request, report, "pairs", form)
    chosen = form.cleaned_data
    both = systems[chosen["system"]], systems[chosen["opponent"]]
    try:
        pair = pairs.JudgedPair(report, *both, chosen["show"], chosen["sort"])
    except Refused as reason:
        return _show(request, report, "pairs", form, refusal=reason)
    return _show(request, report, "pairs", form, pair, pair=pair, totals=pair.totals(), verdict=pair.verdict())


@english_page("GET")
def report_judges(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Show a judge's judgments beside those of the others."""
    report = report_of(request.user, pk)
    if refusal := refusal_of(report):
        return _show(request, report, "judges", refusal=refusal)
    form = SentencesForm(
        request.GET, judge=((name, name) for name in judges.judges_in(report)), sort=judges.SORTS.items()
    )
    if not form.is_valid() or not form.cleaned_data["judge"]:
        return _show(request, report, "judges", form)
    found = judges.JudgeInReport(report, form.cleaned_data["judge"], form.cleaned_data["sort"])
    return _show(request, report, "judges", form, found, judge=found.judge)


@english_page("GET")
def report_metrics(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Show the outputs that a metric and people judge most differently."""
    report = report_of(request.user, pk)
    if refusal := refusal_of(report):
        return _show(request, report, "metrics", refusal=refusal)
    known = metrics.metrics_of(report)
    systems = System.objects.filter(campaign=report.campaign).judged().order_by("name").values_list("name", flat=True)
    form = SentencesForm(
        request.GET, metric=((name, name) for name in sorted(known, key=lambda name: not known[name])),
        system=[ALL_SYSTEMS, *((name, name) for name in systems)], sort=metrics.SORTS.items(),
    )  # fmt: skip
    more: dict[str, Any] = {"metrics": known}
    if not form.is_valid() or not known.get(form.cleaned_data["metric"]):
        return _show(request, report, "metrics", form, **more)
    chosen = form.cleaned_data
    try:
        listing = metrics.MetricBesidePeople(report, chosen["metric"], chosen["system"], chosen["sort"])
    except Refused as reason:
        return _show(request, report, "metrics", form, refusal=reason, **more)
    return _show(request, report, "metrics", form, listing, **more)


def _show(
    request: HttpRequest,
    report: Report,
    name: str,
    form: SentencesForm | None = None,
    listing: Listing | None = None,
    **more: Any,
) -> HttpResponseBase:
    """Answer with one page of a list, or with all of it as CSV; without a list, with what can be chosen."""
    if listing and request.GET.get("format") == "csv":
        with refusals_as_messages(request):
            file = f"{report.campaign.slug}-report-{report.pk}-{name}.csv"
            return stream_response(in_blocks(listing.csv()), CSV, file)
        return redirect(report)
    query = QueryDict(mutable=True)
    query.update(form.data if form else {})
    page: dict[str, Any] = dict.fromkeys(
        ("refusal", "page", "entries", "pair", "judge", "totals", "verdict", "metrics")
    )
    page |= {
        "report": report,
        "campaign": report.campaign,
        "protocol": protocol_of(report.campaign),
        "form": form,
        "chosen": form.cleaned_data if form and form.is_valid() else {},
        "query": query.urlencode(),
        "stale": is_stale(report),
    }
    if listing:
        page["page"] = Paginator(listing.keys, A_PAGE).get_page(request.GET.get("page"))
        page["entries"] = listing.read(list(page["page"].object_list))
    return render(request, f"ranking/report_{name}.html", page | more)
