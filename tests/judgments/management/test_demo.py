"""The demonstration: something to show on every page from the first minute."""

from collections.abc import Callable

import pytest
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db.models import Avg, Count
from django.test import override_settings
from django.urls import reverse

from judgments.assignment import claiming
from judgments.campaigns.settings import configure
from judgments.campaigns.states import close_campaign
from judgments.jobs.attempts import run_now
from judgments.judges.first_account import owner
from judgments.judges.invitations import accept, invite
from judgments.management.demo import FINISHED, GUEST, loading
from judgments.material import storing
from judgments.models import Assignment, Campaign, Edit, EssayRating, Judgment, Membership, System
from judgments.protocols import PROTOCOLS
from ranking.models import Publication
from ranking.numbers.tables import Table
from ranking.reports import building, downloads


@pytest.fixture
def demo_of(db, monkeypatch) -> Callable[[str], Campaign]:
    """One of the demonstration campaigns, without the others: each takes a while."""

    def load(slug: str) -> Campaign:
        monkeypatch.setattr(loading, "DEMOS", {slug: loading.DEMOS[slug]})
        loading.load()
        return Campaign.objects.get(slug=slug)

    return load


def report_on(campaign: Campaign) -> dict[str, Table]:
    report = building.request_report(campaign)
    run_now(report)
    return downloads.tables_of(report)


def test_every_way_of_judging_is_shown():
    judged_in = [demo for demo in loading.DEMOS.values() if not demo.is_finished]
    assert sorted(str(demo.settings["protocol"]) for demo in judged_in) == sorted(PROTOCOLS)


@pytest.mark.wide
def test_the_demo_has_material_of_every_kind_judges_and_work_for_the_guest(demo_of):
    demo = demo_of("demo")
    kinds = System.objects.filter(campaign=demo).values_list("kind", flat=True)
    assert sorted(kinds) == ["control", "reference", "reference", "source", *["system"] * 6]
    assert demo.document_set.count() >= 6
    assert demo.segment_set.count() >= 55
    assert 3.5 < storing.distinct_outputs(demo) < 5
    assert Judgment.objects.filter(assignment__campaign=demo).values("assignment__judge").distinct().count() == 4
    user = accept(demo.invitation_set.get(pseudonym=GUEST))
    assert claiming.claim_next(Membership.objects.get(campaign=demo, user=user))
    before = Judgment.objects.count()
    loading.judge_on()
    assert Judgment.objects.count() == before + 1
    simulated = Membership.objects.filter(campaign=demo, user=None)
    people = {judge.pk: User.objects.create_user(judge.pseudonym) for judge in simulated}
    for pk, person in people.items():
        Membership.objects.filter(pk=pk).update(user=person)
    loading.judge_on()
    assert Judgment.objects.count() == before + 1, "people answer for themselves"
    Membership.objects.filter(pk__in=people).update(user=None)
    configure(demo, consent="You agree.")
    loading.judge_on()
    assert Judgment.objects.count() == before + 1, "nobody agreed to what was added"
    configure(demo, consent="")
    close_campaign(demo)
    loading.judge_on()
    assert Judgment.objects.count() == before + 1


@pytest.mark.long
@pytest.mark.parametrize("slug", [FINISHED, "demo-rating"])
def test_the_report_puts_believable_systems_in_a_believable_order(demo_of, slug):
    lines = report_on(demo_of(slug))["standings"].dicts()
    order = [line["system"] for line in lines if line["method"] == "expected-wins"]
    assert order[0] in ("Heron", "Curlew")
    assert order[-1] == "Magpie"
    assert order.index("Heron") < order.index("source")


@pytest.mark.long
def test_the_verdicts_have_a_crowd_an_expert_and_a_dismissed_judge(demo_of):
    campaign = demo_of("demo-verdict")
    judges = Membership.objects.filter(campaign=campaign, role=Membership.Role.JUDGE)
    assert judges.get(is_expert=True).excluded_at is None
    (let_go,) = judges.exclude(excluded_at=None)
    assert let_go.excluded_by_rule
    assert {line["system"] for line in report_on(campaign)["measures"].dicts()} == {"Heron", "Wren", "Curlew"}


@pytest.mark.wide
def test_the_corrections_have_judges_who_overlook_more_or_less(demo_of):
    edits = Edit.objects.filter(judgment__assignment__campaign=demo_of("demo-correction"))
    counted = dict(edits.values_list("judgment__assignment__judge__pseudonym").annotate(Count("pk")).order_by())
    assert counted["ada"] > counted["ben"] > counted["chloe"] > 100
    assert not edits.filter(category="").exists()


@pytest.mark.wide
def test_the_whole_texts_have_numbers_and_marked_errors_and_their_best_system_corrects_most(demo_of):
    ratings = EssayRating.objects.filter(judgment__assignment__campaign=demo_of("demo-essays"))
    named = ratings.filter(candidate__systemoutput__system__takes_part=True)
    means = dict(named.values_list("candidate__systemoutput__system__name").annotate(Avg("score")).order_by())
    assert means["Heron"] > means["Curlew"] > means["source"]
    assert {span["severity"] for one in ratings for span in one.spans} == {"minor", "major"}


@pytest.mark.wide
def test_the_tour_leads_through_a_finished_evaluation(demo_of, client, capsys, no_worker):
    finished = demo_of(FINISHED)
    assert not Assignment.objects.filter(campaign=finished).waiting().exists()
    for _ in range(2):
        call_command("load_demo")
    publication = Publication.objects.get()
    client.force_login(owner())
    assert reverse("tour") in client.get("/").content.decode()
    page = client.get(reverse("tour")).content.decode()
    for link in (publication.url, publication.report.get_absolute_url(), f"/campaigns/{FINISHED}/judges/"):
        assert f'href="{link}"' in page
        assert client.get(link).status_code == 200
    vera, theirs = User.objects.create_user("vera"), Campaign.objects.create(slug="demography", name="Demography")
    (link,) = invite(theirs, [GUEST])
    client.force_login(vera)
    assert client.get(reverse("tour")).status_code == 404
    Membership.objects.create(campaign=finished, user=vera, role=Membership.Role.ORGANISER, pseudonym="vera")
    assert link.token not in client.get(reverse("tour")).content.decode(), "the links of others are theirs"


@pytest.mark.long
def test_loading_again_keeps_the_work_done(demo_of, capsys, no_worker):
    demo_of("demo")
    before = list(Judgment.objects.values_list("pk", flat=True))
    links = [invitation.token for invitation in loading.load()]
    assert list(Judgment.objects.values_list("pk", flat=True)) == before
    assert [invitation.token for invitation in loading.load()] == links
    call_command("load_demo")
    printed = capsys.readouterr().out
    assert f"olga, password {loading.organiser_password()}" in printed
    assert printed.count("/join/") == 1
    assert loading.login() == loading.organiser_password()
    with override_settings(ON_TLS=True):
        assert loading.login() == "", "logs of servers hold no password"
    assert authenticate(username=loading.ORGANISER, password=loading.organiser_password())
