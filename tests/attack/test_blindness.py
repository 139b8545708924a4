"""Nothing that a judge receives reveals which system wrote a candidate.

The same texts are given to the systems in every possible way. If what judges get is the same each time, but for the
order of candidates, then nothing else can tell; and the order is chance, which is tested over very many assignments.
"""

import json
import random
import re
from collections import Counter
from itertools import pairwise, permutations

import numpy as np
import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from scipy.stats import chi2_contingency, chisquare

from judgments.assignment import claiming
from judgments.assignment.rules.assigning import COMPLETE, SAMPLED, Choice, PlanSettings, choose_screens, plan_batches
from judgments.judges import programs
from judgments.material.rules.reading import Roles
from judgments.models import Assignment, Campaign, Membership, Slot
from tests import factory
from tests.judgments.web.test_pages import bare, filled, ranks
from tests.program import Program

NAMES = ("Aaa", "Mmm", "Zzz", "Source")
TEXTS = {
    "good": [f"She goes to town {n} ." for n in range(5)],
    "bad": [f"She going town in {n} ." for n in range(5)],
    "same": [f"She go to town {n} ." for n in range(5)],
}
SOURCE = TEXTS["same"]
# By chance alone a test with this bound fails once in ten thousand seeds; the seeds stand fixed.
LEAST = 1e-4
CLOCK = re.compile(r"\d{1,2}:\d{2}|\b20\d\d-\d\d-\d\d\b")
CARD = re.compile(r'<p class="(?:sentence|readings)"[^>]*>.*?</p>', re.DOTALL)


def campaign_of(written: dict[str, list[str]], **settings) -> Campaign:
    """A campaign in which each system wrote the given texts."""
    made = factory.open_campaign({"Source": SOURCE, **written}, Roles(source="Source"), **{"batch_size": 20} | settings)
    Campaign.objects.filter(pk=made.pk).update(slug=f"c{made.pk:05}")
    made.refresh_from_db()
    return made


def assignments() -> list[dict[str, list[str]]]:
    """Every way in which three systems can have written three sets of texts."""
    return [dict(zip(NAMES[:3], order, strict=True)) for order in permutations(TEXTS.values())]


def shuffled_apart(page: str) -> tuple[str, tuple[str, ...]]:
    """A page without its candidates and what is new in every session; and the candidates in an order of no meaning."""
    start = page.index("candidates") if "candidates" in page else len(page)
    cards = CARD.findall(page[start:])
    frame = page[:start] + CARD.sub("CANDIDATE", page[start:])
    frame = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", frame)
    return CLOCK.sub("", re.sub(r"c\d{5}", "", bare(frame))), tuple(sorted(cards))


# Of the moment, or by chance and about nothing.
PASSING = {"Expires", "Content-Length", "X-Request-ID"}


def headers(answer) -> dict[str, str]:
    masked = {name: re.sub(r"c\d{5}|/assignments/\d+/", "", value) for name, value in answer.headers.items()}
    return {name: value for name, value in masked.items() if name not in PASSING}


def known_as_ada(campaign: Campaign, number: int) -> Membership:
    """A judge with a name of their own, which no page shows."""
    judge = factory.judge(campaign, f"ada{number}")
    Membership.objects.filter(pk=judge.pk).update(pseudonym="ada")
    judge.user.first_name = "ada"
    judge.user.save()
    return judge


def session(campaign: Campaign, client, fill) -> Counter:
    """Everything that a judge receives from the first page to the last, in no particular order."""
    answers = [client.get("/"), client.get(reverse("campaign", args=[campaign.slug]))]
    begin = reverse("begin", args=[campaign.slug])
    answers.append(client.post(begin))
    while "/assignments/" in answers[-1].get("Location", ""):
        address = answers[-1]["Location"]
        answers.append(client.get(address))
        page = answers[-1].content.decode()
        answers.append(client.post(f"{address}draft/", fill(page)))
        answers.append(client.post(address, filled(page, **fill(page)), headers={"accept": "application/json"}))
        answers.append(client.get(address))
        answers.append(client.post(begin))
    answers += [client.get(reverse(page, args=[campaign.slug])) for page in ("thanks", "answers", "campaign")]
    return Counter(
        json.dumps([answer.status_code, headers(answer), *shuffled_apart(answer.content.decode())], sort_keys=True)
        for answer in answers
    )


def scores(page: str) -> dict[str, str]:
    return dict.fromkeys(set(re.findall(r'name="(score_\d+)"', page)), "50")


@pytest.mark.long
@pytest.mark.parametrize(("protocol", "fill"), [("ranking", ranks), ("rating", scores)])
def test_judges_get_the_same_whichever_system_wrote_which_text(protocol, fill, db, browser_of):
    """Pages, headers, redirects and answers to scripts of a whole session, byte for byte but for the order."""
    sessions = []
    for number, written in enumerate(assignments()):
        campaign = campaign_of(written, protocol=protocol)
        sessions.append(session(campaign, browser_of(known_as_ada(campaign, number).user), fill))
    assert sum(sessions[0].values()) > 5 * 5
    assert all(other == sessions[0] for other in sessions)


def test_it_would_be_noticed(db, browser_of):
    """The same experiment with a page that leaks: one of its attributes holds the text of one of the systems."""
    pages = []
    for number, written in enumerate(assignments()[::2]):
        campaign = campaign_of(written)
        judge = factory.judge(campaign, f"ada{number}")
        assignment = claiming.claim_next(judge)
        page = browser_of(judge.user).get(reverse("assignment", args=[assignment.pk])).content.decode()
        text = Slot.objects.get(screen=assignment.screen, candidate__systemoutput__system__name="Aaa").candidate.text
        pages.append(shuffled_apart(page.replace("</main>", f'<i data-first="{text}"></i></main>')))
    frames, _ = zip(*pages, strict=True)
    assert len({*frames}) == len(pages) == 3


@pytest.mark.wide
def test_how_many_systems_agree_is_not_shown(db, browser_of):
    """Two systems wrote one candidate and one wrote the other, or vice versa."""
    sessions = []
    for number, second in enumerate(("good", "bad")):
        campaign = campaign_of({"Aaa": TEXTS["good"], "Mmm": TEXTS[second], "Zzz": TEXTS["bad"]})
        sessions.append(session(campaign, browser_of(known_as_ada(campaign, number).user), ranks))
    assert sessions[0] == sessions[1]


@pytest.mark.wide
def test_programs_get_the_same(db):
    """What the API says about assignments, without keys and ids of candidates."""
    replies = []
    for written in assignments():
        campaign = campaign_of(written)
        program = Program(programs.enrol(campaign, "robin"))
        answer = program.post(f"/api/campaigns/{campaign.slug}/assignments/", {"number": 5})
        received = answer.json()["assignments"]
        assert len(received) == 5
        contents = []
        for assignment in received:
            assert [shown.pop("place") for shown in assignment["candidates"]] == [1, 2, 3]
            assignment["candidates"] = sorted(assignment["candidates"], key=json.dumps)
            contents.append(re.sub(r'"(id|url)": ("[^"]*"|\d+)|c\d{5}', "", json.dumps(assignment, sort_keys=True)))
        replies.append((sorted(contents), headers(answer)))
    for other in replies:
        assert other == replies[0]
    assert not re.search("Aaa|Mmm|Zzz", str(replies))


@pytest.mark.wide
def test_the_queries_are_the_same_whichever_system_wrote_which_text(db, browser_of):
    """The way of the server's work depends on texts alone, and so does its time: the same queries however it is."""
    sessions = []
    for number, written in enumerate(assignments()):
        campaign = campaign_of(written)
        judge = factory.judge(campaign, f"ada{number}")
        client = browser_of(judge.user)
        queries = []
        while assignment := claiming.claim_next_skipping_breaks(judge):
            address = reverse("assignment", args=[assignment.pk])
            cache.clear()
            with CaptureQueriesContext(connection) as of_page:
                page = client.get(address).content.decode()
            with CaptureQueriesContext(connection) as of_answer:
                client.post(address, filled(page, **ranks(page)))
            queries.append(tuple(shape(query["sql"]) for query in [*of_page, *of_answer]))
        sessions.append(Counter(queries))
    for other in sessions:
        assert other == sessions[0]
    assert len({len(queries) for queries in sessions[0]}) <= 2, "in the middle of a batch and at its end"


def shape(sql: str) -> str:
    """A query without its values; seconds come as 1.5e+01 where a judge took ten or more."""
    return re.sub(r"'[^']*'|\b\d+(\.\d+)?(e[-+]?\d+)?\b|c\d{5}|s\d+_x\d+", "?", sql)


# --- the order --------------------------------------------------------------------------------------------------------


def dealt(systems: int, size: int, design: str, seed: int, segments: int = 400) -> list[tuple[int, ...]]:
    """For each assignment the systems in the order shown; candidates are numbered as systems are, which is the worst
    case.
    """
    everyone = tuple(range(systems))
    choices = [Choice(number, "", everyone, (1,) * systems) for number in range(segments)]
    settings = PlanSettings(design, size, redundancy=3, batch_size=20, repeat_share=0.1)
    rng = random.Random(seed)
    screens = choose_screens(choices, settings, rng)
    return [
        tuple(batch.screens[assignment.screen].candidates[place] for place in assignment.order)
        for batch in plan_batches(screens, settings, rng)
        for assignment in batch.assignments
    ]


DESIGNS = pytest.mark.parametrize(
    ("systems", "size", "design"),
    [(3, 5, COMPLETE), (5, 5, COMPLETE), (5, 5, SAMPLED), (12, 5, SAMPLED),
     (7, 3, COMPLETE)],
)  # fmt: skip


@DESIGNS
def test_no_place_belongs_to_a_system(systems, size, design):
    """Systems by places over more than a thousand assignments: as even as chance makes it."""
    seen = np.zeros((systems, max(map(len, orders := dealt(systems, size, design, 11)))))
    for order in orders:
        for place, system in enumerate(order):
            seen[system, place] += 1
    assert len(orders) > 1000
    assert chi2_contingency(seen[:, : min(map(len, orders))]).pvalue > LEAST


@DESIGNS
def test_an_order_reveals_nothing_about_the_next(systems, size, design):
    """Who is first on a screen by who was first on the screen before."""
    orders = dealt(systems, size, design, 12)
    seen = np.zeros((systems, systems))
    for before, after in pairwise(orders):
        seen[before[0], after[0]] += 1
    assert chi2_contingency(seen).pvalue > LEAST


def test_every_order_is_as_frequent_as_any_other_and_one_screen_has_several():
    counts = Counter(dealt(3, 5, COMPLETE, 13))
    assert len(counts) == 6
    assert chisquare([*counts.values()]).pvalue > LEAST
    assert len({*dealt(5, 5, COMPLETE, 14, segments=300)}) > 100


@pytest.mark.wide
@pytest.mark.parametrize("files", [NAMES[:3], NAMES[2::-1]])
def test_stored_orders_are_those_that_were_assigned(files, db):
    """In the database as in the rules: over all assignments no system, nor the number of its candidate, has a place."""
    kinds = [*TEXTS.values()]
    written = {
        name: [kinds[place][n % 5].replace(".", f"{n} .") for n in range(150)] for place, name in enumerate(files)
    }
    texts = {"Source": written[files[2]], **written}
    campaign = factory.open_campaign(texts, Roles(source="Source"), redundancy=3, batch_size=10, seed=5)
    seen = np.zeros((3, 3))
    by_number = np.zeros((3, 3))
    for assignment in (
        Assignment.objects.filter(campaign=campaign).select_related("screen").prefetch_related("screen__slot_set")
    ):
        slots = {slot.position: slot.candidate_id for slot in assignment.screen.slot_set.all()}
        numbers = sorted(slots.values())
        shown = [slots[position] for position in assignment.shown_positions()]
        owners = dict(
            Slot.objects.filter(screen=assignment.screen).values_list(
                "candidate", "candidate__systemoutput__system__name"
            )
        )
        for place, candidate in enumerate(shown):
            by_number[numbers.index(candidate), place] += 1
            seen[files.index(owners[candidate]), place] += 1
    assert seen.sum() == by_number.sum() > 1000
    assert chi2_contingency(seen).pvalue > LEAST
    assert chi2_contingency(by_number).pvalue > LEAST
