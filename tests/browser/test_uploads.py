"""Uploading files with a browser, chosen or dropped, checked, stored; and from nothing to an open campaign."""

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from playwright.sync_api import Page, expect

from judgments.campaigns import settings
from judgments.jobs.attempts import run_now
from judgments.judges.exclusion import rule_of
from judgments.judges.rules.statistics import NO_RULE
from judgments.models import Campaign, Invitation, Screen, System, Upload
from tests import factory

TEXTS = {"source": factory.SOURCE, **factory.SYSTEMS}
DROPPED = """(texts) => {
    const dropped = new DataTransfer();
    for (const [name, text] of Object.entries(texts)) dropped.items.add(new File([text], name));
    return dropped;
}"""


@pytest.fixture
def fresh(transactional_db, no_worker) -> Campaign:
    """A campaign without material, and no worker but the test."""
    return settings.configure(Campaign(slug="fresh", name="Fresh"))


@pytest.fixture
def material(page, sign_in, fresh) -> Page:
    sign_in(factory.organiser(fresh, "olga"))
    page.goto(reverse("material", args=[fresh.slug]))
    return page


def as_text(texts: dict[str, list[str]]) -> dict[str, str]:
    return {name: "\n".join(lines) + "\n" for name, lines in texts.items()}


def drop(page: Page, texts: dict[str, str]) -> None:
    page.locator(".drop").dispatch_event("drop", {"dataTransfer": page.evaluate_handle(DROPPED, texts)})


def choose(page: Page, texts: dict[str, str]) -> None:
    files = [{"name": name, "mimeType": "text/plain", "buffer": text.encode()} for name, text in texts.items()]
    page.get_by_label("Files:").set_input_files(files)


def check(page: Page) -> None:
    """Upload the chosen files, and let a worker check them."""
    page.get_by_role("button", name="Check the files").click()
    expect(page.get_by_text("waiting for a worker")).to_be_visible()
    run_now(Upload.objects.get())


@pytest.mark.parametrize("hand_over", [choose, drop])
def test_files_are_handed_over_looked_at_and_stored(material, fresh, hand_over):
    hand_over(material, as_text(TEXTS))
    expect(material.get_by_text("4 files, 1 kB: source, Heron, Wren, Magpie")).to_be_visible()
    check(material)
    store = material.get_by_role("button", name="Store 3 systems and the source with 5 sentences")
    expect(store).to_be_visible()
    expect(material.locator("ins").first).to_be_visible()
    material.get_by_label("Name: Wren").fill("Robin")
    material.get_by_label("Name: Wren").press("Enter")
    expect(material.get_by_text("waiting for a worker")).to_be_visible()
    run_now(Upload.objects.get())
    material.get_by_label("Kind: Magpie").select_option("reference")
    store.click()
    expect(material.get_by_text("waiting for a worker")).to_be_visible()
    run_now(Upload.objects.get())
    kinds = dict(System.objects.values_list("name", "kind"))
    assert kinds == {"source": "source", "Heron": "system", "Robin": "system", "Magpie": "reference"}
    expect(material.get_by_role("heading", name="Preview of the plan")).to_be_visible()
    material.get_by_role("link", name="Material").click()
    expect(material.get_by_role("link", name="Heron")).to_be_visible()


def test_what_is_dropped_comes_to_what_is_there_until_it_is_too_large(material):
    drop(material, {"Heron": "a\n", "Wren": "b\n"})
    drop(material, {"Wren": "c\n", "Magpie": "d\n"})
    expect(material.get_by_text("3 files, 1 kB: Heron, Wren, Magpie")).to_be_visible()
    material.locator("[data-most-bytes]").evaluate("(form) => { form.dataset.mostBytes = 1024; }")
    drop(material, {"Heron": "x" * 2000})
    expect(material.get_by_text("The limit is 1 kB per upload")).to_be_visible()
    material.get_by_role("button", name="Check the files").click()
    assert not Upload.objects.exists()


@pytest.mark.walk
def test_the_page_names_the_role_of_each_file(material):
    texts = {"original": factory.SOURCE, "Heron": ["", *factory.SOURCE[1:]], "Wren.docx": ["\0" * 300, "x" * 300]}
    choose(material, as_text(texts))
    check(material)
    problems = material.get_by_role("columnheader", name="Problems").bounding_box()
    assert problems["x"] + problems["width"] <= material.viewport_size["width"], "in sight"
    material.get_by_label("Leave out: Wren.docx").check()
    expect(material.get_by_text("no source: name the file")).to_be_visible()
    material.get_by_label("Kind: original").select_option("source")
    material.get_by_label("Where one file has an empty line").select_option("missing")
    material.get_by_role("button", name="Check again").click()
    expect(material.get_by_text("waiting for a worker")).to_be_visible()
    run_now(Upload.objects.get())
    expect(material.get_by_role("button", name="Store 1 system and the source with 5 sentences")).to_be_visible()


def test_it_works_without_scripts(chromium, live_server, sign_in, context, fresh):
    sign_in(factory.organiser(fresh, "olga"))
    visitor = context.storage_state()
    plain = chromium.new_context(base_url=live_server.url, java_script_enabled=False, storage_state=visitor)
    page = plain.new_page()
    page.goto(reverse("material", args=[fresh.slug]))
    choose(page, as_text(TEXTS))
    check(page)
    page.get_by_role("link", name="Refresh").click()
    expect(page.get_by_role("button", name="Store 3 systems and the source with 5 sentences")).to_be_visible()
    plain.close()


MANY = {name: lines * 6 for name, lines in {"source": factory.SOURCE, **factory.SYSTEMS}.items()}


@pytest.fixture
def home(page, sign_in, transactional_db, no_worker) -> Page:
    sign_in(User.objects.create_user("olga", is_staff=True))
    page.goto("/")
    return page


@pytest.mark.walk
def test_a_newcomer_needs_five_clicks_and_types_nothing(home):
    clicks = 0

    def click(name: str, role: str = "button") -> None:
        nonlocal clicks
        clicks += 1
        home.locator("main").get_by_role(role, name=name).first.click()

    click("A new campaign", "link")
    choose(home, as_text(MANY))
    clicks += 1
    click("Create the campaign")
    expect(home.get_by_role("heading", name="Uploaded files")).to_be_visible()
    run_now(Upload.objects.get())
    click("Store 3 systems and the source")
    run_now(Upload.objects.get())
    expect(home.get_by_text("screens are controls")).to_be_visible()
    click("Assign")
    expect(home.get_by_text("The campaign is open: send each judge a link from below.")).to_be_visible()
    campaign = Campaign.objects.get()
    assert (campaign.is_open, clicks) == (True, 5)
    assert all((campaign.instructions, campaign.consent, campaign.tutorial))
    assert not campaign.questions
    assert rule_of(campaign) != NO_RULE
    assert Screen.objects.filter(campaign=campaign, has_control=True).exists()
    assert Invitation.objects.filter(campaign=campaign).count() == campaign.redundancy == 2
