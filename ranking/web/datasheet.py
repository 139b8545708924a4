"""The datasheet of a campaign: what is known, a form for the rest, and both as files."""

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from judgments.models import Campaign
from judgments.rules.datasheet.sheet import LONGEST_ANSWER, Edition, Sheet, SheetAnswer, SheetSection
from judgments.web.forms.shown import ShownForm
from judgments.web.views.shared import campaign_page
from ranking import datasheet as sheets
from ranking.models import Report
from ranking.web.reports import download


class DatasheetForm(ShownForm):
    """For each question its options, if the organiser chooses from any, and words."""

    def __init__(self, sheet: Sheet, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.sheet = sheet
        for entry in sheet.entries:
            number, label = entry.question.number, f"{entry.number} {entry.question.title}"
            if entry.offered and entry.question.several:
                self.fields[f"chosen_{number}"] = forms.MultipleChoiceField(
                    required=False, label=label, choices=[*entry.offered.items()],
                    widget=forms.CheckboxSelectMultiple, initial=entry.own.chosen,
                )  # fmt: skip
            elif entry.offered:
                self.fields[f"chosen_{number}"] = forms.ChoiceField(
                    required=False, label=label, choices=[("", "no answer yet"), *entry.offered.items()],
                    widget=forms.RadioSelect, initial="".join(entry.own.chosen),
                )  # fmt: skip
            remark = "Remark on" if entry.is_settled else "Details on" if entry.offered else "Answer to"
            self.fields[f"words_{number}"] = forms.CharField(
                required=False, max_length=LONGEST_ANSWER, initial=entry.own.words,
                widget=forms.Textarea(attrs={"rows": 2, "aria-label": f"{remark} {label}"}),
                help_text="" if entry.is_settled else entry.question.help,
            )  # fmt: skip
        self.remember()

    def parts(self) -> Iterator[tuple[SheetSection, list[dict[str, Any]]]]:
        """Entries with their fields; `shown` is what is chosen, in a form that the page sends along."""
        for part in self.sheet.parts:
            rows = []
            for entry in part.entries:
                number = entry.question.number
                chosen = self[f"chosen_{number}"] if entry.offered else None
                shown = chosen.as_hidden(only_initial=True) if chosen else ""
                rows.append({"entry": entry, "chosen": chosen, "shown": shown, "words": self[f"words_{number}"]})
            yield part, rows

    def answers(self) -> dict[str, SheetAnswer]:
        """Those that were changed, by the number of their question."""
        changes, own = self.changes(), {entry.question.number: entry.own for entry in self.sheet.entries}
        found = {}
        for number in dict.fromkeys(name.partition("_")[2] for name in changes):
            chosen = changes.get(f"chosen_{number}", own[number].chosen)
            names = [chosen] if isinstance(chosen, str) else chosen
            found[number] = SheetAnswer(changes.get(f"words_{number}", own[number].words), tuple(filter(None, names)))
        return found


class SheetSourceForm(forms.Form):
    """The edition of the datasheet, 3.0 unless another is asked for, and the report from which it takes its results."""

    edition = forms.ChoiceField(required=False, choices=[(one.value, f"HEDS {one}") for one in Edition])

    def __init__(self, campaign: Campaign, given: Mapping[str, str]):
        super().__init__(given)
        self.campaign = campaign
        reports = {str(report.pk): report for report in sheets.reports_for(campaign)}
        self.default = next(iter(reports.values()), None)
        self.fields["report"] = forms.TypedChoiceField(
            required=False,
            label="Results from",
            choices=[(number, report.name) for number, report in reports.items()],
            coerce=reports.__getitem__,
        )

    def sheet(self) -> Sheet:
        if not self.is_valid():
            raise Http404("This campaign has no finished report with this number, or there is no such edition.")
        report: Report | None = self.cleaned_data["report"] or self.default
        return sheets.datasheet_of(self.campaign, report, Edition(self.cleaned_data["edition"] or Edition.HEDS_3))


@campaign_page("GET", "POST")
def datasheet(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Show the datasheet, and save the organiser's answers."""
    source = SheetSourceForm(campaign, request.GET)
    sheet = source.sheet()
    form = DatasheetForm(sheet, request.POST if request.method == "POST" else None)
    if form.is_valid():
        sheets.save(campaign, form.answers())
        messages.success(request, "The datasheet is saved.")
        return redirect(request.get_full_path())
    page = {"campaign": campaign, "sheet": sheet, "form": form, "source": source, "files": sheets.FILES}
    return render(request, "ranking/datasheet.html", page)


@campaign_page("GET")
def datasheet_file(request: HttpRequest, campaign: Campaign, kind: str) -> HttpResponse:
    if kind not in sheets.FILES:
        raise Http404(f"There is no file datasheet.{kind}; there are datasheet.{', datasheet.'.join(sheets.FILES)}.")
    _, content_type, write = sheets.FILES[kind]
    text = write(campaign.name, SheetSourceForm(campaign, request.GET).sheet())
    return download(campaign, f"datasheet.{kind}", text, content_type)
