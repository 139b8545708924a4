"""Deleting a campaign: only by its name, with everything in it, and nothing else."""

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db.models import CASCADE
from django.urls import reverse

from judgments.archive import deleting
from judgments.campaigns import states
from judgments.jobs.attempts import run_now
from judgments.judges import invitations
from judgments.models import Assignment, Campaign, Candidate, JournalEntry, Judgment, Membership, SystemOutput
from judgments.rules.errors import Refused
from ranking.models import Report, ReportTable
from ranking.reports import building
from tests import factory


@pytest.fixture
def closed(campaign, ada) -> Campaign:
    """A campaign with judgments, a report and a judge who came by a link."""
    factory.answer_all(ada)
    (invitation,) = invitations.invite(campaign, ["dan"])
    invitations.accept(invitation)
    run_now(building.request_report(campaign))
    states.close_campaign(campaign)
    campaign.refresh_from_db()
    return campaign


@pytest.mark.wide
@pytest.mark.postgresql
def test_everything_in_it_goes_and_other_campaigns_stay(closed):
    other = factory.open_campaign()
    factory.answer_all(factory.judge(other, "eve"))
    before = [model.objects.count() for model in (Judgment, Candidate, SystemOutput, Assignment)]
    ours = [
        Judgment.objects.filter(assignment__campaign=closed), Candidate.objects.filter(segment__campaign=closed),
        SystemOutput.objects.filter(system__campaign=closed), Assignment.objects.filter(campaign=closed),
    ]  # fmt: skip
    deleted = [rows.count() for rows in ours]
    deleting.delete_campaign(closed, closed.slug)
    after = [model.objects.count() for model in (Judgment, Candidate, SystemOutput, Assignment)]
    assert after == [all_of - some for all_of, some in zip(before, deleted, strict=True)]
    assert not Report.objects.exists()
    assert not ReportTable.objects.exists()
    assert list(Campaign.objects.all()) == [other]


@pytest.mark.wide
def test_users_made_for_links_go_and_those_with_a_life_of_their_own_stay(closed, ada):
    """A password, or another campaign in which the judge came by a link too."""
    ada.user.set_password("a good one, this")
    ada.user.save()
    eve = invitations.accept(*invitations.invite(closed, ["eve"]))
    Membership.objects.create(campaign=factory.make_campaign(), user=eve, role="judge", pseudonym="eve")
    deleting.delete_campaign(closed, closed.slug)
    assert set(User.objects.all()) == {ada.user, eve}
    last = JournalEntry.objects.filter(slug=closed.slug).first()
    assert (last.campaign, last.what) == (None, "deleted the campaign with 5 judgments")


def test_an_open_campaign_and_one_without_its_name_is_not_deleted(campaign):
    with pytest.raises(Refused, match="Close it first"):
        deleting.delete_campaign(campaign, campaign.slug)
    states.close_campaign(campaign)
    campaign.refresh_from_db()
    for typed in ("", "yes", "CAMPAIGN", f"{campaign.slug}1"):
        with pytest.raises(Refused, match=f"Type {campaign.slug}"):
            deleting.delete_campaign(campaign, typed)
    assert Campaign.objects.get() == campaign


def test_what_refers_to_a_deleted_row_is_deleted_before_it_or_with_the_campaign():
    """Of every table of the installation, by its keys."""
    place = {table.model: place for place, table in enumerate(deleting.TABLES)}
    keys = [
        (model, key.related_model, key.remote_field.on_delete)
        for model in apps.get_models()
        for key in model._meta.get_fields()
        if key.concrete and key.is_relation and not key.many_to_many
    ]
    with_campaign: set[type] = {Campaign}
    for _ in keys:
        with_campaign |= {model for model, to, act in keys if to in with_campaign and act is CASCADE} - place.keys()
    left = [(model, to) for model, to, _ in keys if to in place and model not in with_campaign and model not in place]
    late = [(model, to) for model, to, _ in keys if model in place and to in place and place[model] > place[to]]
    assert (left, late) == ([], [])


def test_deleting_many_judgments_takes_few_queries(campaign, ada, ben, django_assert_max_num_queries):
    for judge in (ada, ben):
        factory.answer_all(judge)
    states.close_campaign(campaign)
    campaign.refresh_from_db()
    with django_assert_max_num_queries(87):
        deleting.delete_campaign(campaign, campaign.slug)


@pytest.mark.wide
def test_the_page_says_what_goes_and_asks_for_the_name(closed, olga, browser_of):
    client, page = browser_of(olga), reverse("delete_campaign", args=[closed.slug])
    text = client.get(page).content.decode()
    assert "5 judgments" in text
    assert "Nothing was deleted" in client.post(page, {"typed": "no"}).content.decode()
    answer = client.post(page, {"typed": closed.slug}, follow=True)
    assert f"{closed.slug} was deleted, with 5 judgments" in answer.content.decode()
    assert not Campaign.objects.filter(pk=closed.pk).exists()
