"""Forms about campaigns: settings, state, plans, exports, import, deletion."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import PurePosixPath
from typing import Any, Self

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.forms.models import fields_for_model, model_to_dict
from django.http import QueryDict
from django.utils import timezone
from django.utils.formats import date_format

from judgments.archive.importing import too_large_a_bundle
from judgments.assignment import planning
from judgments.assignment.planning import MOST_SCREENS
from judgments.campaigns.presets import PRESETS
from judgments.campaigns.settings import idle_settings
from judgments.material.uploads import MOST_BYTES
from judgments.models import Batch, Campaign, System
from judgments.models.campaign import LANGUAGE_CODE, PLAN_SETTINGS, SETTINGS, SHORT_NAME
from judgments.models.settings import Fixed
from judgments.protocols import PROTOCOLS, protocol_of
from judgments.protocols.base import Protocol
from judgments.protocols.guidance import DEFAULT, LANGUAGES, NONE, language_for
from judgments.rules.files.spreadsheets import ENDINGS
from judgments.web.forms.material import PASTED, TextsForm
from judgments.web.forms.shown import ShownForm

# Files of all systems.
WHOLE = ENDINGS | {".json", ".zip"}
PRESET_LABELS = {
    "recommended": "Recommended: two judges per screen, 10% shown again, some controls",
    "grundkiewicz2015": "As Grundkiewicz et al. (2015): ranking, five versions per screen, sentences drawn by chance",
    "napoles2019": "As Napoles et al. (2019): rating, everything judged by eight judges, controls on every screen",
    "madnani2011": "As Madnani et al. (2011): verdicts by twenty judges, who must pass 70% of the known answers",
    "kobayashi2024": "As Kobayashi et al. (2024): edits right or wrong, then ranks, five versions per screen",
    "bryant2015": "As Bryant and Ng (2015): corrections by ten judges, in the 28 categories of CoNLL-2014",
    "multigec2025": "As MultiGEC-2025: whole texts, grammaticality and fluency from 1 to 4",
    "kocmi2024": "Error span annotation, after Kocmi et al. (2024): minor and major errors marked, then 0 to 100",
}


def _presets_by_protocol() -> Iterator[tuple[str, Any]]:
    """Presets for every protocol, then a group for each of the others, which the page hides for other protocols."""
    for_all = [name for name, chosen in PRESETS.items() if "protocol" not in chosen]
    yield from ((name, PRESET_LABELS[name]) for name in for_all)
    for protocol in PROTOCOLS.values():
        own = [name for name, chosen in PRESETS.items() if chosen.get("protocol") == protocol.name]
        if own:
            yield str(protocol.label), [(name, PRESET_LABELS[name]) for name in own]


class NewCampaignForm(TextsForm):
    """How judges answer, and the texts; everything else has a default and can be set later."""

    name = forms.CharField(
        required=False,
        max_length=200,
        help_text="The title that judges see; leave blank for the name of the table, or the day.",
    )
    slug = forms.SlugField(
        required=False,
        max_length=50,
        label="Short name",
        error_messages=SHORT_NAME,
        help_text="Letters, digits and hyphens, for addresses and file names; leave blank to take it from the name.",
    )
    protocol = forms.ChoiceField(
        choices=lambda: [(name, protocol.label) for name, protocol in PROTOCOLS.items()],
        label="How judges answer",
        initial=lambda: next(iter(PROTOCOLS)),
        widget=forms.RadioSelect,
    )
    preset_name = forms.ChoiceField(
        label="Preset",
        choices=lambda: list(_presets_by_protocol()),
        help_text="The initial settings; each can be changed before screens are assigned.",
    )
    language = forms.CharField(
        max_length=35,
        initial="en",
        validators=[LANGUAGE_CODE],
        help_text="The language of the sentences, such as en or pl.",
    )
    guidance = forms.ChoiceField(
        required=False,
        label="Guidance for judges",
        help_text="Instructions, a consent text and three examples, ready-made; you can change or remove each on "
        "Settings, and add questions. There are examples for English and Polish sentences.",
    )

    def __init__(self, *args: Any, otherwise: str = DEFAULT, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.otherwise = otherwise if otherwise in LANGUAGES else DEFAULT
        by_sentences = f"In the language of the sentences, or in {LANGUAGES[self.otherwise]}"
        self.fields["guidance"].choices = [("", by_sentences), *LANGUAGES.items(), (NONE, "None; I write my own")]  # type: ignore[attr-defined]

    def ways(self) -> list[tuple[Any, Protocol]]:
        """The button of each protocol."""
        return [(radio, PROTOCOLS[radio.data["value"]]) for radio in self["protocol"]]

    def clean_guidance(self) -> str:
        """The language, by default that of the sentences, or the organiser's own."""
        return self.cleaned_data["guidance"] or language_for(self.cleaned_data.get("language", ""), self.otherwise)

    def clean(self) -> dict[str, Any]:
        """Take the name from a file, and refuse a preset of another protocol."""
        given = super().clean()
        if not given.get("name") and not self.errors:
            named = [file for file in given["texts"] if file.name != PASTED]
            if not named:
                self.add_error("name", "Name the campaign, or choose its files.")
            elif len(named) == 1 and PurePosixPath(named[0].name).suffix.lower() in WHOLE:
                given["name"] = PurePosixPath(named[0].name).stem.replace("_", " ")
            else:  # files are named after systems, which judges must not know
                given["name"] = f"Evaluation of {date_format(timezone.localdate(), 'j F Y')}"
        intended = PRESETS[given["preset_name"]].get("protocol") if "preset_name" in given else None
        if intended and given.get("protocol", intended) != intended:
            self.add_error(
                "preset_name",
                f"This preset is for {intended} campaigns; choose that way to judge above, or another preset.",
            )
        return given


@dataclass(frozen=True)
class Group:
    """Settings under one heading: those shown, long texts, and those that are seldom changed."""

    heading: str
    shown: list[forms.BoundField]
    texts: list[forms.BoundField]
    seldom: list[forms.BoundField]

    @classmethod
    def of(cls, heading: str, fields: Iterable[forms.BoundField]) -> Self:
        fields = list(fields)
        texts = [field for field in fields if field.widget_type == "textarea"]
        seldom = [field for field in fields if field.name in SETTINGS and SETTINGS[field.name].is_folded]
        return cls(heading, [field for field in fields if field not in (*texts, *seldom)], texts, seldom)

    @property
    def is_seldom_wrong(self) -> bool:
        return any(field.errors for field in self.seldom)

    @property
    def folded(self) -> str:
        """The seldom changed settings in a line."""
        return ", ".join(f"{field.label}: {_said(field)}" for field in self.seldom)


def _said(field: forms.BoundField) -> str:
    value = field.value()
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and "share" in field.name:
        return f"{value:.0%}"
    choices = dict(getattr(field.field, "choices", ()))
    return str(choices.get(value, value)) if value in choices or value not in (None, "") else "–"


class SettingsForm(ShownForm):
    """All settings of a campaign; those that screens depend on are locked once screens are assigned."""

    def __init__(self, campaign: Campaign, given: QueryDict | None = None):
        self.idle = idle_settings(campaign)
        names = [name for name in SETTINGS if protocol_of(campaign).uses(name)]
        super().__init__(given, initial=model_to_dict(campaign, names))
        self.fields.update(fields_for_model(Campaign, names))
        if not protocol_of(campaign).has_candidates:
            label_designs(self)
        self.is_assigned = Batch.objects.filter(campaign=campaign).exists()
        if self.is_assigned:
            self._lock(Fixed.ONCE_ASSIGNED)
        if campaign.opened_at:
            self._lock(Fixed.ONCE_OPENED)
        self.remember()

    def _lock(self, fixed: Fixed) -> None:
        for name, field in self.fields.items():
            field.disabled = field.disabled or SETTINGS[name].fixed is fixed

    @property
    def is_locked(self) -> bool:
        """Whether some settings can no longer be changed."""
        return any(field.disabled for field in self.fields.values())

    def groups(self) -> Iterator[Group]:
        for group, fields in groupby(self, key=lambda field: SETTINGS[field.name].group):
            listed = list(fields)
            for field in listed:
                field.idle = self.idle.get(field.name, "")  # type: ignore[attr-defined] # read by the template
            yield Group.of(group.heading, listed)


class ScreensForm(forms.Form):
    """How much is judged and by how many, and the settings of a plan; once screens are assigned, these stay.

    Where sentences are sampled, the hours of each judge give the number of screens.
    """

    judges = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=99,
        label="Judges",
        help_text="How many personal links to make; leave blank to invite them later.",
    )
    hours = forms.FloatField(
        required=False,
        min_value=0.05,
        max_value=1000,
        label="Hours per judge",
        help_text="Leave blank to set the number of screens instead.",
    )
    screens = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=MOST_SCREENS,
        label="Screens",
        help_text="How many to assign if the design is sampled; leave blank for as many as there are sentences on "
        "which systems differ.",
    )
    make_controls = forms.BooleanField(
        required=False,
        initial=True,
        label="Make controls",
        help_text="Adds one or two errors to source sentences, in words that no output or reference changes; careful "
        "judges rank such a version below the source.",
    )

    def __init__(self, campaign: Campaign, given: Mapping[str, Any] | None = None):
        self.campaign = campaign
        protocol = protocol_of(campaign)
        plan_settings = [name for name in PLAN_SETTINGS if protocol.uses(name)]
        super().__init__(given or None, initial=model_to_dict(campaign, plan_settings))
        kinds = set(System.objects.filter(campaign=campaign).values_list("kind", flat=True))
        if not protocol.has_candidates or System.Kind.SOURCE not in kinds or System.Kind.CONTROL in kinds:
            del self.fields["make_controls"]
        elif not campaign.control_share:
            self.fields["make_controls"].initial = False
        if not Batch.objects.filter(campaign=campaign).exists():
            self.fields.update(fields_for_model(Campaign, plan_settings))
            self.fields["judges"].initial = self.fields["judges"].initial or campaign.redundancy
        if not protocol.has_candidates:
            help_text = "How many to assign if the design is sampled; leave blank for all remaining ones."
            self.fields["screens"].help_text = help_text
            label_designs(self)

    def clean(self) -> dict[str, Any]:
        """Take the number of screens from the hours."""
        given = super().clean() or {}
        if self.errors or not given.get("hours"):
            return given
        if not given.get("judges"):
            self.add_error("hours", "Enter the number of judges, too.")
        elif self._setting("design") == Campaign.Design.SAMPLED:
            a_screen = planning.pace(self.campaign).seconds * self._setting("redundancy")
            seconds = given["judges"] * given["hours"] * 3600 / (1 + self._setting("repeat_share"))
            given["screens"] = max(1, min(int(seconds / a_screen), MOST_SCREENS))
        return given

    def _setting(self, name: str) -> Any:
        return self.cleaned_data.get(name, getattr(self.campaign, name))

    def group(self) -> Group:
        return Group.of("", self)

    def as_it_is(self) -> dict[str, Any]:
        """The values with which the form begins, as if they were submitted."""
        return {name: self.get_initial_for_field(field, name) for name, field in self.fields.items()}

    def settings(self) -> dict[str, Any]:
        return {name: value for name, value in self.cleaned_data.items() if name in PLAN_SETTINGS}


def label_designs(form: forms.Form) -> None:
    """Label the designs for protocols that compare nothing."""
    if "design" in form.fields:
        form.fields["design"].choices = [  # type: ignore[attr-defined]
            (Campaign.Design.COMPLETE, "complete (everything)"),
            (Campaign.Design.SAMPLED, "sampled (a random sample of the size given)"),
        ]


class BundleForm(forms.Form):
    """A bundle, and optionally another short name for its campaign."""

    bundle = forms.FileField(
        help_text="A campaign.zip from the page Exports of a campaign, or from the command export.",
        error_messages={"required": "Choose the bundle.", "empty": "The file is empty; download the bundle again."},
    )
    slug = forms.SlugField(
        required=False,
        max_length=50,
        label="Another short name",
        error_messages=SHORT_NAME,
        help_text="Leave blank to keep its own.",
    )

    def clean_bundle(self) -> UploadedFile:
        """Refuse a bundle that is too large."""
        bundle: UploadedFile = self.cleaned_data["bundle"]
        if (bundle.size or 0) > MOST_BYTES:
            raise forms.ValidationError(too_large_a_bundle())
        return bundle
