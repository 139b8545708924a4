"""Reports for programs: the verbs, the access and the bytes of the pages; refusals in sentences with places."""

from base64 import b64encode
from urllib.parse import urlencode
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from judgments.api.base.once import KEPT_FOR
from judgments.api.base.rates import Rate
from judgments.assignment import claiming
from judgments.jobs.attempts import run_now
from judgments.judges import programs
from judgments.models import Job, Membership, StoredResponse
from ranking.models import Report
from ranking.reports import building, downloads
from ranking.reports.kinds.kind import answer_of, parameters_of
from ranking.stats.comparisons.study import PRESETS
from tests import factory
from tests.program import Program, refused
from tests.ranking.reports.test_reports import QUICK, made

FAST = {"replicates": 200}


@pytest.fixture
def queued(no_worker, monkeypatch) -> list[str]:
    """What was queued, at once: the transaction of a test is never committed."""
    monkeypatch.setattr("judgments.jobs.tasks.transaction.on_commit", lambda call: call())
    return no_worker


@pytest.fixture
def program(olga) -> Program:
    return Program(programs.token_of("olga"))


@pytest.fixture
def address(campaign, ada) -> str:
    factory.answer(claiming.claim_next(ada))
    return reverse("api_reports", args=[campaign.slug])


@pytest.mark.wide
def test_a_program_asks_follows_and_takes_along(campaign, ada, program, address, queued, browser_of, olga):
    factory.answer_all(ada)
    answer = program.post(address, {"preset": "recommended", "methods": ["expected-wins"], **FAST})
    assert answer.status_code == 201
    body = answer.json()
    report = Report.objects.get()
    assert (report.requested_by, report.preset) == (olga, "recommended")
    assert parameters_of(report) == QUICK.with_changes(methods=["expected-wins"])
    assert queued == ["long"]
    assert answer["Location"] == body["url"] == f"http://127.0.0.1:8000/api/reports/{report.pk}/"
    assert (body["id"], body["state"], body["progress"], body["files"]) == (report.pk, "queued", 0, [])
    assert body["answer"] is None
    assert body["parameters"]["replicates"] == 200

    run_now(report)
    body = program.get(body["url"]).json()
    report.refresh_from_db()
    assert (body["state"], body["progress"], body["judgments"], body["stale"]) == ("done", 1, 5, False)
    assert body["signature"] == report.signature
    said = answer_of(report, downloads.tables_of(report))
    assert (body["answer"]["sentence"], body["answer"]["facts"]) == (said.sentence, list(said.facts))
    assert body["answer"]["may_not_say"] == list(said.may_not_say) != []
    assert (body["campaign"], body["error"], body["gaps"]) == (campaign.slug, "", report.gaps)
    assert body["exclusion"] == report.exclusion != {}

    browser = browser_of(olga)
    files = {file["name"]: file["url"] for file in body["files"]}
    named = {"standings.csv", "report.json", "signature.txt", "head_to_head.svg", "files.zip", "bundle.zip"}
    assert named <= files.keys()
    for name, url in files.items():
        page = f"/reports/{report.pk}/{name}"
        ours, theirs = program.get(url), browser.get(page)
        assert ours.status_code == 200
        assert ours.content == theirs.content
        for header in ("Content-Type", "Content-Disposition"):
            assert ours[header] == theirs[header]
    assert program.get(f"/api/reports/{report.pk}/files/standings.md").content.startswith(b"| method |")


def test_every_choice_can_be_made_otherwise_and_none_is_the_recommended_preset(program, address, queued):
    choices = {"methods": ["bradley-terry"], "unit": "judge", "replicates": 200, "level": 0.9, "seed": 17,
               "clusters": "all-later", "test": "sign", "folds": "none"}  # fmt: skip
    assert program.post(address, {"preset": "grundkiewicz2015", **choices}).status_code == 201
    assert parameters_of(Report.objects.get()) == PRESETS["grundkiewicz2015"].with_changes(**choices)
    Report.objects.all().delete()
    for body in ("", "{}"):
        assert program.post(address, body).status_code == 201
    recommended = {("recommended", PRESETS["recommended"])}
    assert {(report.preset, parameters_of(report)) for report in Report.objects.all()} == recommended


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({"preset": "nothing"}, "There is no preset 'nothing'; choose from recommended, grundkiewicz2015,"),
        ({"preset": ["recommended"]}, "preset: There is no preset"),
        ({"unit": "moon"}, "unit: there is no 'moon'; choose from broadest, pair,"),
        ({"unit": ["pair"]}, "unit: Not a valid string."),
        ({"methods": "expected-wins"}, 'methods: Expected a list of items but got type "str".'),
        ({"methods": [{}]}, "methods/0: Not a valid string."),
        ({"methods": []}, "Choose at least one method."),
        ({"methods": ["astrology"]}, "methods: there is no 'astrology'"),
        ({"replicates": 0}, "Replicates must lie between 200 and 100000"),
        ({"replicates": 200**30}, "Replicates must lie between 200 and 100000"),
        ({"replicates": 20.5}, "replicates: A valid integer is required."),
        ({"replicates": None}, "replicates: This field may not be null."),
        ({"replicates": True}, "replicates: A valid integer is required."),
        ({"level": 1}, "The level must lie between 0.5 and 0.9999"),
        ({"level": "nan"}, "level: A valid number is required."),
        ('{"level": 1e400}', "level: A valid number is required."),
        ({"seed": 2**31}, "The seed must lie between 0 and 2147483647."),
        ({"seed": "9" * 2000}, "seed: String value too large."),
        ({"clusters": "\x00"}, "clusters: Null characters are not allowed."),
        ({"test": "litmus"}, "test: there is no 'litmus'; choose from sign, sentence."),
        ({"folds": "paper"}, "folds: there is no 'paper'; choose from none, published, honest."),
        ({"colour": "blue"}, "colour: Unknown field; the fields are study, preset, methods,"),
        ([1], "Invalid data. Expected a dictionary, but got list."),
        ("{", "The request is not valid JSON"),
        ('{"level": NaN}', "The request is not valid JSON"),
        (f'{{"seed": {"9" * 5000}}}', "The request is not valid JSON"),
        (b'{"preset": "\xff"}', "The request is not valid JSON"),
        ("[" * 100_000, "The request is not valid JSON"),
    ],
)
def test_invalid_choices_are_reported_in_a_sentence(program, address, queued, wanted, message):
    assert message in refused(program.post(address, wanted), 400)
    assert not Report.objects.exists()


def test_a_refusal_points_at_each_fault(program, address):
    problem = program.post(address, {"replicates": "many", "seed": "x"}).json()
    assert problem["title"] == "Bad Request"
    assert problem["errors"] == [
        {"detail": "A valid integer is required.", "pointer": "#/replicates"},
        {"detail": "A valid integer is required.", "pointer": "#/seed"},
    ]
    assert problem["detail"] == "replicates: A valid integer is required. seed: A valid integer is required."
    problem = program.post(address, {"seed": -1, "methods": ["astrology"], "folds": "none"}).json()
    assert [fault["pointer"] for fault in problem["errors"]] == ["#/methods", "#/seed"]
    assert problem["errors"][0]["detail"].startswith("there is no 'astrology'")
    problem = program.post(address, {"looks": "any-time", "intervals": "percentile"}).json()
    assert [fault["pointer"] for fault in problem["errors"]] == ["#"]  # each would do alone


def test_bodies_that_are_too_large_without_a_length_or_no_json_are_refused(program, address, settings, queued):
    answer = program.client.post(address, {"preset": "recommended"})
    assert "Send Content-Type: application/json" in refused(answer, 415)
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 100
    assert "larger than 100 bytes" in refused(program.post(address, " " * 101), 413)
    answer = program.post(address, FAST, **{"Transfer-Encoding": "chunked"})
    assert "Content-Length" in refused(answer, 411)
    assert queued == []
    answer = program.client.generic("POST", address, b"{}", content_type="application/json; charset=moon")
    assert answer.status_code == 201


class TestIdempotency:
    """A program that does not know whether its wish arrived says it again, by the same key."""

    def ask(self, program, address, key, **choices):
        return program.post(address, FAST | choices, **{"Idempotency-Key": key})

    def test_the_same_key_gives_the_same_report_and_another_or_none_another(self, program, address, queued):
        first, second = (self.ask(program, address, "a wish") for _ in range(2))
        assert (first.status_code, second.status_code) == (201, 201)
        assert first.json() == second.json()
        assert first["Location"] == second["Location"]
        assert "Idempotency-Replayed" not in first
        assert second["Idempotency-Replayed"] == "true"
        assert queued == ["long"]
        for key in ("one", "other", "", "", str(uuid4())):
            assert self.ask(program, address, key).status_code == 201
        assert len(queued) == Report.objects.count() == 6

    def test_keys_of_others_and_on_other_campaigns_are_other_keys(self, campaign, olga, program, address, queued):
        elsewhere = factory.open_campaign()
        factory.answer(claiming.claim_next(factory.judge(elsewhere, "eve")))
        Membership.objects.create(campaign=elsewhere, user=olga, role="organiser", pseudonym="olga")
        factory.organiser(campaign, "otto")
        self.ask(program, address, "a wish")
        self.ask(program, reverse("api_reports", args=[elsewhere.slug]), "a wish")
        self.ask(Program(programs.token_of("otto")), address, "a wish")
        assert Report.objects.count() == 3

    @pytest.mark.parametrize("key", ["x" * 256, "a\x00b", "a\x7fb"])
    def test_a_key_that_cannot_be_kept_is_refused(self, program, address, key):
        refused(self.ask(program, address, key), 400)
        assert not Report.objects.exists()

    def test_the_same_key_for_other_choices_is_refused_unless_it_is_forgotten(self, program, address, queued):
        refused(self.ask(program, address, "a wish", replicates=0), 400)
        assert self.ask(program, address, "a wish").status_code == 201
        assert "use another key" in refused(self.ask(program, address, "a wish", seed=5), 409)
        assert len(queued) == 1
        StoredResponse.objects.update(kept_at=timezone.now() - KEPT_FOR)
        self.ask(program, address, "a wish")
        assert Report.objects.count() == 2


def test_a_program_cancels_once_and_learns_why_a_report_failed(campaign, program, queued):
    report = building.request_report(campaign)
    address = reverse("api_cancel_job", args=["report", report.pk])
    assert program.post(address).json()["state"] == "cancelled"
    assert refused(program.post(address), 409) == "This had already finished."
    report = made(campaign)
    body = program.get(reverse("api_report", args=[report.pk])).json()
    assert (body["state"], body["files"]) == ("failed", [])
    assert body["error"].startswith("There are no judgments yet that count")
    assert "is not done" in refused(program.get(f"/api/reports/{report.pk}/files.zip"), 404)


def test_the_list_comes_in_pages_the_newest_first(campaign, program, address, django_assert_num_queries):
    building.request_report(factory.make_campaign())  # it is in another list
    for _ in range(60):
        Report.objects.create(campaign=campaign, state=Job.State.CANCELLED)
    # The token with its user, the rate (four for the first request), the campaign, the membership, the reports.
    with django_assert_num_queries(8):
        first = program.get(address).json()
    rest = program.get(first["next"]).json()
    ids = [report["id"] for page in (first, rest) for report in page["results"]]
    assert (len(first["results"]), len(ids), ids) == (50, 60, sorted(ids, reverse=True))
    assert rest["next"] is None


@pytest.mark.parametrize("cursor", ["nowhere", b"p=abc", b"p=\xff", b"p=%00", b"o=-1", b"p=" + b"9" * 40])
def test_a_cursor_that_somebody_made_up_leads_nowhere(program, address, cursor):
    made_up = cursor if isinstance(cursor, str) else b64encode(cursor).decode()
    assert refused(program.get(f"{address}?{urlencode({'cursor': made_up})}"), 404) == "Invalid cursor"


def test_one_report_asks_a_fixed_number_of_questions(campaign, ada, program, django_assert_num_queries):
    factory.answer_all(ada)
    report = made(campaign)
    # The token with its user, the rate (four for the first request), the report, its campaign, the membership,
    # judgments, their newest, metrics, the tables.
    with django_assert_num_queries(13):
        program.get(reverse("api_report", args=[report.pk]))


class TestWhoMay:
    """Organisers, by a token or by the session of a page."""

    @pytest.fixture
    def addresses(self, campaign, address) -> list[str]:
        report = building.request_report(campaign)
        files = f"/api/reports/{report.pk}/files"
        return [address, reverse("api_report", args=[report.pk]), f"{files}/signature.txt", f"{files}.zip",
                reverse("api_report_bundle", args=[report.pk])]  # fmt: skip

    def test_requests_without_a_valid_token_are_refused(self, addresses, olga):
        for address in addresses:
            answer = Program().get(address)
            assert "Authentication credentials were not provided." in refused(answer, 401)
            assert answer["WWW-Authenticate"] == "Token"
        assert refused(Program().post(addresses[0]), 401)
        old = programs.token_of("olga")
        assert programs.token_of("olga", is_new=True) != old
        for token in ("wrong", old):
            assert "Invalid token. Send the header" in refused(Program(token).get(addresses[0]), 401)
        olga.is_active = False
        olga.save()
        assert "User inactive or deleted." in refused(Program(programs.token_of("olga")).get(addresses[0]), 401)

    @pytest.mark.parametrize(
        ("name", "status", "reason"), [("zoe", 404, "There is nothing here for you"), ("ada", 403, "Only organisers")]
    )
    def test_a_stranger_finds_nothing_and_a_judge_may_not(self, addresses, zoe, ada, queued, name, status, reason):
        program = Program(programs.token_of(name))
        for address in addresses:
            assert refused(program.get(address), status).startswith(reason)
        refused(program.post(addresses[0]), status)
        refused(program.post(reverse("api_cancel_job", args=["report", Report.objects.get().pk])), status)
        assert queued == []
        assert Report.objects.get().state == Job.State.QUEUED

    def test_the_session_of_a_page_will_do_but_not_without_its_csrf_token(self, addresses, olga, queued):
        browser = Client(enforce_csrf_checks=True)
        browser.force_login(olga)
        assert browser.get(addresses[0]).status_code == 200
        answer = browser.post(addresses[0], "{}", content_type="application/json")
        assert refused(answer, 403).startswith("CSRF Failed")
        assert queued == []


def test_missing_addresses_and_unknown_verbs_are_reported_as_problems(campaign, program, address):
    for missing in ("/api/", "/api/nothing/", "/api/reports/3", "/api/reports/x/"):
        assert "no such address" in refused(program.get(missing), 404)
        assert "no such address" in refused(program.post(missing), 404)
    for missing in ("/api/reports/999999/", f"/api/reports/{10**30}/", "/api/campaigns/nothing/reports/"):
        assert refused(program.get(missing), 404).startswith("There is nothing here for you")
    report = building.request_report(campaign)
    for name in ("secrets.csv", "standings.exe", "..%2Fstandings.csv"):
        refused(program.get(f"/api/reports/{report.pk}/files/{name}"), 404)
    for method in ("put", "patch", "delete", "options"):
        assert "not allowed" in refused(getattr(program.client, method)(address), 405)


def test_the_answer_is_json_in_english_for_every_accept_header(program, address):
    answer = program.get(address, Accept="text/html", **{"Accept-Language": "pl"})
    assert answer["Content-Type"] == "application/json"
    refusal = program.post(address, {"replicates": None}, **{"Accept-Language": "pl"})
    assert "This field may not be null." in refused(refusal, 400)
    assert refusal["Content-Language"] == "en"


def test_a_fault_in_the_program_is_not_hidden_and_all_requests_are_counted(program, address, monkeypatch):
    monkeypatch.setattr("ranking.api.reports.building.request_report", lambda *_, **__: 1 / 0)
    program.client.raise_request_exception = False
    assert "Something went wrong here" in refused(program.post(address, FAST), 500)
    monkeypatch.setitem(Rate.THROTTLE_RATES, "user", "3/minute")
    assert [program.get(address).status_code for _ in range(3)] == [200, 200, 429]


def test_the_command_prints_the_same_token_until_it_is_renewed(zoe, capsys):
    """The command that a person runs to let a program in."""

    def run(*words: str) -> str:
        call_command("make_token", *words)
        return capsys.readouterr().out.strip()

    first, second, third = (run("zoe", *words) for words in ((), (), ("--renew",)))
    assert len(first) == 40
    assert first == second != third
    assert run("zoe") == third
    with pytest.raises(CommandError, match="There is no user 'nobody'; create one with"):
        call_command("make_token", "nobody")
