"""Teams of a shared task: they hand in outputs by a link until a deadline, and the organiser accepts them."""

import hashlib
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from judgments.archive import deleting
from judgments.assignment import claiming
from judgments.campaigns import settings, states
from judgments.jobs.attempts import run_now
from judgments.material import teams, uploads
from judgments.material.rules.reading import Roles
from judgments.material.systems import change
from judgments.models import Campaign, JournalEntry, Submission, System, SystemOutput, Team, Upload
from judgments.models.members import new_token
from judgments.rules.errors import Refused
from judgments.rules.files.problems import Problems
from judgments.rules.files.text_files import UploadedFile
from tests import factory, hostile
from tests.hostile import SCRIPT

HERON, WREN, MAGPIE = factory.SYSTEMS.values()
NEXT_YEAR = f"{timezone.now().year + 1}-01-01T00:00"
SPACED = ["One .", "Two .", "", "Three ."]


@pytest.fixture
def task(db, no_worker) -> Campaign:
    """A shared task: its source is there, its systems are yet to come."""
    return factory.make_campaign({"source": factory.SOURCE})


@pytest.fixture
def oscar(task) -> User:
    return factory.organiser(task, "oscar")


@pytest.fixture
def amu(task) -> Team:
    return factory.team(task, "AMU")


@pytest.fixture
def camb(task) -> Team:
    return factory.team(task, "CAMB")


def seen(answer: HttpResponse) -> str:
    return " ".join(hostile.seen(answer).split())


def text(lines: list[str]) -> bytes:
    return ("\n".join(lines) + "\n").encode()


def hand_in(team: Team, system: str = "baseline", lines: list[str] = HERON) -> Submission:
    return teams.hand_in(team, system, UploadedFile("mine.txt", text(lines)))


def end(team: Team) -> Team:
    """The deadline was a second ago."""
    Team.objects.filter(pk=team.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    team.refresh_from_db()
    return team


def post(team: Team, content: bytes, system: str = "baseline", name: str = "mine.txt") -> str:
    """The page that a team sees after it sent a file."""
    fields = {"system": system, "file": SimpleUploadedFile(name, content)}
    return seen(Client().post(reverse("team", args=[team.token]), fields, follow=True))


def store(upload: Upload) -> Upload:
    """What an organiser does after the preview."""
    run_now(upload)
    upload.refresh_from_db()
    uploads.request_storing(upload, upload.request_number)
    run_now(upload)
    upload.refresh_from_db()
    return upload


def accept(campaign: Campaign, *chosen: Submission) -> Upload:
    return store(teams.accept(campaign, User.objects.get(username="oscar"), [one.pk for one in chosen]))


# Handing in


def test_a_broken_file_three_times_then_a_good_one_then_a_better_one_then_too_late(amu):
    assert "mine.txt: has 4 lines where the campaign has 5; every file needs one line per sentence" in post(
        amu, text(HERON[:4])
    )
    assert "mine.txt, line 2: byte 4 of the line (0xe9) is not UTF-8; save the file as UTF-8" in post(
        amu, "He goes .\nCafé .\nI like .\nWe .\nIt .\n".encode("latin-1")
    )
    assert "mine.zip is a ZIP archive or an office document. Hand in the text file" in post(
        amu, b"PK\x03\x04\x14", name="mine.zip"
    )
    page = post(amu, text(["", *HERON[1:3], "", HERON[4]]))
    assert "mine.txt, line 1: the line is empty; if the system changes nothing here, repeat the source" in page
    assert "mine.txt, line 4: the line is empty" in page
    assert not Submission.objects.exists()
    assert "baseline, version 1, was received" in post(amu, text(HERON))
    assert "baseline, version 2, was received" in post(amu, text(WREN))
    end(amu)
    assert "The deadline has passed, or the link was revoked; nothing was stored" in post(amu, text(HERON))
    (kept,) = Submission.objects.all()
    assert (bytes(kept.content), kept.version, kept.changed) == (text(WREN), 2, 2)


def test_a_receipt_says_what_was_received_and_stays_after_the_deadline_while_the_form_goes(amu):
    page = post(amu, text(HERON))
    (kept,) = Submission.objects.all()
    size, digest = len(text(HERON)), hashlib.sha256(text(HERON)).hexdigest()
    assert f"5 lines, {size} bytes; 5 of 5 sentences differ from the source" in page
    for part in ("AMU", "baseline , version 1", digest, kept.code):
        assert part in page
    before = kept.code
    assert before not in post(amu, text(WREN)), "a new file has a new receipt"
    kept.refresh_from_db()
    page = Client().get(reverse("team", args=[end(amu).token]))
    assert "Check and hand in" not in page.content.decode()
    assert kept.code in seen(page)
    assert kept.sha256 in seen(page)


def test_a_deadline_can_be_extended_and_is_checked_again_when_the_file_is_stored(task, amu, monkeypatch):
    """A file that took its time to be checked is late."""
    token = end(amu).token
    assert factory.team(task, "AMU").token == token
    amu.refresh_from_db()
    assert hand_in(amu).version == 1
    teams.invite(task, ["amu"], timezone.now() + timedelta(days=9))
    assert Team.objects.count() == 1, "names of teams differ by more than their case"
    read = teams.read_files

    def slowly(*given):
        end(Team.objects.get(pk=amu.pk))
        return read(*given)

    monkeypatch.setattr(teams, "read_files", slowly)
    with pytest.raises(Refused, match="deadline has passed"):
        hand_in(amu)
    assert Submission.objects.get().version == 1


def test_a_revoked_link_leads_nowhere_until_the_team_is_invited_again(task, oscar, amu, browser_of):
    kept = hand_in(amu)
    answer = browser_of(oscar).post(reverse("revoke_link", args=[task.slug]), {"token": amu.token}, follow=True)
    assert "The link was revoked. Everything received through it stays." in seen(answer)
    assert "AMU revoked" in seen(answer)
    amu.refresh_from_db()
    assert Client().get(reverse("team", args=[amu.token])).status_code == 404
    with pytest.raises(Refused, match="revoked"):
        hand_in(amu)
    again = factory.team(task, "AMU")
    assert again.token != amu.token
    assert kept.code in seen(Client().get(reverse("team", args=[again.token])))


def test_the_page_says_what_is_wanted_and_gives_the_source_with_its_blank_lines(db):
    team = factory.team(factory.make_campaign({"source": SPACED}), "AMU")
    client = Client()
    page = seen(client.get(reverse("team", args=[team.token])))
    assert "4 lines : 3 sentences in 2 documents, and the blank lines of the source between them" in page
    assert "One ." in page
    answer = client.get(reverse("team_source", args=[team.token]))
    assert answer.content == text(SPACED)
    assert "attachment" in answer.headers["Content-Disposition"]
    assert hand_in(team, lines=answer.content.decode().splitlines()).changed == 0, "the source fits itself"
    with pytest.raises(Problems, match="has 3 lines where the campaign has 4"):
        hand_in(team, lines=[line for line in SPACED if line])


def test_systems_and_files_have_a_limit_and_a_name_in_another_case_is_the_same_system(amu, monkeypatch):
    monkeypatch.setattr(teams, "MOST_SYSTEMS", 1)
    hand_in(amu, "One")
    assert hand_in(amu, "one", WREN).version == 2
    with pytest.raises(Refused, match="Replace the file of one"):
        hand_in(amu, "two")
    assert Submission.objects.count() == 1
    monkeypatch.setattr(teams, "MOST_AN_HOUR", 3)
    with pytest.raises(Refused, match="within this hour"):
        hand_in(amu, "one")


def test_a_file_that_is_too_large_or_for_a_closed_campaign_is_refused(task, amu, monkeypatch):
    Campaign.objects.filter(pk=task.pk).update(state=Campaign.State.CLOSED)
    assert "The campaign is closed; nothing was stored" in post(amu, text(HERON))
    Campaign.objects.filter(pk=task.pk).update(state=task.state)
    monkeypatch.setattr(teams, "MOST_BYTES", len(text(HERON)) - 1)
    assert "The file is larger than" in post(amu, text(HERON))
    monkeypatch.setattr("judgments.rules.request_sizes.OVERHEAD", 0)  # now the request is refused before it is read
    assert "The file is larger than" in post(amu, text(HERON))
    assert not Submission.objects.exists()


@pytest.mark.postgresql
@pytest.mark.parametrize(
    "name",
    [
        SCRIPT,
        "../x",
        "a b",
        "INPUT",
        "x.m2",
        "documents.tsv",
        "mine.txt",
        "AMU.md",
        "source.md",
        "gold.m2.md",
        "x\0y",
        "=1+1",
        "",
    ],
)
def test_a_hostile_name_is_no_system(name, amu):
    page = post(amu, text(HERON), name)
    assert not Submission.objects.exists()
    assert any(word in page for word in ("Choose", "required", "Null characters"))


def test_the_name_of_the_file_gives_it_no_role(amu):
    for number, name in enumerate(("documents.tsv", "x.m2", "source.txt", "x.zip", f"{SCRIPT}.txt")):
        assert "was received" in post(amu, text(HERON), f"s{number}", name)


# Nothing of others


def test_a_team_sees_nothing_of_others_and_a_guessed_link_is_answered_like_a_revoked_one(amu, camb):
    kept = hand_in(amu, "secret-system")
    assert "was received" in post(camb, text(WREN), "secret-system"), "not even that the name is taken"
    client = Client()
    assert kept.code not in client.get(reverse("team", args=[camb.token])).content.decode()
    assert "AMU" not in client.get(reverse("team", args=[camb.token])).content.decode()
    assert bytes(Submission.objects.get(pk=kept.pk).content) == text(HERON), "each has a file of its own"
    amu.revoke()
    answers = [Client().get(reverse("team", args=[token])) for token in (amu.token, new_token())]
    assert {answer.status_code for answer in answers} == {404}
    assert seen(answers[0]) == seen(answers[1])


# Accepting


def test_accepted_submissions_become_systems_by_the_known_preview(task, oscar, amu, camb, browser_of):
    first, second = hand_in(amu, "one"), hand_in(camb, "two", WREN)
    client = browser_of(oscar)
    chosen = {"chosen": [first.pk, second.pk]}
    answer = client.post(reverse("accept_submissions", args=[task.slug]), chosen)
    upload = Upload.objects.get()
    assert answer.url == upload.get_absolute_url()
    assert not System.objects.filter(name="one").exists()
    run_now(upload)
    assert "Store 2 systems with 5 sentences" in client.get(answer.url).content.decode()
    store(upload)
    stored = SystemOutput.objects.filter(system__name="two").order_by("segment__position")
    assert [output.text for output in stored] == WREN
    assert System.objects.get(name="one").takes_part
    page = seen(client.get(reverse("submissions", args=[task.slug])))
    assert "stored as one" in page


@pytest.mark.postgresql
def test_teams_with_the_same_name_of_a_system_are_told_apart_also_from_what_is_stored(task, oscar, amu, camb):
    accept(task, hand_in(amu), hand_in(camb, "Baseline", WREN))
    both = {"source", "AMU-baseline", "CAMB-Baseline"}
    assert set(System.objects.judged().values_list("name", flat=True)) == both
    accept(task, hand_in(amu, "other"))
    accept(task, hand_in(camb, "other", WREN))
    assert set(System.objects.judged().values_list("name", flat=True)) == both | {"other", "CAMB-other"}


def test_no_team_replaces_the_outputs_of_another_whatever_it_calls_its_own(task, oscar, amu, camb, browser_of):
    accept(task, hand_in(camb, "AMU-baseline", WREN))
    accept(task, hand_in(camb, "baseline", WREN))
    with pytest.raises(Refused, match="baseline of AMU would be called AMU-baseline, as another system is"):
        accept(task, hand_in(amu))
    assert set(
        SystemOutput.objects.filter(system__name="AMU-baseline").values_list("candidate__text", flat=True)
    ) == set(WREN)
    hand_in(amu, "b\N{CYRILLIC SMALL LETTER A}seline")
    page = seen(browser_of(oscar).get(reverse("submissions", args=[task.slug])))
    assert page.count("name looks like") == 3


def test_outputs_are_replaced_by_a_later_file_unless_a_judge_has_seen_them(task, oscar, amu, browser_of):
    accept(task, hand_in(amu))
    later = hand_in(amu, lines=MAGPIE)
    page = reverse("submissions", args=[task.slug])
    assert "replaced since" in seen(browser_of(oscar).get(page))
    assert accept(task, later).taken["replaced"] == 5
    assert "replaced since" not in seen(browser_of(oscar).get(page))
    accept(task, hand_in(amu), hand_in(amu, "other", WREN))
    factory.assigning.assign(task)
    states.open_campaign(task)
    assert claiming.claim_next(factory.judge(task, "ada"))
    later = hand_in(amu, lines=MAGPIE)
    upload = accept(task, later)
    assert not upload.is_stored
    assert "judges have seen" in upload.error


def test_a_later_file_replaces_the_outputs_of_a_system_that_the_organiser_renamed(task, oscar, amu, browser_of):
    one = hand_in(amu, "one")
    upload = teams.accept(task, oscar, [one.pk])
    uploads.check_again(upload, Roles(names={one.file_name: "two"}))
    store(upload)
    page = reverse("submissions", args=[task.slug])
    assert "stored as two" in seen(browser_of(oscar).get(page))
    change(System.objects.get(name="two"), name="three")
    assert "stored as three" in seen(browser_of(oscar).get(page))
    assert accept(task, hand_in(amu, "one", WREN)).taken["replaced"]
    assert set(System.objects.judged().values_list("name", flat=True)) == {"source", "three"}


def test_the_organiser_is_warned_of_identical_files_and_of_the_source(task, oscar, amu, camb, browser_of):
    hand_in(amu, "one", HERON)
    hand_in(camb, "two", [f" {line}  " for line in HERON])
    hand_in(camb, "three", factory.SOURCE)
    hand_in(camb, "four", WREN)
    client = browser_of(oscar)
    page = seen(client.get(reverse("submissions", args=[task.slug])))
    assert "same outputs as CAMB two" in page
    assert "same outputs as AMU one" in page
    assert page.count("same outputs as") == 2
    assert page.count("equals the source") == 1
    three = Submission.objects.get(system="three")
    answer = client.get(reverse("submission_file", args=[task.slug, three.pk]))
    assert answer.content == text(factory.SOURCE)
    assert answer.headers["Content-Disposition"] == 'attachment; filename="CAMB-three.txt"'


def test_nothing_ticked_is_accepted_as_nothing(task, oscar, amu, browser_of):
    elsewhere = hand_in(factory.team(factory.make_campaign({"source": factory.SOURCE}), "AMU"))
    client = browser_of(oscar)
    for chosen in ([], [elsewhere.pk], ["x"]):
        answer = client.post(reverse("accept_submissions", args=[task.slug]), {"chosen": chosen}, follow=True)
        assert "Tick the submissions" in seen(answer)
    assert not Upload.objects.exists()


def test_the_organiser_invites_teams_with_a_deadline_in_a_time_zone(task, oscar, browser_of, monkeypatch):
    monkeypatch.setattr(timezone, "get_default_timezone", lambda: ZoneInfo("Europe/Warsaw"))
    year = timezone.now().year + 1
    client, page = browser_of(oscar), reverse("submissions", args=[task.slug])
    answer = client.post(page, {"names": "AMU\nCAMB, UFC", "deadline": f"{year}-07-01T23:59"}, follow=True)
    assert "Europe/Warsaw" in seen(answer)
    assert f"1 Jul {year} 23:59 CEST" in seen(answer)
    assert {team.expires_at.isoformat() for team in Team.objects.all()} == {f"{year}-07-01T21:59:00+00:00"}
    assert all(team.token in answer.content.decode() for team in Team.objects.all())
    assert "the team UFC" in JournalEntry.objects.filter(campaign=task).first().what


@pytest.mark.postgresql
@pytest.mark.parametrize(
    ("names", "deadline", "why"),
    [
        ("AMU", "2001-01-01T00:00", "deadline in the future"), ("AMU", "9999-12-31T23:59", "within the next ten years"),
        ("A team", NEXT_YEAR, "cannot name a system"), (SCRIPT, NEXT_YEAR, "cannot name a system"),
        ("AMU", "soon", "valid date"),
    ],
)  # fmt: skip
def test_an_invitation_that_makes_no_sense_is_refused(names, deadline, why, task, oscar, browser_of):
    given = {"names": names, "deadline": deadline}
    assert why in seen(browser_of(oscar).post(reverse("submissions", args=[task.slug]), given))
    assert not Team.objects.exists()


@pytest.mark.postgresql
def test_teams_need_a_source_and_a_protocol_with_outputs_and_go_with_their_campaign(db, task, amu):
    tomorrow = timezone.now() + timedelta(days=1)
    with pytest.raises(Refused, match="Upload the source"):
        teams.invite(settings.configure(Campaign(slug="empty", name="Empty")), ["AMU"], tomorrow)
    with pytest.raises(Refused, match="one sentence per line"):
        teams.invite(factory.make_verdicts(), ["AMU"], tomorrow)
    hand_in(amu)
    deleting.delete_campaign(task, task.slug)
    assert not Team.objects.exists()
    assert not Submission.objects.exists()


def test_pages_of_a_team_ask_a_fixed_number_of_questions(amu, django_assert_num_queries):
    for systems in (1, 5):
        for number in range(systems):
            hand_in(amu, f"system-{number}")
        with django_assert_num_queries(4):
            Client().get(reverse("team", args=[amu.token]))
