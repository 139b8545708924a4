"""Stored scripts in a real browser: every text that somebody can write is one, and on no page does any of it run.

The browser does not heed the policy of pages, so a script that is not shown as text would run.
"""

import re
from collections.abc import Iterator

import pytest
from django.apps import apps
from django.db.models import CharField, TextField
from django.urls import reverse
from playwright.sync_api import BrowserContext, Dialog, Page, Request

from judgments.assignment import claiming
from judgments.models import Campaign, ImportJob, Membership
from tests import factory
from tests.browser.conftest import PATIENCE
from tests.judgments.campaigns.test_access import ADDRESSES, SEEN
from tests.judgments.web.test_hostile_texts import HOSTILE, SCRIPT, hostile_campaign, hostile_judge, in_use

PAGES = [name for name, verb in ADDRESSES if verb == "get" and not name.startswith("api_")]
# Files and answers for scripts; browsers show none of them as a page. Their content is looked at without a browser.
NO_PAGES = {"export", "report_file", "report_zip", "report_bundle", "changes_file", "metric_file", "invitations_csv",
            "plan_file", "datasheet_file", "public_file", "public_site", "your_data_file", "team_source",
            "submission_file", "power_file"}  # fmt: skip
OF_ADMIN = ("campaign", "membership", "invitation", "journalentry", "system", "assignment", "judgment", "sharedlink")
# Texts that nobody can choose: made by the platform, chosen from a list, or held to a form of their own, as names of
# systems are.
TAME = {
    "auth.Permission": {"name", "codename"}, "auth.User": {"username", "password", "last_name", "email"},
    "authtoken.Token": {"key"}, "authtoken.TokenProxy": {"key"}, "contenttypes.ContentType": {"app_label", "model"},
    "judgments.Campaign": {"slug", "protocol", "language", "return_address", "preset"},
    "judgments.Candidate": {"fingerprint"}, "judgments.Job": {"kind"},
    "judgments.JournalEntry": {"slug"}, "judgments.Invitation": {"token"}, "judgments.Assignment": {"order"},
    "judgments.Alarm": {"kind"}, "judgments.SharedLink": {"token"}, "judgments.System": {"name"},
    "judgments.SignInAttempts": {"key"}, "judgments.RequestCount": {"key"}, "judgments.Team": {"name", "token"},
    "judgments.Submission": {"system", "sha256", "fingerprint", "code", "accepted_as"},
    "ranking.Metric": {"scores"}, "ranking.Report": {"preset", "signature", "study"},
    "ranking.ReportTable": {"name"}, "ranking.AnalysisPlan": {"preset"},
    "ranking.Publication": {"token"},
}  # fmt: skip


@pytest.fixture
def campaign(db) -> Campaign:
    return hostile_campaign()


@pytest.fixture
def ada(campaign) -> Membership:
    return hostile_judge(campaign)


@pytest.fixture
def hostile(campaign, ada, olga, no_worker) -> dict[str, str]:
    return in_use(campaign, ada, olga)


@pytest.fixture
def window(chromium, live_server) -> Iterator[BrowserContext]:
    context = chromium.new_context(base_url=live_server.url, bypass_csp=True)
    context.set_default_timeout(PATIENCE)
    yield context
    context.close()


def watch(page: Page) -> list[str]:
    """What ran or was fetched: dialogs, and requests that only the texts make."""
    found: list[str] = []

    def dialog_opened(dialog: Dialog) -> None:
        found.append(f"a dialog on {page.url}")
        dialog.dismiss()

    def request_sent(request: Request) -> None:
        if re.search(r"/x(\.png)?$|//example\.org", request.url):
            found.append(f"{request.url} on {page.url}")

    page.on("dialog", dialog_opened)
    page.on("request", request_sent)
    return found


def enter(window: BrowserContext, live_server, client, user) -> None:
    client.force_login(user)
    window.clear_cookies()
    window.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}])


def look(page: Page, address: str) -> None:
    """Visit a page and open all that can be opened."""
    page.goto(address)
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })")
    page.wait_for_load_state("networkidle")


@pytest.mark.long
def test_no_text_that_somebody_wrote_runs(transactional_db, hostile, ada, olga, window, live_server, client):
    operator = factory.User.objects.create_superuser("operator", first_name=HOSTILE[:150])
    ImportJob.objects.update(about=HOSTILE[:200])
    page = window.new_page()
    found, texts = watch(page), 0
    for person, user in (("olga", olga), ("ada", ada.user), ("operator", operator)):
        enter(window, live_server, client, user)
        visited = [name for name in PAGES if ADDRESSES[name, "get"][person] == SEEN and name not in NO_PAGES]
        of_person = [hostile[name] for name in visited]
        for address in of_person if person != "operator" else [f"/admin/judgments/{name}/" for name in OF_ADMIN]:
            look(page, address)
            texts += page.locator("body").inner_text().count(SCRIPT)
    assert not found
    assert texts > 50, "scripts are shown as the texts that they are"


@pytest.mark.parametrize("protocol", ["ranking", "rating", "correction", "verdict"])
def test_text_typed_by_a_judge_does_not_run(protocol, transactional_db, window, live_server, client):
    """Typed into every field of a screen, kept as a draft and shown again."""
    texts = {"source": [f"{text} {HOSTILE}" for text in factory.SOURCE], "Heron": factory.SOURCE}
    if protocol == "correction":
        texts.pop("Heron")
    made = factory.open_verdicts() if protocol == "verdict" else factory.open_campaign(texts, protocol=protocol)
    judge = factory.judge(made, "ada")
    assignment = claiming.claim_next(judge)
    enter(window, live_server, client, judge.user)
    page = window.new_page()
    found = watch(page)
    address = reverse("assignment", args=[assignment.pk])
    look(page, address)
    page.get_by_role("button", name="Remark").click()
    fields = page.locator("textarea:visible, input[type=text]:visible, input:not([type]):visible")
    assert fields.count()
    with page.expect_response(lambda answer: "/draft/" in answer.url):
        for number in range(fields.count()):
            fields.nth(number).fill(HOSTILE)
    for again in (address, reverse("answers", args=[made.slug]), reverse("campaign", args=[made.slug])):
        look(page, again)
    assert not found


@pytest.mark.long
def test_every_text_in_the_database_was_hostile(hostile, campaign):
    """Every text in every table with rows is hostile, unless it is in the list of those that cannot be."""
    ImportJob.objects.update(about=HOSTILE[:200])
    tame = {}
    for model in [model for model in apps.get_models() if model._meta.app_label != "sessions"]:
        known = TAME.get(model._meta.label, set())
        for field in model._meta.local_concrete_fields:
            if isinstance(field, CharField | TextField) and not field.choices and field.name not in known:
                written = [text for text in model._base_manager.values_list(field.name, flat=True) if text]
                if written and not any(re.search(r"script|onload|^[=@]", text) for text in written):
                    tame[f"{model._meta.label}.{field.name}"] = written[0][:60]
    assert tame == {}
