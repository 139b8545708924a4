"""What a release or a public page says of itself: title, creators, licence, date and address."""

from dataclasses import dataclass
from datetime import UTC

from ranking.publishing.anonymous import AnonymousReport
from ranking.publishing.release.choices import LICENCES, Licence, ReleaseChoices
from ranking.publishing.release.judgments import Judgments

# Of the published data: a correction would be another one.
VERSION = "1.0.0"


@dataclass(frozen=True)
class PageFacts:
    """A public page; its texts are those of the organiser, each on one line, or made of the report."""

    anonymous: AnonymousReport
    choices: ReleaseChoices
    address: str

    @property
    def key(self) -> str:
        report = self.anonymous.report
        return f"{report.campaign.slug}-report-{report.pk}"

    @property
    def title(self) -> str:
        return f"Report on {_on_one_line(self.anonymous.report.campaign.name)}"

    @property
    def version(self) -> str:
        return self.date

    @property
    def creators(self) -> list[str]:
        named = [creator for one in self.choices.creators if (creator := _on_one_line(one))]
        return named or [f"The organisers of {_on_one_line(self.anonymous.report.campaign.name)}"]

    @property
    def contact(self) -> str:
        return _on_one_line(self.choices.contact)

    @property
    def date(self) -> str:
        report = self.anonymous.report
        return (report.finished_at or report.created_at).astimezone(UTC).date().isoformat()

    @property
    def licence(self) -> Licence | None:
        return LICENCES.get(self.choices.licence)


@dataclass(frozen=True)
class Facts(PageFacts):
    """A release; its description may have several lines."""

    judgments: Judgments

    @property
    def key(self) -> str:
        return self.anonymous.report.campaign.slug

    @property
    def title(self) -> str:
        return _on_one_line(self.choices.title) or f"Judgments of {_on_one_line(self.anonymous.report.campaign.name)}"

    @property
    def version(self) -> str:
        return VERSION

    @property
    def description(self) -> str:
        """By default without the numbers, which the card has."""
        own = "\n".join(map(str.rstrip, self.choices.description.strip().splitlines()))
        return own or f"{self.title}: human judgments of grammatical error correction, collected with Appraise GEC."

    @property
    def licence_text(self) -> str:
        """The notice that goes with the data."""
        if self.licence is None:
            return self.choices.own_licence.strip() + "\n"
        return f"{self.title}\n\nLicensed under {self.licence.name} ({self.licence.spdx}):\n{self.licence.address}\n"


def _on_one_line(text: str) -> str:
    return " ".join(text.split())
