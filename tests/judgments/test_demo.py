"""The demonstration: something to show on every page from the first minute."""

import pytest
from django.contrib.auth import authenticate
from django.core.management import call_command

from judgments import intake, scheduling
from judgments.demo import loading
from judgments.invitations import accept
from judgments.models import Campaign, Judgment, Membership, System
from ranking import exports, reports


@pytest.fixture
def demo(db) -> Campaign:
    loading.load()
    return Campaign.objects.get(slug="demo")


def test_the_demo_has_material_of_every_kind(demo):
    kinds = System.objects.filter(campaign=demo).values_list("kind", flat=True)
    assert sorted(kinds) == ["control", "reference", "reference", "source", *["system"] * 6]
    assert demo.document_set.count() >= 6
    assert demo.segment_set.count() >= 55
    assert 3.5 < intake.distinct_outputs(demo) < 5


def test_simulated_judges_have_judged_and_the_guest_finds_work(demo):
    assert Judgment.objects.filter(seat__campaign=demo).values("seat__judge").distinct().count() == 4
    invitation = demo.invitation_set.get(pseudonym=loading.GUEST)
    user = accept(invitation)
    assert scheduling.claim_next(Membership.objects.get(campaign=demo, user=user))


@pytest.mark.parametrize("slug", loading.DEMOS)
def test_the_report_puts_believable_systems_in_a_believable_order(demo, slug):
    report = reports.request_report(Campaign.objects.get(slug=slug))
    reports.build(report.pk)
    lines = exports.tables_of(report)["standings"].dicts()
    order = [line["system"] for line in lines if line["method"] == "expected-wins"]
    assert order[0] in ("Heron", "Curlew")
    assert order[-1] == "Magpie"
    assert order.index("Heron") < order.index("source")


def test_loading_again_keeps_the_work_done(demo):
    before = list(Judgment.objects.values_list("pk", flat=True))
    links = [invitation.token for invitation in loading.load()]
    assert list(Judgment.objects.values_list("pk", flat=True)) == before
    assert [invitation.token for invitation in loading.load()] == links


def test_the_organiser_can_sign_in_with_what_is_printed(demo, capsys):
    call_command("load_demo")
    printed = capsys.readouterr().out
    assert f"olga, password {loading.organiser_password()}" in printed
    assert printed.count("/join/") == 2
    assert authenticate(username=loading.ORGANISER, password=loading.organiser_password())
