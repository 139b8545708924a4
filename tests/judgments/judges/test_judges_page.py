"""The page of judges: what it says of each, and what an organiser decides there."""

import csv
import io

import pytest
from django.urls import reverse

from judgments.assignment import claiming
from judgments.jobs.attempts import run_now
from judgments.judges import exclusion, invitations, people
from judgments.models import Invitation, JournalEntry, Membership
from judgments.rules.errors import Refused
from judgments.rules.files.csv_tables import defused
from ranking.reports import building
from tests import factory
from tests.judgments.judges.test_statistics import controlled, judge_batch


@pytest.fixture
def client(olga, browser_of):
    return browser_of(olga)


@pytest.fixture
def address(campaign) -> str:
    return reverse("judges", args=[campaign.slug])


def test_an_organiser_excludes_and_includes_on_the_page(campaign, ada, client, address):
    client.post(reverse("exclude", args=[campaign.slug, ada.pk]), {"reason": "wrote <to> us"})
    page = client.get(address).content.decode()
    assert "<strong>excluded</strong>" in page
    assert "wrote &lt;to&gt; us" in page
    client.post(reverse("include", args=[campaign.slug, ada.pk]), {"reason": "a slip"})
    page = client.get(address).content.decode()
    assert "<strong>excluded</strong>" not in page
    assert "yes, included by hand" in page


@pytest.mark.parametrize("reason", ["", "x" * 300])
def test_a_missing_or_endless_reason_is_reported(campaign, ada, client, reason):
    page = client.post(reverse("exclude", args=[campaign.slug, ada.pk]), {"reason": reason}, follow=True)
    assert "Nothing was changed: " in page.content.decode()
    ada.refresh_from_db()
    assert ada.excluded_at is None


@pytest.mark.parametrize("name", ["exclude", "include", "set_quota", "set_pause", "send_message", "release_screens"])
def test_judges_of_other_campaigns_are_out_of_reach(campaign, client, name):
    eve = factory.judge(factory.open_campaign(), "eve")
    assert client.post(reverse(name, args=[campaign.slug, eve.pk]), {"reason": "x", "quota": 1}).status_code == 404


@pytest.mark.postgresql
def test_a_quota_counts_before_what_the_campaign_says(db):
    campaign = factory.open_campaign(batch_size=2, batches_per_judge=1)
    ada, ben = factory.judge(campaign, "ada"), factory.judge(campaign, "ben")
    people.set_quota(ada, 2)
    people.set_quota(ben, 0)
    ada.refresh_from_db()
    assert len(factory.judge_all(ada)) == 4
    assert claiming.claim_next(ben) is None
    people.set_quota(ben, None)
    assert claiming.claim_next(ben)
    entries = [entry.what for entry in JournalEntry.objects.filter(what__startswith="set the quota of batches of ben")]
    assert entries == ["set the quota of batches of ben to the campaign's", "set the quota of batches of ben to 0"]


def test_a_quota_is_set_on_the_page_and_has_limits(campaign, ada, client):
    quota = reverse("set_quota", args=[campaign.slug, ada.pk])
    page = client.post(quota, {"quota": "3"}, follow=True).content.decode()
    assert "<dt>batches of at most 3</dt><dd>0</dd>" in page
    assert "Nothing was changed" in client.post(quota, {"quota": "-1"}, follow=True).content.decode()
    with pytest.raises(Refused, match="from 0 to"):
        people.set_quota(ada, 1001)
    client.post(quota, {"quota": ""})
    ada.refresh_from_db()
    assert ada.quota is None


def test_the_rule_is_stated_and_applied_by_a_button(db, browser_of):
    campaign = controlled("rating", control_pass_share=0.7)
    ada = factory.judge(campaign, "ada")
    judge_batch(ada, careful=0)
    Membership.objects.filter(pk=ada.pk).update(excluded_at=None, excluded_by_rule=False)
    client = browser_of(factory.organiser(campaign, "olga"))
    assert exclusion.rule_of(campaign) in client.get(reverse("judges", args=[campaign.slug])).content.decode()
    page = client.post(reverse("apply_rule", args=[campaign.slug]), follow=True).content.decode()
    assert "The rule was applied: 1 excluded, 0 included again." in page
    assert "rule: 0 of 5 controls below the source" in page


@pytest.mark.postgresql
def test_the_pages_say_how_each_judge_works(db, browser_of):
    campaign = controlled("rating")
    ada = factory.judge(campaign, "ada")
    judge_batch(ada, careful=4)
    client = browser_of(factory.organiser(campaign, "olga"))
    assert "4 of 5" in client.get(reverse("judges", args=[campaign.slug])).content.decode()
    page = client.get(reverse("judge", args=[campaign.slug, ada.pk])).content.decode()
    assert "controls passed (38–96 % at 95 %)</dt><dd>4 of 5" in page


def test_screens_since_the_last_count_are_counted_too(campaign, ada, ben):
    factory.judge_batch(ada)
    for judge in (ada, ben):
        factory.answer(claiming.claim_next(judge))
    done = {judge.pseudonym: (judge.done, judge.last is None) for judge in people.judges(campaign)}
    assert done == {"ada": (4, False), "ben": (1, False)}


def test_the_page_asks_a_fixed_number_of_questions(campaign, ada, client, address, django_assert_num_queries):
    for number in range(2):
        judge = factory.judge(campaign, f"judge {number}")
        factory.judge_batch(judge)
        invitations.invite(campaign, [f"dan {number}"])
        with django_assert_num_queries(10):
            assert client.get(address).status_code == 200


def test_names_and_addresses_are_invited_from_one_box(campaign, ada, client, address):
    pasted = "dan, Ada@Example.org; Eve <eve@example.org>\nada@elsewhere.org"
    for _ in ("first", "again"):
        client.post(reverse("invite", args=[campaign.slug]), {"pseudonyms": pasted})
    there = {invitation.pseudonym: invitation.address for invitation in Invitation.objects.all()}
    assert there == {
        "dan": "", "ada-2": "ada@example.org", "eve": "eve@example.org", "ada-3": "ada@elsewhere.org",
    }  # fmt: skip


def test_who_has_joined_is_not_listed_as_invited(campaign, client, address):
    came, waited_for = invitations.invite(campaign, ["dan", "eve"])
    invitations.accept(came)
    assert list(client.get(address).context["invitations"]) == [waited_for]


def test_personal_links_come_as_a_table_that_a_spreadsheet_does_not_run(campaign, client):
    invitations.invite(campaign, ["=dan", "eve@example.org", "gone"])
    invitations.accept(Invitation.objects.get(pseudonym="eve"))
    invitations.revoke(Invitation.objects.get(pseudonym="gone"))
    answer = client.get(reverse("invitations_csv", args=[campaign.slug]))
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    assert [(row["name"], row["mail"]) for row in rows] == [(defused("=dan"), ""), ("eve", "eve@example.org")]
    tokens = Invitation.objects.exclude(pseudonym="gone").order_by("pseudonym").values_list("token", flat=True)
    assert [row["link"] for row in rows] == [
        f"http://127.0.0.1:8000{reverse('join', args=[token])}" for token in tokens
    ]


@pytest.mark.wide
def test_the_way_to_agreement_leads_to_the_newest_report(campaign, ada, client):
    way = reverse("judges_in_report", args=[campaign.slug])
    assert client.get(way).url == reverse("report_list", args=[campaign.slug])
    factory.answer_all(ada)
    report = building.request_report(campaign)
    run_now(report)
    building.request_report(campaign)
    assert client.get(way).url == reverse("report", args=[report.pk]) + "#judges"
