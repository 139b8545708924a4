"""What a release or a public page says of itself: licence, title, creators, date and contact, and how to cite it.

The choices of an organiser, and their form, come first.
"""

from dataclasses import dataclass
from datetime import UTC
from typing import Any, NamedTuple

import yaml
from django import forms

from judgments.rules.errors import Refused
from ranking.models import Report
from ranking.numbers.tables import for_latex

# Of the published data: a correction would be another one.
VERSION = "1.0.0"
OTHER = "other"


class Licence(NamedTuple):
    """A licence, its SPDX identifier, and its address; its key is that of dataset hosts."""

    name: str
    spdx: str
    address: str


LICENCES = {
    "cc-by-4.0": Licence(
        "Creative Commons Attribution 4.0 International", "CC-BY-4.0", "https://creativecommons.org/licenses/by/4.0/"
    ),
    "cc-by-sa-4.0": Licence(
        "Creative Commons Attribution-ShareAlike 4.0 International",
        "CC-BY-SA-4.0",
        "https://creativecommons.org/licenses/by-sa/4.0/",
    ),
    "cc0-1.0": Licence(
        "Creative Commons Zero 1.0 Universal", "CC0-1.0", "https://creativecommons.org/publicdomain/zero/1.0/"
    ),
    "cc-by-nc-4.0": Licence(
        "Creative Commons Attribution-NonCommercial 4.0 International",
        "CC-BY-NC-4.0",
        "https://creativecommons.org/licenses/by-nc/4.0/",
    ),
}


@dataclass(frozen=True)
class ReleaseChoices:
    """Choices for one release or public page; they are not stored.

    `own_licence` is the text of a licence that is not listed. A public page may be without licence.
    """

    licence: str = ""
    own_licence: str = ""
    with_texts: bool = False
    title: str = ""
    description: str = ""
    creators: tuple[str, ...] = ()
    contact: str = ""

    @property
    def address(self) -> str:
        """The contact, if it is an address on the web."""
        contact = self.contact.strip()
        return contact if contact.startswith(("https://", "http://")) else ""

    def __post_init__(self) -> None:
        if self.licence not in {"", *LICENCES, OTHER}:
            raise Refused(f"There is no licence {self.licence!r}; choose from {', '.join([*LICENCES, OTHER])}.")
        if (self.licence == OTHER) != bool(self.own_licence.strip()):
            raise Refused(f"Write the text of your own licence if, and only if, you choose {OTHER!r}.")


OTHER_LABEL = "Another licence, as written below"
LICENCE_CHOICES = (
    *((name, f"{licence.name} ({licence.spdx})") for name, licence in LICENCES.items()),
    (OTHER, OTHER_LABEL),
)


class ReleaseForm(forms.Form):
    """The choices of a release, in the names of `ReleaseChoices`."""

    licence = forms.ChoiceField(
        choices=[("", "Choose a licence"), *LICENCE_CHOICES],
        help_text="The terms under which everybody may use the judgments.",
    )
    own_licence = forms.CharField(
        required=False,
        max_length=20_000,
        label="Text of another licence",
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Only if you choose another licence above.",
    )
    with_texts = forms.BooleanField(
        required=False,
        label="Include the source texts and outputs",
        help_text="Source texts may have a licence of their own that forbids this: ask whoever collected them. "
        "Without texts, sentences are known by their numbers alone, and the numbers of a report on corrections cannot "
        "be computed again.",
    )
    title = forms.CharField(
        required=False, max_length=200, help_text="Leave blank for “Judgments of” and the name of the campaign."
    )
    description = forms.CharField(
        required=False,
        max_length=5000,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="What these data are, in a few sentences of plain text.",
    )
    creators = forms.CharField(
        required=False,
        max_length=5000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Whom to cite, one per line: Lovelace, Ada for a person, the plain name for an institution.",
    )
    contact = forms.CharField(
        required=False, max_length=300, help_text="The address of the paper or of a page, or an e-mail address."
    )

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if not self.errors and (given["licence"] == OTHER) != bool(given["own_licence"]):
            self.add_error("own_licence", f"Write a text here if you choose {OTHER_LABEL!r}, and only then.")
        return given

    def choices(self) -> ReleaseChoices:
        given = self.cleaned_data
        return ReleaseChoices(**given | {"creators": tuple(given["creators"].splitlines())})


class PublicFacts:
    """What a public page or a release says; texts are those of the organiser, each on one line, or made of the report.

    Only the description may have several lines.
    """

    def __init__(self, report: Report, choices: ReleaseChoices, address: str, is_release: bool) -> None:
        name, slug = _on_one_line(report.campaign.name), report.campaign.slug
        self.choices, self.address = choices, address
        self.licence = LICENCES.get(choices.licence)
        self.contact = _on_one_line(choices.contact)
        self.creators = list(filter(None, map(_on_one_line, choices.creators))) or [f"The organisers of {name}"]
        self.date = (report.finished_at or report.created_at).astimezone(UTC).date().isoformat()
        if is_release:
            self.key, self.version = slug, VERSION
            self.title = _on_one_line(choices.title) or f"Judgments of {name}"
        else:
            self.key, self.version, self.title = f"{slug}-report-{report.pk}", self.date, f"Report on {name}"
        # By default without the numbers, which the card has.
        self.description = "\n".join(map(str.rstrip, choices.description.strip().splitlines())) or (
            f"{self.title}: human judgments of grammatical error correction, collected with Appraise GEC."
        )

    @property
    def licence_text(self) -> str:
        """The notice that goes with the data."""
        if self.licence is None:
            return self.choices.own_licence.strip() + "\n"
        return f"{self.title}\n\nLicensed under {self.licence.name} ({self.licence.spdx}):\n{self.licence.address}\n"


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def citation_cff(facts: PublicFacts) -> str:
    authors = []
    for creator in facts.creators:
        # `Lovelace, Ada` is a person; without a comma it may be an institution.
        family, comma, given = map(str.strip, creator.partition(","))
        is_person = comma and family and given
        authors.append({"family-names": family, "given-names": given} if is_person else {"name": creator})
    content = {
        "cff-version": "1.2.0",
        "message": "If you use these data, please cite them as below.",
        "type": "dataset",
        "title": facts.title,
        "abstract": facts.description,
        "authors": authors,
        "version": VERSION,
        "date-released": facts.date,
    }
    content |= {"license": facts.licence.spdx} if facts.licence else {}
    content |= {"url": facts.address} if facts.address else {}
    return as_yaml(content)


def bibtex(facts: PublicFacts) -> str:
    authors = " and ".join(
        for_latex(creator) if "," in creator else f"{{{for_latex(creator)}}}" for creator in facts.creators
    )
    title = f"{{{for_latex(facts.title)}}}"
    fields = {"author": authors, "title": title, "year": facts.date[:4], "version": facts.version}
    fields |= {"url": for_latex(facts.address)} if facts.address else {}
    written = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items())
    return f"@misc{{{facts.key},\n{written}\n}}\n"


def as_yaml(content: object) -> str:
    """Keep the order of keys, and quote whatever YAML would take for something else than text."""
    return yaml.safe_dump(content, allow_unicode=True, sort_keys=False, width=1000)
