"""A campaign whose screens depend on judgments, from its plan to its stop, through the pages of organiser and judges.

Beside it stands one whose screens are drawn evenly by the same seed. Outputs have errors that judges can count, and
judges see them with some noise; they rank what they see on their pages.
"""

import random
import re
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from judgments.jobs.attempts import run_now
from judgments.models import Assignment, Campaign, Screen
from judgments.protocols.rows import shown_slots
from ranking.models import Report
from ranking.reports import building, downloads
from ranking.sequential.continuing import continue_campaigns
from tests import factory

pytestmark = pytest.mark.django_db

# The mean number of errors in an output of each system.
SYSTEMS = {"Crane": 0.3, "Heron": 1.1, "Magpie": 1.2, "Raven": 1.3, "Wren": 2.0, "Finch": 2.1}
SENTENCES, SCREENS, NOISE = 150, 240, 0.8
PLAN = {"design": "sampled", "screens": str(SCREENS), "screen_size": "4", "redundancy": "1", "batch_size": "20",
        "repeat_share": "0", "control_share": "0", "seed": "5"}  # fmt: skip


def texts() -> dict[str, list[str]]:
    rng = random.Random(7)
    source = [f"This is sentence {number} ." for number in range(SENTENCES)]
    outputs = {
        name: [f"{one} {'err ' * min(4, round(rng.expovariate(1 / errors)))}" for one in source]
        for name, errors in SYSTEMS.items()
    }
    return {"source": source, **outputs}


def planned(slug: str, sampling: str, olga: Client) -> Campaign:
    """Olga assigns screens, fixes when to stop, and opens the campaign, all on pages."""
    campaign = Campaign.objects.get(slug=slug)
    page = reverse("screens", args=[slug])
    assert "Preview of the plan" in olga.get(page, PLAN | {"sampling": sampling}).content.decode()
    answer = olga.post(reverse("assign_screens", args=[slug]), PLAN | {"sampling": sampling}, follow=True)
    assert "screens were assigned" in answer.content.decode()
    rule = {"wanted": str(SCREENS), "goal": "best", "preset": "recommended"}
    olga.post(reverse("analysis_plan", args=[slug]), rule)
    olga.post(reverse("change_state", args=[slug]), {"state": "open"})
    campaign.refresh_from_db()
    assert campaign.is_open
    return campaign


def judge_a_batch(campaign: Campaign, client: Client, rng: random.Random) -> int:
    response = client.post(reverse("begin", args=[campaign.slug]))
    done = 0
    while match := re.search(r"/assignments/(\d+)/", response.get("Location", "")):
        assignment = Assignment.objects.get(pk=match.group(1))
        page = client.get(response["Location"]).content.decode()
        assert not any(name in page for name in SYSTEMS), "judges are blind"
        seen = [slot.candidate.text.count("err") + NOISE * rng.gauss(0, 1) for slot in shown_slots(assignment)]
        ranks = {
            f"rank_{place}": str(1 + sum(other < one - 0.5 for other in seen)) for place, one in enumerate(seen, 1)
        }
        response = client.post(response["Location"], ranks | {"key": str(uuid4()), "active": "9.0"})
        assert response.status_code == 302
        done += 1
    return done


def run(campaign: Campaign) -> Report:
    """Three judges take turns until nothing is left; the board is looked at after every batch."""
    judges = []
    for name in ("ada", "ben", "cleo"):
        client = Client()
        client.force_login(factory.judge(campaign, f"{name}-{campaign.slug}").user)
        judges.append((client, random.Random(f"{name}:{campaign.slug}")))
    while sum(judge_a_batch(campaign, *judge) for judge in judges):
        continue_campaigns()
    report = building.create_report(campaign)
    run_now(report)
    report.refresh_from_db()
    assert report.state == "done", report.error
    return report


def best_is_known(report: Report) -> bool:
    lines = [line for line in downloads.tables_of(report)["pairs"].dicts() if line["method"] == "expected-wins"]
    return sum(bool(line["resolved"]) for line in lines if line["system"] == "Crane") == len(SYSTEMS) - 1


def test_an_adaptive_campaign_stops_when_the_best_is_known_beside_an_even_one():
    clients, reports = {}, {}
    for slug, sampling in (("adaptive", "first-ranks"), ("even", "chance")):
        made = factory.make_campaign(texts(), slug=slug)
        clients[slug] = Client()
        clients[slug].force_login(factory.organiser(made, f"olga-{slug}"))
        campaign = planned(slug, sampling, clients[slug])
        reports[slug] = run(campaign)
    adaptive, even = reports["adaptive"], reports["even"]
    assert even.judgments == SCREENS
    assert best_is_known(adaptive)
    assert adaptive.judgments < even.judgments, "a rule of the plan ended it earlier"
    assert adaptive.parameters["weights"] == "design"
    assert set(Screen.objects.filter(campaign__slug="even").values_list("weight", flat=True)) == {1.0}
    _, drawn, ending, looks = adaptive.course
    assert "favouring undecided pairs of first ranks" in drawn
    assert "when the best system is known" in ending
    assert "a ranking was computed" in looks
    page = " ".join(clients["adaptive"].get(adaptive.get_absolute_url()).content.decode().split())
    assert drawn in page
    assert "weighted_standings" in downloads.tables_of(adaptive)
    board = " ".join(clients["adaptive"].get(reverse("board", args=["adaptive"])).content.decode().split())
    assert "<strong>met</strong>: Crane leads" in board or "no interim ranking yet" in board
