"""Creating and configuring a campaign on a page: all settings can be changed until screens depend on them."""

import re

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from judgments.assignment import planning
from judgments.campaigns import access, settings, states
from judgments.material import storing
from judgments.material.rules.reading import Roles, read_material
from judgments.models import Campaign, Membership, Upload
from judgments.protocols import PROTOCOLS
from judgments.rules.errors import Refused
from ranking.models import Report
from tests import factory
from tests.judgments.jobs.running import run_job

NEW = {"name": "Birds", "slug": "birds", "protocol": "ranking", "preset_name": "recommended", "language": "en"}


def form_fields(client, page: str) -> dict:
    """What a form sends if nothing is changed."""
    return fields_of(client.get(page).context["form"])


def fields_of(form) -> dict:
    fields = [field for field in form if not field.field.disabled]
    values = {field.name: field.value() for field in fields}
    shown = {field.html_initial_name: form.data.get(field.html_initial_name, field.value() or "") for field in fields}
    return shown | {name: value for name, value in values.items() if value is not None and value is not False}


def test_an_organiser_makes_a_campaign_and_runs_it_and_judges_make_none(campaign, olga, browser_of, ada, zoe):
    client = browser_of(olga)
    answer = client.post(reverse("new_campaign"), NEW)
    birds = Campaign.objects.get(slug="birds")
    assert answer.url == reverse("material", args=["birds"])
    assert (birds.redundancy, birds.preset) == (2, "recommended")
    assert Membership.objects.get(campaign=birds).user == olga
    another = "You have another campaign of this name"
    assert another not in client.get(answer.url).content.decode()
    assert another in client.post(reverse("new_campaign"), NEW | {"slug": ""}, follow=True).content.decode()
    assert access.may_make_campaigns(User.objects.create_user("sam", is_staff=True))
    assert not access.may_make_campaigns(ada.user)
    assert not access.may_make_campaigns(zoe)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"slug": "new"}, "cannot be called new"),
        ({"slug": "no spaces"}, "only letters, digits, hyphens and underscores"),
        ({"name": ""}, "Name the campaign, or choose its files."),
        ({"preset_name": "napoles2019"}, "This preset is for rating"),
        *(({"language": code}, "Write a code such as en, pl") for code in ("English", "x y", "klingon", "e", "en_GB")),
    ],
)
def test_invalid_input_is_reported_and_nothing_is_made(campaign, olga, browser_of, wrong, message):
    answer = browser_of(olga).post(reverse("new_campaign"), NEW | wrong)
    page = answer.content.decode()
    assert (message in page, "<details open>" in page) == (True, True)
    assert not Campaign.objects.filter(slug=(NEW | wrong)["slug"]).exists()


def test_a_table_makes_a_campaign_whose_columns_can_be_changed_and_one_button_gives_links(db, browser_of, no_worker):
    client = browser_of(User.objects.create_user("olga", is_staff=True))
    rows = ["id,text,Wren,Magpie", *(f"{n},She go {n} .,She goes {n} .,She went {n} ." for n in range(4))]
    table = SimpleUploadedFile("my_birds.csv", "\n".join(rows).encode())
    page = client.post(reverse("new_campaign"), {**NEW, "name": "", "slug": "", "texts": [table]}).url
    campaign, upload = Campaign.objects.get(), Upload.objects.get()
    run_job("upload", upload.pk)
    assert (campaign.name, campaign.slug, page) == ("my birds", "my-birds", upload.get_absolute_url())
    shown = client.get(page).content.decode()
    assert "column B of my_birds.csv" in shown
    assert "no source: name the file" in shown
    form = client.get(page).context["form"]
    kinds = {row.file.name: row.kind.value() for row in form.rows((), ())}
    assert kinds == {"id": "id", "text": "system", "Wren": "system", "Magpie": "system"}
    client.post(f"{page}check/", form_fields(client, page) | {"kind_1": "source"})
    run_job("upload", upload.pk)
    upload.refresh_from_db()
    assert not upload.problems, upload.problems
    client.post(reverse("store_upload", args=[campaign.slug, upload.pk]))
    run_job("upload", upload.pk)
    client.get(reverse("home"))
    page = reverse("screens", args=[campaign.slug])
    plan = client.get(page, form_fields(client, page) | {"judges": 3, "hours": 0.1}).context
    assert plan["form"].cleaned_data["screens"] == 10, "of 49 seconds, each for two judges, a tenth of them repeated"
    screens = {"judges": 3, "screens": 4, "assigned_before": plan["assigned_before"]}
    links = client.post(reverse("assign_screens", args=[campaign.slug]), screens, follow=True).content.decode()
    campaign.refresh_from_db()
    assert campaign.is_open
    assert len(set(re.findall("/join/[^/]+/", links))) == 3


def test_pasted_cells_are_a_table_too(db, browser_of, no_worker):
    client = browser_of(User.objects.create_user("olga", is_staff=True))
    cells = "source\tWren\nShe go home .\tShe goes home .\n"
    assert "/uploads/" in client.post(reverse("new_campaign"), NEW | {"cells": cells}).url
    run_job("upload", Upload.objects.get().pk)
    assert [row["name"] for row in Upload.objects.get().preview["files"]] == ["source", "Wren"]


def test_a_short_name_is_given_once_and_of_somebody_else_gets_an_ending_in_silence(campaign, olga, browser_of):
    """A refusal would tell organisers which campaigns others have."""
    for user in (olga, User.objects.create_superuser("root")):
        answer = browser_of(user).post(reverse("new_campaign"), NEW | {"slug": campaign.slug})
        assert f"There is a campaign {campaign.slug} already" in answer.content.decode()
    zoe = browser_of(User.objects.create_user("zoe", is_staff=True))
    made = zoe.post(reverse("new_campaign"), NEW | {"slug": campaign.slug})
    assert re.search(rf"/{campaign.slug}-[0-9a-f]{{6}}/", made.url)


@pytest.mark.parametrize(
    ("name", "slugs"),
    [
        ("Essays of Łódź, 2026", ["essays-of-odz-2026", "essays-of-odz-2026-[0-9a-f]{6}"]),
        ("New", ["new-[0-9a-f]{6}"]),
        ("作文", ["campaign"]),
    ],
)
def test_a_short_name_is_taken_from_the_name_and_is_nobody_elses(db, browser_of, name, slugs):
    client = browser_of(User.objects.create_user("olga", is_staff=True))
    for slug in slugs:
        made = client.post(reverse("new_campaign"), NEW | {"name": name, "slug": ""}).url
        assert re.fullmatch(f".*/{slug}/material/", made)


def test_all_settings_are_stored_until_screens_are_assigned(db, browser_of):
    campaign = factory.make_campaign()
    client, page = browser_of(factory.organiser(campaign, "olga")), reverse("settings", args=[campaign.slug])
    chosen = {"screen_size": "3", "seed": "99", "consent": "I agree.", "name": "Owls"}
    before = Campaign.objects.filter(pk=campaign.pk).values().get()
    answer = client.post(page, form_fields(client, page) | chosen)
    assert answer.status_code == 302, answer.context["form"].errors
    campaign.refresh_from_db()
    assert (campaign.screen_size, campaign.seed, campaign.consent, campaign.name) == (3, 99, "I agree.", "Owls")
    undone = client.get(page).content.decode()
    button = re.search(r'action="([^"]+)" class="actions">(.*)<button class="quiet">Undo', undone)
    client.post(button[1], dict(re.findall(r'name="([^"]+)" value="([^"]*)"', button[2])))
    assert Campaign.objects.filter(pk=campaign.pk).values().get() == before
    client.post(page, form_fields(client, page) | chosen)
    planning.launch(campaign, {}, opens=False)
    assert "the exclusion rule can, until the campaign opens" in client.get(page).content.decode()
    states.open_campaign(campaign)
    assert "The exclusion rule, and the settings that" in client.get(page).content.decode()
    client.post(page, form_fields(client, page) | {"screen_size": "2", "name": "Larks"})
    campaign.refresh_from_db()
    assert (campaign.screen_size, campaign.name) == (3, "Larks")


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_form_sent_as_it_came_changes_nothing(protocol, db, browser_of):
    campaign = factory.open_verdicts() if protocol == "verdict" else factory.open_campaign(protocol=protocol)
    client, page = browser_of(factory.organiser(campaign, "olga")), reverse("settings", args=[campaign.slug])
    before, shown = Campaign.objects.filter(pk=campaign.pk).values().get(), form_fields(client, page)
    with CaptureQueriesContext(connection) as asked:
        client.post(page, shown)
    assert Campaign.objects.filter(pk=campaign.pk).values().get() == before
    verbs = [one["sql"].split()[0] for one in asked]
    assert [verb for verb in verbs if verb in ("INSERT", "UPDATE", "DELETE")] == []


def test_what_another_organiser_changed_meanwhile_stays_unless_one_saves_again(campaign, olga, browser_of):
    client, page = browser_of(olga), reverse("settings", args=[campaign.slug])
    settings.configure(campaign, batches_per_judge=4)
    shown = form_fields(client, page)
    settings.configure(
        campaign, instructions="Rank them.\n\nTheirs.", name="Theirs", rest_minutes=7, batches_per_judge=None
    )
    client.post(page, shown | {"completion_code": "C1"})
    campaign.refresh_from_db()
    assert (campaign.instructions, campaign.name, campaign.completion_code) == ("Rank them.\n\nTheirs.", "Theirs", "C1")
    ours = {"name": "Ours", "rest_minutes": "7", "completion_code": "C2", "batches_per_judge": "5"}
    refused = client.post(page, shown | ours)
    for theirs in ("Theirs", "nothing"):
        assert f"reload the page to keep theirs, which is: {theirs}" in refused.content.decode()
    campaign.refresh_from_db()
    assert (campaign.name, campaign.completion_code) == ("Theirs", "C1")
    client.post(page, fields_of(refused.context["form"]))
    campaign.refresh_from_db()
    assert (campaign.name, campaign.completion_code, campaign.rest_minutes) == ("Ours", "C2", 7)
    assert campaign.instructions == "Rank them.\n\nTheirs."


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"tutorial": "no such thing"}, "tutorial"),
        ({"lease_minutes": "0"}, "lease"),
        ({"return_address": "javascript:alert(1)"}, "address"),
        ({"completion_code": "A", "failed_code": "A"}, "code for failed controls must differ"),
    ],
)
def test_settings_that_cannot_be_are_reported_and_nothing_is_stored(campaign, olga, browser_of, wrong, message):
    client, page = browser_of(olga), reverse("settings", args=[campaign.slug])
    answer = client.post(page, form_fields(client, page) | {"name": "Owls"} | wrong)
    assert message in answer.content.decode()
    campaign.refresh_from_db()
    assert campaign.name != "Owls"


def test_a_closed_campaign_is_archived_and_taken_out_again(campaign, olga, browser_of):
    client, address = browser_of(olga), reverse("change_state", args=[campaign.slug])
    for state in ("archived", "closed", "archived", "closed", "open"):
        client.post(address, {"state": state})
    campaign.refresh_from_db()
    assert campaign.is_open
    with pytest.raises(Refused, match="Close it first"):
        states.archive_campaign(campaign)


@pytest.fixture
def olga_of_nothing(db, browser_of):
    """A campaign with nothing in it, and the browser of who runs it."""
    olga = User.objects.create_user("olga", is_staff=True)
    campaign = settings.create("olga", "recommended", slug="new-one", name="New one", guidance="none")
    return campaign, browser_of(olga)


def test_the_overview_says_what_comes_next(olga_of_nothing):
    """From texts to screens, judges, opening the campaign and a report."""
    campaign, client = olga_of_nothing
    material = read_material(factory.upload({"source": factory.SOURCE, **factory.SYSTEMS}), Roles())
    steps = []
    for act in (
        lambda: None,
        lambda: storing.store_material(campaign, material),
        lambda: planning.launch(campaign, {"redundancy": 1, "repeat_share": 0.0}, opens=False),
        lambda: factory.judge(campaign, "ada"),
        lambda: states.open_campaign(campaign),
        lambda: factory.answer_all(Membership.objects.get(pseudonym="ada")),
        lambda: Report.objects.create(campaign=campaign, study="comparisons", state="done", started_at=timezone.now()),
    ):
        act()
        step = client.get(reverse("organise", args=[campaign.slug])).context["next_step"]
        steps.append(step and step.page)
    assert steps == ["material", "screens", "judges", "organise", "board", "report_list", None]


def test_what_needs_attention_is_listed_before_the_campaign_opens(olga_of_nothing):
    """Without instructions, a rule, or controls although the plan has a share of them."""
    campaign, client = olga_of_nothing
    material = factory.upload({"source": factory.SOURCE, **factory.SYSTEMS})
    storing.store_material(campaign, read_material(material, Roles()))
    settings.configure(campaign, control_pass_share=None, least_seconds=None, control_share=0.5)
    planning.launch(campaign, {"redundancy": 1, "repeat_share": 0.0}, opens=False)
    page = reverse("organise", args=[campaign.slug])

    def missing() -> list[str]:
        return [step.title for step in client.get(page).context["missing"]]

    assert missing() == ["Look at what judges read", "Agree on the exclusion rule", "Plan and assign screens"]
    body = client.get(page).content.decode()
    assert "no screen has a control, although their share is 0.5" in body.lower()
    settings.configure(campaign, least_seconds=2.0, instructions="Rank them.")
    assert missing() == ["Plan and assign screens"]
    assert "About 0.1 hours of judging." in body
