"""The pages of judges and organisers: what they show, what they take, and what they never tell."""

import csv
import html
import re
from uuid import uuid4

import pytest
from django.template import Context, Template
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from judgments.assignment import claiming
from judgments.campaigns import states
from judgments.exchange.exporters import EXPORTS, ExportOptions
from judgments.judges import invitations
from judgments.material.rules.reading import Roles
from judgments.models import Assignment, Draft, Invitation, Judgment, Membership
from judgments.protocols import PROTOCOLS
from judgments.protocols.rows import shown_slots
from judgments.rules.texts.diff import compare
from tests import factory
from tests.judgments.assignment.test_document_mode import open_documents


@pytest.fixture
def judge_page(ada, browser_of):
    return browser_of(ada.user)


def filled(page: str, **answers) -> dict:
    """What the form on a page would send, filled in."""
    return {"key": re.search(r'name="key" value="([^"]+)"', page)[1], **answers}


def ranks(page: str) -> dict[str, str]:
    return dict.fromkeys(set(re.findall(r'name="(rank_\d+)"', page)), "1")


def candidates_of(page: str) -> list[str]:
    """The texts of the candidates on a page, without what was deleted from the source."""
    marked = re.findall(r'<p class="sentence"[^>]*>(.*?)</p>', page[page.index("candidates") :], re.DOTALL)
    unsaid = r"<del>.*?</del>|<small.*?</small>|<[^>]+>"
    return [html.unescape(re.sub(unsaid, "", text)).strip() for text in marked]


@pytest.mark.parametrize(
    ("source", "text", "expected"),
    [
        ("He go , home", "He go , home", 'He go , home <small class="note" lang="en">unchanged</small>'),
        ("one two six ten red sea", "a b c d e f", 'a b c d e f <small class="note" lang="en">rewritten</small>'),
        ("I recieve it", "I receive it", 'I <span class="edit"><del>recieve</del><ins>rec<b>ei</b>ve</ins></span> it'),
        ("Go , on", "Go on", 'Go<span class="gone"> <span class="edit slight"><del>,</del></span></span> on'),
        ("He g o", "He go", 'He <span class="edit"><del>g o</del><ins>go</ins></span>'),
        ("", "", ""),
    ],
)
def test_a_version_shows_its_edits_or_says_that_it_has_none_or_too_many(source, text, expected):
    shown = Template("{% load pages %}{% wording pieces %}").render(Context({"pieces": compare(source, text)}))
    assert shown == expected


def test_a_judge_begins_answers_and_goes_on(campaign, ada, judge_page):
    begun = judge_page.post(reverse("begin", args=[campaign.slug])).url
    assignment, before = Assignment.objects.get(judge=ada), list(Assignment.objects.values())
    page = judge_page.get(begun).content.decode()
    assert candidates_of(page) == [slot.candidate.text for slot in shown_slots(assignment)]
    assert f'class="sentence source" dir="auto">{assignment.screen.segment.text}</p>' in page
    assert 'lang="en"' in page
    judge_page.get(reverse("campaign", args=[campaign.slug]))
    assert list(Assignment.objects.values()) == before, "looking changes nothing"
    again = judge_page.post(begun, filled(page, rank_1="2")).content.decode()
    assert "Give version B a rank." in again
    assert re.search(r'name="rank_1" value="2"[^>]*checked', again)
    assert not Judgment.objects.exists()
    for _ in range(2):  # sent twice, it is one judgment
        sent = judge_page.post(begun, filled(page, **ranks(page)))
        assert (sent.status_code, sent.url != begun) == (302, True)
        assert Judgment.objects.get().assignment == assignment


def test_of_a_document_the_sentence_asked_for_is_active(db, browser_of):
    ada = factory.judge(open_documents(2), "ada")
    page = claiming.on_one_page(claiming.claim_next(ada))
    client = browser_of(ada.user)
    for assignment in page:
        address = reverse("assignment", args=[assignment.pk])
        screens = client.post(address, {"key": uuid4()}).context["screens"]
        assert [screen["assignment"] for screen in screens] == page
        assert [screen["is_active"] for screen in screens] == [one == assignment for one in page]
        assert [bool(screen["form"].errors) for screen in screens] == [one == assignment for one in page]


def test_a_draft_is_kept_and_shown_again_until_the_campaign_closes(campaign, ada, judge_page):
    assignment = claiming.claim_next(ada)
    draft, address = (reverse(name, args=[assignment.pk]) for name in ("draft", "assignment"))
    nonsense = {"rank_1": "77", "rank_2": "1", "active": "-5", "skip": "x", "key": "y"}
    assert judge_page.post(draft, nonsense).json() == {"saved": 1}
    assert Draft.objects.get().answers == {"rank_2": "1"}
    assert judge_page.post(draft, {"rank_1": "2", "active": "12.5", "rank_9": "1"}).json() == {"saved": 1}
    page = judge_page.get(address).content.decode()
    assert re.search(r'name="rank_1" value="2"[^>]*checked', page)
    assert 'name="active" value="12.5"' in page
    states.close_campaign(campaign)
    refused = judge_page.post(draft, {"rank_1": "2"})
    assert (refused.status_code, "it accepts no more answers" in refused.json()["message"]) == (409, True)
    answer = judge_page.post(address, filled(page, **ranks(page)), follow=True)
    assert "it accepts no more answers" in answer.content.decode()
    assert not Judgment.objects.exists()


def test_an_answered_screen_shows_the_answer_and_takes_a_better_one(campaign, ada, judge_page):
    assignment = claiming.claim_next(ada)
    factory.answer(assignment)
    address = reverse("assignment", args=[assignment.pk])
    given = judge_page.get(reverse("answers", args=[campaign.slug])).content.decode()
    assert address in given
    assert re.search(r">A \d, B \d", given)
    page = judge_page.get(address).content.decode()
    assert len(re.findall(r'name="rank_\d+" value="\d"[^>]*checked', page)) == len(shown_slots(assignment))
    judge_page.post(address, filled(page, **ranks(page), comment="=two sentences?", flagged="on"))
    assert Judgment.objects.current().get(assignment=assignment).revision == 2
    row = next(csv.DictReader("".join(EXPORTS["judgments.csv"].write(campaign, ExportOptions())).splitlines()))
    assert (row["flagged"], row["comment"]) == ("yes", "'=two sentences?")
    page = judge_page.get(address).content.decode()
    assert "two sentences?</textarea>" in page
    judge_page.post(address, filled(page, skip="1", skip_reason="cannot tell"))
    assert Judgment.objects.current().get(assignment=assignment).skip_reason == "cannot tell"


@pytest.mark.wide
def test_a_judge_never_learns_who_made_what(db, browser_of):
    """Every answer of a whole session, headers and addresses included."""
    names = {"source": "Oriole", "Heron": "Heron", "Wren": "Wren", "Magpie": "Magpie"}
    texts = {names[name]: lines for name, lines in {"source": factory.SOURCE, **factory.SYSTEMS}.items()}
    texts["Bittern"] = [f"{line} again ." for line in factory.SOURCE]
    roles = Roles(source="Oriole", source_takes_part=True, controls=frozenset({"Bittern"}))
    campaign = factory.open_campaign(texts, roles, control_share=1.0, batch_size=6, repeat_share=0.34)
    ada = factory.judge(campaign, "ada")
    client = browser_of(ada.user)
    addresses = [reverse(name, args=[campaign.slug]) for name in ("campaign", "begin", "thanks", "answers")]
    replies = [client.get("/"), client.get(addresses[0]), client.post(addresses[1])]
    seen: list[str] = []
    while "/assignments/" in replies[-1].url:
        address = replies[-1].url
        seen.append(address)
        replies.append(client.get(address))
        page = replies[-1].content.decode()
        replies.append(client.post(f"{address}draft/", ranks(page)))
        replies.append(client.post(f"{address}next/"))
        answers = filled(page, **ranks(page))
        replies.append(client.post(address, answers, headers={"accept": "application/json"}))
        replies.append(client.post(addresses[1]))
        if "/assignments/" not in replies[-1].url:
            replies += [client.get(addresses[2]), client.post(addresses[1])]
    replies += [client.get(address) for address in [*addresses[2:], *seen]]
    assert len(seen) == Assignment.objects.filter(judge=ada).count() > 6
    secrets = [*texts, "control", "repeat"]
    for answer in replies:
        content = answer.content.decode() + str(answer.headers)
        assert not [secret for secret in secrets if secret in content]


def test_neither_the_number_of_an_assignment_nor_its_screen_tells_a_repeat(db, browser_of):
    """Numbers stand in addresses; in each round they grow from place to place, repeat or not."""
    campaign = factory.open_campaign(batch_size=6, repeat_share=0.34)
    assert Assignment.objects.exclude(repeats=None).exists()
    for batch, number in set(Assignment.objects.filter(campaign=campaign).values_list("batch", "round")):
        in_order = Assignment.objects.filter(batch=batch, round=number).order_by("position")
        assignments = in_order.values_list("pk", flat=True)
        assert list(assignments) == list(range(assignments[0], assignments[0] + len(assignments)))
    ada = factory.judge(campaign, "ada")
    assignments = []
    while assignment := claiming.claim_next(ada):
        assignments.append(assignment)
        Assignment.objects.filter(pk=assignment.pk).update(submitted_at=timezone.now())
    Assignment.objects.update(submitted_at=None)
    repeat = next(assignment for assignment in assignments if assignment.repeats)
    Assignment.objects.filter(pk=repeat.pk).update(order=repeat.repeats.order)
    client = browser_of(ada.user)
    addresses = [reverse("assignment", args=[assignment.pk]) for assignment in (repeat, repeat.repeats)]
    shown = [client.get(address).content.decode() for address in addresses]
    one, other = (
        re.sub(r'<span class="place">.*?</header>|<p class="faded">.*?</p>', "", page, flags=re.DOTALL)
        for page in shown
    )
    assert bare(one) == bare(other)


def bare(page: str) -> str:
    """A screen without what is its own by chance: the keys of its forms, its address and its place in the batch."""
    return re.sub(
        r'(value="[^"]{20,}"|(data-judge|name="judge" value)="[^"]*")|/(assignments|join|campaigns)/[^/"]+/|\d+ of \d+',
        "",
        page,
    )


def test_a_screen_holds_no_number_of_the_database(db, browser_of):
    """The same campaign a second time has other numbers, and its screens say the same."""
    shown = []
    for number in range(2):
        judge = factory.judge(factory.open_campaign(seed=3), f"judge {number}")
        assignment = claiming.claim_next(judge)
        shown.append(browser_of(judge.user).get(reverse("assignment", args=[assignment.pk])).content.decode())
    assert bare(shown[0]) == bare(shown[1])


def test_an_invitation_lets_in_with_one_click_and_without_a_password(campaign):
    (invitation,) = invitations.invite(campaign, ["dan"])
    client, address = Client(), reverse("join", args=[invitation.token])
    assert "dan" in client.get(address).content.decode()
    assert not Membership.objects.filter(pseudonym="dan").exists()
    for browser in (client, client, Client()):  # a second press, and another machine
        assert browser.post(address).url == reverse("campaign", args=[campaign.slug])
        assert Membership.objects.get(pseudonym="dan").role == Membership.Role.JUDGE


@pytest.mark.parametrize("who", ["olga", "ada", "zoe"])
def test_a_link_never_leads_to_the_account_of_somebody_else(campaign, who, request, browser_of):
    """An organiser who tries a judge's link must not turn it into a key to their account."""
    (invitation,) = invitations.invite(campaign, ["dan"])
    person = request.getfixturevalue(who)
    user = getattr(person, "user", person)
    client = browser_of(user)
    address = reverse("join", args=[invitation.token])
    assert f"signs {user.username} out of this browser" in client.get(address).content.decode()
    client.post(address)
    stranger = Client()
    stranger.post(address)
    assert int(stranger.session["_auth_user_id"]) == Membership.objects.get(pseudonym="dan").user_id != user.pk
    assert stranger.get(reverse("organise", args=[campaign.slug])).status_code == 403


def test_an_organiser_sees_progress_invites_closes_and_opens(campaign, olga, ada, browser_of):
    factory.answer_all(ada)
    client = browser_of(olga)
    for name, words in (("organise", "of 10 assignments judged"), ("material", "Heron"), ("judges", "ada")):
        page = client.get(reverse(name, args=[campaign.slug])).content.decode()
        assert (words in page, 'aria-current="page"' in page) == (True, True), name
        assert not re.search("<thead>(?:(?!</thead>).)*<button", page, re.DOTALL), "scripts make tables sortable"
    client.post(reverse("invite_judges", args=[campaign.slug]), {"names": "dan\n\n eve \ndan"})
    assert list(Invitation.objects.values_list("pseudonym", flat=True)) == ["dan", "eve"]
    for state in ("closed", "open"):
        client.post(reverse("change_state", args=[campaign.slug]), {"state": state})
        campaign.refresh_from_db()
        assert campaign.state == state


@pytest.mark.wide
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_link_on_the_pages_of_an_organiser_opens(protocol, db, browser_of):
    campaign = factory.open_verdicts() if protocol == "verdict" else factory.open_campaign(protocol=protocol)
    client = browser_of(factory.organiser(campaign, "olga"))
    factory.judge_batch(factory.judge(campaign, "ada"))
    seen, waiting = set(), {reverse("organise", args=[campaign.slug])}
    while waiting:
        address = waiting.pop()
        answer = client.get(address, follow=True)
        assert answer.status_code == 200, address
        seen.add(address)
        if answer["Content-Type"].startswith("text/html"):
            links = re.findall(rf'href="(/campaigns/{campaign.slug}/[^"#]*)"', answer.content.decode())
            waiting |= {html.unescape(link) for link in links} - seen
    assert reverse("settings", args=[campaign.slug]) in seen


@pytest.mark.parametrize(
    ("name", "message"),
    [
        *((wrong, "Nothing was changed: the judge&#x27;s name") for wrong in ("x" * 81, "b\u200bn", "\u202ename")),
        ("ada", "There is already a member called ada"),
    ],
)
def test_a_name_that_cannot_be_or_is_taken_is_reported(campaign, olga, ada, browser_of, name, message):
    address = reverse("invite_judges", args=[campaign.slug])
    assert message in browser_of(olga).post(address, {"names": name}, follow=True).content.decode()
    assert not Invitation.objects.exists()


def test_pages_carry_a_strict_policy_and_are_not_kept_where_others_may_find_them(campaign, ada, judge_page):
    """They hold the judge's own link; and Back shows what is true now."""
    for name in ("campaign", "thanks", "answers"):
        headers = judge_page.get(reverse(name, args=[campaign.slug])).headers
        assert {"no-store", "private"} <= set(re.split(", *", headers["Cache-Control"]))
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert "unsafe" not in headers["Content-Security-Policy"]
