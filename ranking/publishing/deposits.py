"""A release sent to a host of data: as a draft to Zenodo, or as a private dataset to the Hugging Face Hub.

Nothing becomes public by this; the last step is a button of the host. Tokens come from the environment, are sent in the
header Authorization, and stand in no message.
"""

import json
import re
from abc import ABC, abstractmethod
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

import urllib3
from django.conf import settings
from django.utils.html import linebreaks

from judgments.rules.errors import Refused
from ranking.models import Report
from ranking.publishing.facts import PublicFacts, ReleaseChoices
from ranking.publishing.release import README
from ranking.reports.downloads import read_zip

ZENODO, HUB = HOSTS = "zenodo", "hub"
SECONDS = 120
# Drafts of an account among which that of an earlier run is sought, the newest first.
MOST_DRAFTS = 50
LONGEST_REASON = 500


class Deposit(ABC):
    """What goes to which host: `describe` says it, and `send` does it and returns the message to end with.

    `place` is the beginning of a sentence, and `advice` says which token is needed.
    """

    host: str
    place: str
    token: str
    advice: str
    files: dict[str, bytes]
    metadata: dict[str, Any] = {}

    @abstractmethod
    def send(self) -> str: ...

    def describe(self) -> str:
        sizes: dict[str, list[int]] = {}
        for name, content in self.files.items():
            sizes.setdefault("".join(name.partition("/")[:2]), []).append(len(content))
        files = [
            f"  {name} {sum(some):,} bytes{f' in {len(some)} files' * name.endswith('/')}"
            for name, some in sizes.items()
        ]
        metadata = [json.dumps(self.metadata, ensure_ascii=False, indent=1)] if self.metadata else []
        return "\n".join([f"{self.place} would get:", *files, *metadata, "Nothing was sent."])

    def check_token(self) -> None:
        if not self.token:
            raise Refused(f"There is no token. {self.advice} With --dry-run none is needed.")

    def refusal(self, status: int, said: str) -> Refused:
        """What the host answered, without the token, which some repeat, and what to do."""
        if status in (401, 403):
            advice = self.advice
        else:
            advice = "Try again later." if status == 429 or status >= 500 else "Change that, and run this again."
        shown = said.replace(self.token, "[token]")[:LONGEST_REASON].rstrip(".")
        return Refused(f"{self.host} answers {status}{f': {shown}' * bool(shown)}. {advice}")

    def no_connection(self, reason: Exception) -> Refused:
        kind = type(reason).__name__
        return Refused(f"{self.host} cannot be reached ({kind}). Check its address and the network, then try again.")


class ZenodoDeposit(Deposit):
    """The ZIP, and its card, which Zenodo shows; the API is described at developers.zenodo.org."""

    def __init__(self, report: Report, choices: ReleaseChoices, content: bytes) -> None:
        campaign, facts = report.campaign, PublicFacts(report, choices, choices.address, is_release=True)
        self.host, self.token = settings.ZENODO_URL, settings.ZENODO_TOKEN
        self.place = f"A draft on {self.host}"
        self.advice = (
            "Set ZENODO_TOKEN to a token with the scope deposit:write, which you make at "
            f"{self.host}/account/settings/applications/tokens/new/."
        )
        self.files = {f"{campaign.slug}-release.zip": content, README: read_zip(content)[README]}
        self.metadata = {
            "upload_type": "dataset",
            "title": facts.title,
            "creators": [{"name": name} for name in facts.creators],
            "description": linebreaks(facts.description, autoescape=True),
            # Without one Zenodo would take CC0. An own licence is in the ZIP, and grants nothing here.
            "license": choices.licence if facts.licence else "other-closed",
            "publication_date": facts.date,
            "version": facts.version,
            "keywords": ["grammatical error correction", "human evaluation", campaign.protocol],
            "prereserve_doi": True,
        }
        # The API documents codes of three letters, converts those of two, and knows no others.
        language = campaign.language.split("-")[0].lower()
        self.metadata |= {"language": language} if re.fullmatch("[a-z]{2,3}", language) else {}
        if facts.address:
            self.metadata["related_identifiers"] = [{"identifier": facts.address, "relation": "isSupplementTo"}]

    def send(self) -> str:
        self.check_token()
        address = f"{self.host}/api/deposit/depositions"
        drafts = self._ask("GET", f"{address}?status=draft&sort=mostrecent&size={MOST_DRAFTS}")
        # The draft of the same release, never published, from an earlier run.
        same = [
            draft
            for draft in drafts
            if draft.get("state") == "unsubmitted"
            and all(draft.get("metadata", {}).get(name) == self.metadata[name] for name in ("title", "version"))
        ]
        earlier = same[0] if same else None
        way = ("PUT", f"{address}/{earlier['id']}") if earlier else ("POST", address)
        draft = self._ask(*way, json={"metadata": self.metadata})
        for name, content in self.files.items():
            self._ask("PUT", f"{draft['links']['bucket']}/{quote(name)}", body=content)
        doi = draft["metadata"].get("prereserve_doi", {}).get("doi")
        return "\n".join([
            f"{'Updated' if earlier else 'Made'} the draft {draft['links']['html']}",
            *([f"Its DOI will be {doi}, which works once it is published."] if doi else []),
            "Only you see it. Check it there; Publish makes it public, for good.",
            "Until then, running this again with the same title replaces its files and its metadata.",
        ])  # fmt: skip

    def _ask(self, method: str, address: str, **content: Any) -> Any:
        headers = {"Authorization": f"Bearer {self.token}"}
        try:
            # No redirect is followed, so the token goes nowhere else.
            answer = urllib3.request(
                method, address, headers=headers, timeout=SECONDS, retries=False, redirect=False, **content
            )
        except urllib3.exceptions.HTTPError as reason:
            raise self.no_connection(reason) from reason
        try:
            found: Any = answer.json()
            if answer.status in (200, 201):
                return found
        except ValueError:
            found = {"message": "this is not the API of Zenodo; check ZENODO_URL"}
        # Faults of fields have a message, or a list of messages.
        faults = [
            f"{one.get('field')}: {one.get('message') or ' '.join(one.get('messages', []))}"
            for one in found.get("errors", [])
        ]
        raise self.refusal(answer.status, "; ".join([found.get("message", ""), *faults]))


class HubDeposit(Deposit):
    """The files of the ZIP, whose card and metadata the Hub reads."""

    def __init__(self, repository: str, content: bytes) -> None:
        if not re.fullmatch(r"[\w.-]+/[\w.-]+", repository):
            raise Refused(f"{repository!r} is no repository; give OWNER/NAME.")
        self.repository, self.files = repository, read_zip(content)
        self.host, self.token = settings.HF_ENDPOINT, settings.HF_TOKEN
        self.page = f"{self.host}/datasets/{repository}"
        self.place = f"The private dataset {self.page}"
        self.advice = (
            f"Set HF_TOKEN to a token that may write to datasets of {repository.partition('/')[0]}, which you make at "
            f"{self.host}/settings/tokens."
        )

    def send(self) -> str:
        """Send nothing to what is public already."""
        self.check_token()
        if not find_spec("huggingface_hub"):
            raise Refused('The Hub needs a package of its own: pip install "appraise-gec[hub]", then run this again.')
        from httpx import HTTPError
        from huggingface_hub import HfApi, constants
        from huggingface_hub.errors import HfHubHTTPError, HFValidationError
        from huggingface_hub.utils import disable_progress_bars

        disable_progress_bars()
        # Otherwise it looks for names of programs that may have called it, and tells them.
        constants.HF_HUB_DISABLE_TELEMETRY = True
        dataset: dict[str, Any] = {"repo_id": self.repository, "repo_type": "dataset"}
        api = HfApi(self.host, self.token)
        try:
            api.create_repo(**dataset, private=True, exist_ok=True)
            if not api.repo_info(**dataset).private:
                raise Refused(
                    f"{self.page} is public, so everybody would see these files at once. Give another name, or make it "
                    "private there."
                )
            with TemporaryDirectory() as folder:
                for name, content in self.files.items():
                    (Path(folder) / name).parent.mkdir(parents=True, exist_ok=True)
                    (Path(folder) / name).write_bytes(content)
                # What an earlier release had and this one lacks goes.
                api.upload_folder(**dataset, folder_path=folder, delete_patterns="*", commit_message="Data release")
        except HFValidationError as reason:
            raise Refused(f"The Hub allows no dataset of this name: {reason}") from reason
        except HfHubHTTPError as reason:
            raise self.refusal(reason.response.status_code, reason.server_message or "") from reason
        except (HTTPError, ConnectionError) as reason:
            raise self.no_connection(reason) from reason
        return (
            f"Sent {len(self.files)} files to the private dataset {self.page}\n"
            f"Check it there; {self.page}/settings makes it public, with all that earlier runs sent to it."
        )
