"""Planning and assigning in the browser: the plan is what is assigned, and refusals explain themselves."""

from collections import Counter
from itertools import combinations

import pytest
from django.urls import reverse

from judgments.actions.campaigns import ChangeState
from judgments.assignment import planning
from judgments.assignment.planning import plan
from judgments.campaigns import steps
from judgments.judges import invitations
from judgments.models import Assignment, AssignmentJob, Campaign, Screen, System
from judgments.models.campaign import PLAN_SETTINGS
from judgments.rules.errors import Refused
from tests import factory


@pytest.fixture
def unassigned(db):
    return factory.make_campaign()


@pytest.fixture
def client(unassigned, browser_of):
    return browser_of(factory.organiser(unassigned, "olga"))


def form_fields(**changes) -> dict:
    """The fields of the form as a browser sends them: a box only if it is ticked."""
    settings = {"design": "complete", "sampling": "published", "screen_size": 5, "redundancy": 2, "batch_size": 3,
                "repeat_share": 0, "control_share": 0, "seed": 7, "screens": ""}  # fmt: skip
    return settings | changes


def test_a_plan_stores_nothing_and_the_assignment_is_as_planned(unassigned):
    plan(unassigned, {"screen_size": 2, "seed": 99})
    unassigned.refresh_from_db()
    assert (unassigned.screen_size, unassigned.seed) == (5, 7)
    planned = plan(unassigned, {"redundancy": 3})
    assert not Screen.objects.exists()
    made = planning.launch(unassigned, {"redundancy": 3}, opens=False)
    assert (planned.screens, planned.assignments, planned.batches) == (made.screens, made.assignments, made.batches)
    assert Assignment.objects.count() == planned.assignments
    unassigned.refresh_from_db()
    assert (unassigned.redundancy, unassigned.is_open) == (3, False)


def test_a_plan_counts_how_often_systems_will_meet(unassigned):
    planned = plan(unassigned, {})
    planning.launch(unassigned, {}, opens=False)
    met: Counter = Counter()
    for screen in Screen.objects.filter(campaign=unassigned):
        outputs = [slot.candidate.systemoutput_set for slot in screen.slot_set.all()]
        shown = [set(of_slot.values_list("system__name", flat=True)) for of_slot in outputs]
        assignments = screen.assignment_set.count()
        for one, other in combinations(shown, 2):
            met.update({tuple(sorted((a, b))): assignments for a in one for b in other})
    names = System.objects.filter(campaign=unassigned).judged().order_by("name").values_list("name", flat=True)
    counts = [met[pair] for pair in combinations(names, 2)]
    assert (planned.fewest, planned.most) == (min(counts), max(counts))


def test_an_organiser_plans_assigns_and_opens(unassigned, client):
    page = reverse("screens", args=[unassigned.slug])
    text = client.get(page, form_fields()).content.decode()
    assert "Preview of the plan" in text
    assert "Assign 5 screens" in text
    answer = client.post(reverse("assign_screens", args=[unassigned.slug]), form_fields(), follow=True)
    assert "5 screens were assigned, with 10 assignments." in answer.content.decode()
    again = client.post(reverse("assign_screens", args=[unassigned.slug]), form_fields(), follow=True)
    assert "of a complete campaign are assigned only once" in again.content.decode()
    assert Screen.objects.count() == 5
    unassigned.refresh_from_db()
    assert unassigned.state == "draft"
    client.post(reverse("change_state", args=[unassigned.slug]), {"state": "open"})
    unassigned.refresh_from_db()
    assert unassigned.is_open


def test_a_plan_for_fewer_judges_than_answers_to_a_screen_is_warned_of(unassigned, client):
    chosen, page = form_fields(redundancy=5, judges=2), reverse("screens", args=[unassigned.slug])
    warning = "2 judges cannot give 5 answers to a screen; invite 3 more, or lower Judges per screen."
    assert warning in client.get(page, chosen).content.decode()
    assert "cannot give" not in client.get(page, form_fields(redundancy=2, judges=2)).content.decode()
    answer = client.post(reverse("assign_screens", args=[unassigned.slug]), chosen, follow=True)
    assert warning in answer.content.decode()
    campaign = Campaign.objects.get()
    assert warning in [factory.act(ChangeState, campaign, state=state) for state in ("closed", "open")][1]
    invitations.share(unassigned, 3)
    assert not steps.too_few_judges(campaign), "a shared link brings more"


def test_the_plan_is_sent_on_as_it_was_made(unassigned, client):
    """Boxes too, which are not sent where they are not ticked."""
    page = client.get(reverse("screens", args=[unassigned.slug]), form_fields(automatic_ties="on", seed=12))
    form = page.context["form"]
    hidden = {name: str(form[name].value() or "") for name in form.fields}
    client.post(reverse("assign_screens", args=[unassigned.slug]), hidden)
    unassigned.refresh_from_db()
    assert (unassigned.automatic_ties, unassigned.one_domain_a_day, unassigned.seed) == (True, False, 12)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"screen_size": 1}, "screen_size"),
        ({"redundancy": 0}, "redundancy"),
        ({"screens": -1}, "greater than or equal to 1"),
        ({"seed": 10**12}, "seed"),
        ({"design": "sampled", "repeat_share": 3}, "repeat_share"),
    ],
)
def test_an_impossible_plan_is_reported(unassigned, client, wrong, message):
    assert message in client.get(reverse("screens", args=[unassigned.slug]), form_fields(**wrong)).content.decode()
    client.post(reverse("assign_screens", args=[unassigned.slug]), form_fields(**wrong))
    assert not Screen.objects.exists()


@pytest.mark.wide
def test_controls_are_made_with_the_assignments_as_the_preview_counts_them(unassigned, client):
    page, chosen = reverse("screens", args=[unassigned.slug]), {"control_share": 0.6}
    assert not client.get(page).context["form"]["make_controls"].initial, "a campaign without a share of controls"
    without = client.get(page, form_fields(**chosen))
    assert without.context["plan"].controls == 0
    assert b"The share of controls has no effect" in without.content
    planned = client.get(page, form_fields(make_controls="on", **chosen)).context["plan"]
    client.post(reverse("assign_screens", args=[unassigned.slug]), form_fields(make_controls="on", **chosen))
    assert System.objects.filter(campaign=unassigned, kind="control").exists()
    assert Screen.objects.filter(has_control=True).count() == planned.controls == 3


@pytest.mark.parametrize(
    ("share", "reason"), [(0, "the share of controls is 0."), (0.05, "so few screens leave no room for a control.")]
)
def test_the_preview_says_why_no_control_would_be_shown(unassigned, client, share, reason):
    chosen = form_fields(make_controls="on", control_share=share)
    page = client.get(reverse("screens", args=[unassigned.slug]), chosen).content.decode()
    assert f"Make controls has no effect, because {reason}" in page


def test_the_preview_says_how_many_sentences_the_screens_show(unassigned, client):
    chosen = form_fields(design="sampled", screens=2, seed=4)
    answer = client.get(reverse("screens", args=[unassigned.slug]), chosen)
    assert (answer.context["plan"].shown, answer.context["plan"].most_screens) == (1, 2)
    assert "These screens show 1 of your 5 sentences, one of them on 2 screens" in answer.content.decode()


def test_very_many_assignments_are_for_a_worker(unassigned, monkeypatch):
    monkeypatch.setattr(planning, "MOST_ASSIGNMENTS_AT_ONCE", 9)
    assert planning.takes_long(unassigned, {})
    assert planning.rough_plan(unassigned, {}) is None, "it can still be tried out"
    monkeypatch.setattr(planning, "MOST_ASSIGNMENTS_PLANNED", 9)
    with pytest.raises(Refused, match="too large to be computed in a request"):
        planning.plan(unassigned, {})


def test_controls_that_are_compared_with_very_many_outputs_are_for_a_worker(unassigned, olga, monkeypatch, no_worker):
    monkeypatch.setattr(planning, "MOST_TEXTS_COMPARED", 4)
    assert isinstance(planning.assign_or_request(unassigned, olga, {}, None, with_controls=True), AssignmentJob)


def test_billions_of_assignments_are_refused_before_any_is_planned(unassigned, client):
    of_campaign = {name: getattr(unassigned, name) for name in PLAN_SETTINGS}
    settings = {name: str(value) for name, value in of_campaign.items() if value is not False}
    address = reverse("screens", args=[unassigned.slug])
    page = client.get(address, settings | {"design": "sampled", "screens": "1000000", "redundancy": "1000"})
    assert "1,000,000,000 assignments exceed the 2,000,000" in page.content.decode()
