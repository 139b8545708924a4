"""What an organiser chooses for a release or a public page: licence, texts, who is to be cited, and the contact."""

from dataclasses import dataclass

from judgments.rules.errors import Refused


@dataclass(frozen=True)
class Licence:
    """A licence, its SPDX identifier, and its address; its key is that of dataset hosts."""

    name: str
    spdx: str
    address: str


OTHER = "other"
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
