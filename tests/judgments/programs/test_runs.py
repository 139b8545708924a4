"""Programs that judge over HTTP, in a worker and by a command: every answer once, and no word of keys."""

import io
import logging
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection

from judgments.campaigns import states
from judgments.jobs.attempts import run_now
from judgments.jobs.control import cancel
from judgments.judges import programs as seats
from judgments.models import Assignment, Campaign, JournalEntry, Judgment, ProgramAnswer, ProgramRun, Prompt
from judgments.programs import endpoints, runs, storing
from judgments.programs.endpoints import EDIT_DISTANCE
from judgments.programs.running import RunChoices
from judgments.rules.errors import Refused
from ranking.reports.kinds.programs import extract
from ranking.stats.programs.habits import habits
from ranking.stats.programs.study import PURPOSES, ProgramParameters
from tests import factory
from tests.services.model import FENCED, PROSE, SILENT, TOO_FEW, Model, fails, served

OPENED = {
    "ranking": factory.open_campaign,
    "rating": lambda: factory.open_campaign(protocol="rating"),
    "verdict": factory.open_verdicts,
    "marking": lambda: factory.open_campaign(protocol="marking"),
}
KEY = "sk-very-secret"
ONE_BY_ONE = RunChoices("m", probes=0, at_once=1)


@pytest.fixture
def site(live_server, settings) -> str:
    settings.SITE_URL = settings.PROGRAM_SITE = live_server.url
    return live_server.url


@pytest.fixture
def model(settings, monkeypatch) -> Iterator[Model]:
    """A server of models that the operator offers as `local`, with a key."""
    monkeypatch.setenv("PROGRAM_KEY_LOCAL", KEY)
    monkeypatch.setenv("PROGRAM_KEY", KEY)
    monkeypatch.setattr(endpoints, "FIRST_PAUSE", 0.001)
    with served(Model()) as there:
        settings.PROGRAM_ENDPOINTS = {"local": there.url, "hosted": "https://8.8.8.8/v1"}
        yield there


def judge(campaign: Campaign, *options: str) -> str:
    out = io.StringIO()
    call_command("judge", campaign.slug, *options, stdout=out, stderr=io.StringIO())
    return out.getvalue().strip()


def request(campaign: Campaign, endpoint: str = "local", choices: RunChoices = ONE_BY_ONE, **more) -> ProgramRun:
    user = User.objects.filter(username="olga").first() or factory.organiser(campaign, "olga")
    return runs.request(campaign, user, "", endpoint, choices, **more)


def worked(run: ProgramRun) -> ProgramRun:
    run_now(run)
    run.refresh_from_db()
    return run


def judged_once(campaign: Campaign) -> int:
    """The number of screens that programs judged, each once, with what was said."""
    judgments = Judgment.objects.filter(assignment__campaign=campaign, assignment__judge__role="program")
    assert set(judgments.values_list("revision", flat=True)) <= {1}
    assert judgments.filter(said__isnull=False).count() == judgments.count()
    assert len(set(judgments.values_list("assignment__judge", "screen"))) == judgments.count()
    return judgments.count()


@pytest.mark.parametrize(
    "protocol",
    [pytest.param(name, marks=pytest.mark.walk if name == "ranking" else pytest.mark.wide) for name in OPENED],
)
def test_a_rule_and_a_model_judge_by_every_protocol(protocol, site, model):
    campaign = OPENED[protocol]()
    screens = 7 if protocol == "verdict" else 5  # a control is on several screens, and judged once
    assert seats.count_judgeable(campaign) == screens
    assert judge(campaign, "--endpoint", EDIT_DISTANCE, "--at-once", "1") == f"{screens} judged."
    words = judge(campaign, "--endpoint", model.url, "--model", "m", "--probes", "1", "--price-in", "2")
    assert words.startswith(f"{screens} judged, ")
    assert judged_once(campaign) == 2 * screens
    assert not ProgramAnswer.objects.filter(answers__isnull=True).exists()
    said = ProgramAnswer.objects.get(judgment=Judgment.objects.latest("pk"))
    assert (said.model, said.answered_by, said.prompt.version, said.tokens_in, said.seed) == (
        "m", "model-2026-01", 1, 10, 17,
    )  # fmt: skip
    assert said.cost == pytest.approx(20 / 1_000_000)
    asked = {text for text in model.questions if "candidates" in text or protocol == "verdict"}
    assert not any(name in text for text in asked for name in (*factory.SYSTEMS, "system"))
    purposes = {"judgment", "sample"} | (set() if protocol == "verdict" else {"reversed", "identical"})
    assert set(ProgramAnswer.objects.values_list("purpose", flat=True)) == purposes
    assert judge(campaign, "--endpoint", EDIT_DISTANCE) == "0 judged: edit-distance has judged every screen before."
    study = extract(campaign, ProgramParameters()).study
    assert {(one.program, one.model) for one in study.asked} == {(0, EDIT_DISTANCE), (1, "m")}
    if protocol != "marking":  # probes of edits are kept, and not read
        assert {PURPOSES[number] for number in study.probes.purpose} == purposes - {"judgment"}
        as_person = replace(study, is_program=np.array([False, True]))  # without whom there are no habits
        found = {(line["program"], line["habit"]): line["value"] for line in next(habits(as_person)).dicts()}
        assert found["m", "same in another sample"] == 1, "the model answers by a rule"
        assert found.get(("m", "one version twice ties"), 1) == 1


@pytest.mark.wide
@pytest.mark.postgresql
def test_a_worker_goes_on_where_it_was_stopped(site, model, transactional_db, no_worker):
    campaign = factory.open_campaign()
    run = request(campaign)
    model.moods = [PROSE, SILENT, TOO_FEW, FENCED]
    model.usual = fails(401, f"Wrong key {KEY}")
    run = worked(run)
    # One screen could not be read three times, one was judged, and then the endpoint refused.
    assert (run.state, run.answered, run.unreadable, run.tokens) == ("failed", 1, 1, 44)
    assert "refuses with status 401" in run.error
    model.usual = Model().usual
    again = worked(request(campaign))
    assert (again.state, again.answered, again.stopped, judged_once(campaign)) == ("done", 4, "", 5)
    assert not ProgramAnswer.objects.filter(answers__isnull=True).exists(), "what was read replaced the other"


def test_the_key_is_in_no_row_no_log_and_no_message(site, model, no_worker, caplog):
    caplog.set_level(logging.DEBUG)
    campaign = factory.open_campaign()
    model.usual = fails(400, f"Bad request with {KEY}")
    run = worked(request(campaign))
    with pytest.raises(CommandError) as refused:
        judge(campaign, "--endpoint", model.url, "--model", "m")
    assert set(model.keys) == {f"Bearer {KEY}"}
    rows = [str(row) for table in (ProgramRun, ProgramAnswer, JournalEntry) for row in table.objects.values()]
    assert KEY not in "".join([*rows, caplog.text, str(refused.value)])
    assert "[key]" in run.error


@pytest.mark.wide
def test_other_jobs_have_their_turn(site, model, no_worker, monkeypatch):
    monkeypatch.setattr(runs, "TURN", -1)
    monkeypatch.setattr(runs, "wake_worker", no_worker.append)
    campaign = factory.open_campaign()
    run, seen = request(campaign), []
    while not run.is_over:
        run = worked(run)
        seen.append((run.state, run.attempt, run.answered))
    assert seen == [*(("queued", 0, number) for number in range(1, 6)), ("done", 1, 5)]
    assert no_worker == ["long"] * 6
    assert (run.work, judged_once(campaign)) == (runs.WORK, 5)


@pytest.mark.postgresql
def test_a_cancelled_run_stops_asking(site, model, no_worker, monkeypatch):
    campaign = factory.open_campaign()
    run = request(campaign)
    usual = model.usual

    def cancels(handler, asked) -> None:
        cancel(run)
        connection.close()  # that of this thread, which the server of the model began
        usual(handler, asked)

    model.moods = [cancels]
    run = worked(run)
    assert (run.state, len(model.asked)) == ("cancelled", 1)
    assert judged_once(campaign) == 1


@pytest.mark.django_db
class TestWhatIsRefused:
    def test_only_what_the_operator_offers_is_called(self, campaign, model, settings, no_worker):
        for name in (model.url, "elsewhere", ""):
            with pytest.raises(Refused, match=r"There is no endpoint .* choose from edit-distance, local, hosted"):
                request(campaign, name)
        assert not ProgramRun.objects.exists()
        run = request(campaign)
        settings.PROGRAM_ENDPOINTS = {}
        assert "no longer offers the endpoint local" in worked(run).error
        assert model.asked == []

    def test_texts_leave_only_if_that_was_allowed(self, campaign, model, no_worker):
        with pytest.raises(Refused, match=r"hosted sends .* to https://8\.8\.8\.8/v1, outside this network"):
            request(campaign, "hosted")
        assert request(campaign, "hosted", may_leave=True).endpoint == "hosted"
        with pytest.raises(CommandError, match="add --texts-may-leave"):
            judge(campaign, "--endpoint", "https://8.8.8.8/v1", "--model", "m")
        with pytest.raises(CommandError, match="is no address of an endpoint"):
            judge(campaign, "--endpoint", "ollama", "--model", "m")

    def test_a_program_runs_once_at_a_time_and_in_open_campaigns(self, campaign, no_worker, model):
        request(campaign)
        with pytest.raises(Refused, match="already running"):
            request(campaign)
        states.close_campaign(campaign)
        states.archive_campaign(campaign)
        campaign.refresh_from_db()
        with pytest.raises(Refused, match="is archived"):
            request(campaign, choices=RunChoices("other"))

    @pytest.mark.parametrize(
        ("options", "refusal"),
        [
            (["--probes", "10"], "lies between 0 and 1, so it cannot be 10"),
            (["--samples", "0"], "has 1 to 20 samples"),
            (["--at-once", "0"], "1 to 32 requests at the same time"),
            (["--most", "0"], "at least one screen"),
            (["--most-cost", "1"], "needs the prices"),
            (["--price-in", "-1"], "lie between 0 and 1,000,000"),
            (["--seed", "-1"], "A seed lies between"),
            (["--model", "gpt"], "edit-distance has no model"),
            (["--site", "http://127.0.0.1:9"], "No platform answers at"),
        ],
    )
    def test_choices_that_make_no_sense_are_refused_before_anything_is_asked(self, campaign, options, refusal):
        with pytest.raises(CommandError, match=refusal):
            judge(campaign, "--endpoint", EDIT_DISTANCE, *options)
        with pytest.raises(CommandError, match="Name the model"):
            judge(campaign, "--endpoint", "http://127.0.0.1:9/v1")
        with pytest.raises(Refused, match="cannot be 10"):
            request(campaign, EDIT_DISTANCE, RunChoices("m", probes=10))
        assert not campaign.membership_set.filter(role="program").exists()


@pytest.mark.django_db
class TestPrompts:
    def test_versions_are_kept_and_a_protocol_without_a_prompt_needs_one(self, campaign, model):
        first = storing.newest_prompt(campaign)
        assert (first.pk, first.version, len(first.digest)) == (None, 1, 12)
        assert storing.stored_prompt(campaign).pk
        second = storing.change_prompt(campaign, " Judge well. ")
        assert (second.version, second.text) == (2, "Judge well.")
        assert storing.change_prompt(campaign, "Judge well.") == second
        assert [one.version for one in Prompt.objects.all()] == [1, 2]
        for text in (" ", "x" * 20_001):
            with pytest.raises(Refused, match="between 1 and 20,000"):
                storing.change_prompt(campaign, text)
        correction = factory.open_correction()
        with pytest.raises(Refused, match="no ready-made prompt for this protocol; write one"):
            request(correction)
        storing.change_prompt(correction, "Correct it.")
        assert request(correction).state == "queued"

    def test_what_was_passed_over_is_claimed_by_another_run(self, campaign):
        robin = factory.program(campaign, "robin")
        first = seats.claim(robin, 2)
        assert not set(seats.claim(robin, 5, after=first[-1].pk)) & set(first)
        assert seats.claim(robin, 2) == first
        assert Assignment.objects.held_by(robin).count() == 5
