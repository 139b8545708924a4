"""Bad input in every form and address: each answer is a sentence, and nothing is stored by a refusal."""

from collections.abc import Iterator
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import get_resolver, resolve, reverse
from django.utils import timezone

from judgments.campaigns import settings as campaign_settings
from judgments.jobs import tasks
from judgments.judges import invitations
from judgments.models import System
from judgments.models.campaign import PLAN_SETTINGS, SETTINGS
from judgments.rules.texts.collapsing import fingerprint
from ranking.web.power import PowerForm
from tests import factory
from tests.hostile import (
    WORDS,
    Writes,
    ask,
    everything,
    gives_reason,
    is_no,
    misshapen,
    refused_fields,
    seen,
    with_each_wrong,
)
from tests.judgments.campaigns.test_access import ADDRESSES, OPEN_TO_ALL, addresses_of, people_of

KEY = str(uuid4())
RANKS = {"key": KEY, "active": "3", "skip": "", "comment": "", "skip_reason": "", "flagged": ""}
ANSWER = RANKS | {f"rank_{place}": str(place) for place in (1, 2, 3)}
ROLES = {"source_takes_part": "on", "empty_line": "output"}

REPORT = {
    "preset": "recommended", "methods": "", "unit": "", "replicates": "200", "level": "0.95", "clusters": "",
    "intervals": "", "delta": "", "weights": "", "test": "", "folds": "", "correlations": "",
    "judged_by": "", "answers": "", "seed": "1",
}  # fmt: skip

JUDGMENTS = {"format": "pairs-csv", "numbered_from": "1"}

# What a good body holds, for every address that takes one; a file stands for itself.
GOOD_BODIES: dict[str, dict] = {
    **{name: {} for name in (
        "begin", "differences", "next_assignment", "join", "join_shared", "prolific", "cancel_job",
        "cancel_scorings", "queue_job_again", "give_up_job", "discard_upload", "release_screens", "dismiss_alarm",
        "dismiss_program", "apply_rule", "remove_organiser", "withdraw_report",
        "withdraw_screens", "refresh_board",
        "sign_out", "first_account",
    )},
    **dict.fromkeys(("tutorial", "example", "assignment", "preview", "adjudicate", "draft"), ANSWER),
    "consent": {"shown": fingerprint("I agree.")},
    "questions": {"question_1": "0", "question_2": "1", "attempts": "0"},
    "new_campaign": {
        "name": "New", "slug": "brand-new", "protocol": "ranking", "preset_name": "recommended", "language": "en",
        "guidance": "pl",
    },
    "new_import": {"bundle": "", "slug": "copy"},
    "forget_judge": {"typed": "ada"},
    "forget_me": {"is_sure": "on"},
    "score_outputs": {"metrics": "m2", "others": ""},
    "change_state": {"state": "closed"},
    "use_corrections": {"to": "mytask"},
    **dict.fromkeys(("settings", "configure"), dict.fromkeys(SETTINGS, "")),
    "restore_guidance": {"language": "pl", "texts": ["instructions"]},
    "delete_campaign": {"typed": ""},
    "assign_screens": {"screens": "", "assigned_before": "1", "make_controls": ""} | dict.fromkeys(PLAN_SETTINGS, ""),
    **{name: {"name": "Heron", "kind": "system", "takes_part": "on"} for name in ("system", "change_system")},
    "new_upload": {"source_takes_part": "on", "texts": ""},
    "import_judgments": JUDGMENTS | {"file": ""},
    "check_judgments": JUDGMENTS,
    "check_upload": ROLES | {"kind_0": "system"},
    "store_upload": {"request_number": "1"},
    "team": {"system": "robin", "file": ""},
    "submissions": {"names": "CAMB, UFC", "deadline": f"{timezone.now().year + 1}-01-31T23:59"},
    "accept_submissions": {"chosen": ["1"]},
    "exclude_judge": {"reason": "too quick", "judged_again": "true"},
    "set_pause": {"is_paused": "on"},
    "send_message": {"message": "Slowly."},
    "close_message": {"message": "Slowly."},
    "include_judge": {"reason": "after all"},
    "set_quota": {"quota": "3"},
    "mark_expert": {"is_expert": "on"},
    "enrol_program": {"name": "robin"},
    "change_prompt": {"text": "Judge well."},
    "run_program": {
        "endpoint": "edit-distance", "model": "", "program": "robin", "most": "3", "most_cost": "", "price_in": "0",
        "price_out": "0", "probes": "0.1", "samples": "3", "temperature": "0", "seed": "17", "at_once": "4",
    },
    "invite_judges": {"names": "ada-two, ben@example.org", "days": "3"},
    "add_organiser": {"username": "zoe"},
    "invite_observers": {"names": "vera-two", "days": "3"},
    "mail_links": {"subject": "Come", "text": "Here: {link}", "test_to": "olga@example.org", "step": "send"},
    "share_link": {"most_judges": "3", "days": "3"},
    "revoke_link": {"token": "x"},
    "new_report": REPORT,
    "analysis_plan": REPORT | {"wanted": "9", "stopping": "when done"},
    "power": dict.fromkeys(("screens", *PLAN_SETTINGS, *PowerForm.assumed), ""),
    "resolution": {},
    "datasheet": {
        "words_1.1.2": "Table 3", "chosen_3.3.3.1": ["native", "manual"], "chosen_3.3.7": "own",
    },
    "publication": {"with_texts": "on"},
    "release_data": {
        "licence": "other", "own_licence": "Ask us.", "title": "", "description": "", "creators": "", "contact": "",
    },
    "remove_metric": {"name": "M2", "level": "system"},
    "metrics": {"columns": "", "files": ""},
    "sign_in": {"username": "ada", "password": "x", "next": "/"},
    "set_language": {"language": "pl", "next": "/"},
}  # fmt: skip
# Their answers change something although they lead nowhere: a wrong answer or password is an attempt.
MAY_STORE = {"questions", "tutorial", "example", "draft", "set_language", "sign_in"}
QUERIES = (
    "page", "part", "screens", "one", "other", "system", "opponent", "judge", "metric", "sort", "show", "format",
    "alarm", "cursor", "reference", "next", "seed", "screen_size", "with_names",
    "PROLIFIC_PID", "workerId", "assignmentId", "edition",
)  # fmt: skip
OF_A_DRAFT = ["settings", "assign_screens", "change_state", "delete_campaign", "system", "new_upload", "mail_links"]
SHARES = 6  # of the words each page gets one share in its address; neighbours get the others
FEW_ASSIGNMENTS = 1000  # what a test deals within a second
SLIPS = ["%00", str(2**63), str(10**30), str(2**31), "0", "%ED%A0%80", "%3Cscript%3E", "%2e%2e"]


@pytest.fixture(autouse=True)
def _mail_server(settings):
    settings.EMAIL_HOST = "mail.example.org"
    settings.DEFAULT_FROM_EMAIL = "site@example.org"


@pytest.fixture(scope="module")
def standing(lasting) -> dict[str, str]:
    """The addresses of one of everything, and whom tests sign in."""
    with lasting(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(tasks, "wake_worker", lambda queue: None)
        campaign = factory.open_campaign()
        olga = factory.organiser(campaign, "olga")
        ada, ben = (factory.judge(campaign, name) for name in ("ada", "ben"))
        people_of(campaign, olga, ada, ben, User.objects.create_user("zoe"))
        addresses = addresses_of(campaign, ada, olga)
        invitations.invite(campaign, ["carl@example.org"])
    return addresses | {name: reverse(name) for name in OPEN_TO_ALL}


@pytest.fixture
def places(standing, db, no_worker) -> dict[str, str]:
    return standing


@pytest.fixture
def olga(places) -> User:
    return User.objects.get(username="olga")


@pytest.fixture
def client_of(places, browser_of):
    """A client that may use the address: a judge for the pages of judges, the organiser for the rest."""
    clients = {name: browser_of(User.objects.get(username=name)) for name in ("olga", "ada", "operator")}

    def client_for(name: str) -> Client:
        for person in ("olga", "ada", "operator"):
            answers = [ADDRESSES[name, verb] for verb in ("post", "get") if (name, verb) in ADDRESSES]
            if not answers or answers[0][person] not in (403, 404):
                return clients[person]
        return clients["operator"]

    return client_for


class Attack:
    """Bad bodies sent to one address, each to the same state of the database, and the faults of the answers."""

    def __init__(self, client: Client, name: str, address: str):
        self.client, self.name, self.address = client, name, address
        self.before = everything()
        self.found: list[str] = []

    def send(self, what: str, body: dict | bytes, **kwargs: str) -> HttpResponse | str:
        """Send a body, fields or bytes with their type, note the faults of the answer and return it."""
        writes = Writes()
        asked = ("post", self.address) if isinstance(body, dict) else ("generic", "POST", self.address)
        with transaction.atomic(), connection.execute_wrapper(writes):
            answer = ask(self.client, *asked, body, **kwargs)
            self.found += [f"{what}: {wrong}" for wrong in self._wrong_with(answer, writes.seen)]
            transaction.set_rollback(True)
        return answer

    def _wrong_with(self, answer: HttpResponse | str, written: bool) -> Iterator[str]:
        if isinstance(answer, str):
            yield answer
            return
        if answer.status_code >= 500:
            yield str(answer.status_code)
        elif is_no(answer):
            if not gives_reason(answer):
                yield f"{answer.status_code} without a sentence: {seen(answer)[:200]!r}"
            if self.name not in MAY_STORE and written and everything() != self.before:
                yield "refused, and yet something was stored"


def complaints(client: Client, name: str, address: str, good: dict) -> list[str]:
    """The faults of the answers to bodies with all fields wrong, and with one.

    A field that was refused for its own word when all were wrong is refused alike when the others are good.
    """
    attack = Attack(client, name, address)
    for number, (what, word) in enumerate(WORDS.items()):
        refused = refused_fields(attack.send(f"everything: {what}", dict.fromkeys(good, word)))
        for field, body in with_each_wrong(good, word, number):
            if field not in refused:
                attack.send(f"{field}: {what}", body)
    for what, body in misshapen(good):
        attack.send(what, body)
    return attack.found


@pytest.mark.wide
def test_every_address_that_takes_a_body_is_attacked(places, client_of):
    assert {name for name in get_resolver().reverse_dict if isinstance(name, str)} <= places.keys()
    takes = set()
    for name in [name for name in places if not name.startswith("api_")]:
        with transaction.atomic():
            if client_of(name).post(places[name]).status_code != 405:
                takes.add(name)
            transaction.set_rollback(True)
    assert takes - {"healthz"} == GOOD_BODIES.keys()


@pytest.mark.long
@pytest.mark.parametrize("name", GOOD_BODIES)
def test_bad_words_in_a_form_are_answered_with_a_sentence(name, places, client_of):
    found = complaints(client_of(name), name, places[name], GOOD_BODIES[name])
    assert not found, "\n".join(found)


@pytest.mark.long
@pytest.mark.parametrize("name", OF_A_DRAFT)
def test_bad_words_before_anything_is_assigned(name, db, olga, browser_of, no_worker, monkeypatch):
    monkeypatch.setattr("judgments.assignment.planning.MOST_ASSIGNMENTS_AT_ONCE", FEW_ASSIGNMENTS)
    monkeypatch.setattr("judgments.assignment.planning.MOST_ASSIGNMENTS_PLANNED", FEW_ASSIGNMENTS)
    campaign = factory.make_campaign(design="sampled")
    campaign_settings.make_organiser(campaign, olga.username)
    invitations.invite(campaign, ["carl@example.org"])
    plan = {name: str(getattr(campaign, name)) for name in PLAN_SETTINGS if getattr(campaign, name) is not False}
    good = {
        "settings": {field: str(getattr(campaign, field) or "") for field in SETTINGS},
        "assign_screens": {"screens": "3"} | plan,
        "delete_campaign": {"typed": campaign.slug},
    }.get(name, GOOD_BODIES[name])
    of_systems = [System.objects.filter(campaign=campaign, name="Heron").get().pk] if name == "system" else []
    found = complaints(browser_of(olga), name, reverse(name, args=[campaign.slug, *of_systems]), good)
    assert not found, "\n".join(found)


BOUNDARY = "multipart/form-data; boundary=x"
PART = b'--x\r\nContent-Disposition: form-data; name="%s"%s\r\n\r\n%s\r\n'
BODIES = {
    "JSON": (b'{"name": "x"}', "application/json"),
    "JSON that is a list": (b"[1, 2]", "application/json"),
    "no type": (b"name=x", ""),
    "an unknown type": (b"name=x", "image/png"),
    "a type of nonsense": (b"name=x", "\"/;;=\x7f"),
    "an unknown charset": (b"name=x", "application/x-www-form-urlencoded; charset=nonsense"),
    "bytes that are no text": (b"name=\xff\xfe&slug=%ED%A0%80&text=%00", "application/x-www-form-urlencoded"),
    "percent signs": (b"%%%=%&%zz=%u0041&=&&==", "application/x-www-form-urlencoded"),
    "thousands of fields": (b"&".join(b"f%d=1" % n for n in range(5000)), "application/x-www-form-urlencoded"),
    "a body that is too long": (b"name=" + b"x" * 3 * 2**20, "application/x-www-form-urlencoded"),
    "multipart without a boundary": (b"x", "multipart/form-data"),
    "multipart with a boundary of nonsense": (b"x", "multipart/form-data; boundary=" + "\u00ff" * 300),
    "multipart that is nonsense": (b"\0\xff" * 1000, BOUNDARY),
    "multipart that ends early": (b'--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nab', BOUNDARY),
    "multipart with a header that is too long": (b"--x\r\n" + b"A" * 10_000 + b": b\r\n\r\nab\r\n--x--", BOUNDARY),
    "multipart with thousands of fields": (PART % (b"a", b"", b"b") * 2000 + b"--x--", BOUNDARY),
    "multipart with thousands of files": (PART % (b"a", b'; filename="b"', b"c") * 2000 + b"--x--", BOUNDARY),
    "multipart in an unknown charset": (PART % (b"a", b"; filename*=nonsense''%41", b"c") + b"--x--", BOUNDARY),
    "multipart in no charset": (PART % (b"a", b"; filename*=zlib''%41", b"c") + b"--x--", BOUNDARY),
    "multipart with a name that is no text": (
        PART % (b"texts", b"; filename*=utf-8''%ED%A0%80%00", b"c") + b"--x--", BOUNDARY,
    ),
    "multipart with bad base64": (
        b'--x\r\nContent-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: base64\r\n\r\n!\r\n--x--',
        BOUNDARY,
    ),
    "files for fields": (
        b"".join(PART % (name, b'; filename="f"', b"c") for name in (b"name", b"state", b"key")) + b"--x--", BOUNDARY,
    ),
}  # fmt: skip


@pytest.mark.long
def test_bodies_that_are_no_forms_are_answered_with_a_sentence(places, client_of):
    found = []
    for name in GOOD_BODIES:
        attack = Attack(client_of(name), name, places[name])
        for what, (body, content_type) in BODIES.items():
            attack.send(what, body, content_type=content_type)
        found += [f"{name}: {fault}" for fault in attack.found]
    assert not found, "\n".join(found)


@pytest.mark.wide
def test_the_wrong_verb_is_answered_with_a_sentence(places, client_of):
    found = []
    for name, address in places.items():
        for verb in ("get", "put", "delete", "patch", "trace"):
            if name.startswith("api_") or (verb == "get" and (name, "get") in ADDRESSES):
                continue
            answer = ask(client_of(name), verb, address)
            if isinstance(answer, str) or answer.status_code >= 500:
                found.append(f"{name} {verb}: {answer}")
            elif answer.status_code >= 400 and not gives_reason(answer):
                found.append(f"{name} {verb}: {answer.status_code}, {answer.content[:80]!r}")
    assert not found, "\n".join(found)


@pytest.mark.long
def test_bad_query_strings_are_answered(places, client_of):
    found = []
    pages = [name for name, verb in ADDRESSES if verb == "get" and not name.startswith("api_")]
    for number, name in enumerate(pages):
        client = client_of(name)
        for what, word in list(WORDS.items())[number % SHARES :: SHARES]:
            words = word[:4000]  # what servers take in an address
            with transaction.atomic():
                answer = ask(client, "get", places[name], dict.fromkeys(QUERIES, words))
                if isinstance(answer, str) or answer.status_code >= 500:
                    found.append(f"{name}: {what}: {answer}")
                elif answer.status_code >= 400 and not gives_reason(answer):
                    found.append(f"{name}: {what}: {answer.status_code} without a sentence")
                transaction.set_rollback(True)
    assert not found, "\n".join(found)


@pytest.mark.wide
@pytest.mark.parametrize("slip", SLIPS[:2] + [pytest.param(slip, marks=pytest.mark.long) for slip in SLIPS[2:]])
def test_bad_places_in_addresses_are_not_found(slip, places, client_of):
    found = []
    for name, address in places.items():
        named = {str(value) for value in resolve(address).kwargs.values()}
        client = client_of(name)
        for place, piece in enumerate(address.split("/")):
            if piece not in named:
                continue
            path = address.split("/")
            path[place] = slip
            for verb in [verb for known, verb in ADDRESSES if known == name]:
                with transaction.atomic():
                    answer = ask(client, verb, "/".join(path))
                    transaction.set_rollback(True)
                if isinstance(answer, str) or answer.status_code >= 500:
                    found.append(f"{verb} {'/'.join(path)}: {answer}")
    assert not found, "\n".join(found)


@pytest.mark.parametrize("session", ['"\\000aaaaaaaaaaaaaaaaaaaa"', "x" * 5000, "'; --" * 5])
def test_a_bad_session_is_no_session(session, db):
    client = Client(HTTP_COOKIE=f"sessionid={session}; messages={session}; django_language={session}")
    answer = client.get(reverse("home"))
    assert answer.status_code == 302
    assert client.get(answer.url).status_code == 200


@pytest.mark.parametrize("length", ["-1", "abc", ""])
def test_an_invalid_length_gets_an_answer(length, places, client_of):
    answer = client_of("new_upload").post(places["new_upload"], CONTENT_LENGTH=length)
    assert answer.status_code in (200, 400)
    assert gives_reason(answer)
