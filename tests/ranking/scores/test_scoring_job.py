"""Scoring the outputs of a campaign: by a worker, watched, cancelled, stored for reports, and downloaded."""

import csv
import io
import json

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from rest_framework.test import APIClient

from judgments.jobs.attempts import run_now
from judgments.jobs.turns import NO_WORKER
from judgments.material.rules.reading import Roles
from judgments.models import Campaign, Job
from judgments.rules.errors import Refused
from ranking.metrics import catalogue
from ranking.metrics.ensemble import EnsembleModel
from ranking.metrics.material import Material
from ranking.metrics.scoring import score
from ranking.models import Metric, ScoringJob
from ranking.reports.ballots import collect
from ranking.reports.kinds.comparisons import covariates_of
from ranking.scores import stored, texts
from ranking.scores.stored import add_metrics
from ranking.scores.texts import usual_metrics
from ranking.stats.comparisons.study import ALL, JUDGED, Parameters
from ranking.stats.metaevaluation.correlations import drawn_sentences
from tests import factory
from tests.judgments.exchange.importing import bring_in
from tests.judgments.exchange.test_importing_rankings import OF_TWO
from tests.judgments.jobs.running import run_job
from tests.ranking.metrics.toy import Toy

REFERENCE = ["He goes to school .", "She has a cat .", "I like tea .", "We were here .", "It rains ."]


@pytest.fixture(autouse=True)
def _toy(monkeypatch):
    monkeypatch.setitem(catalogue.METRICS, "toy", Toy)
    monkeypatch.setattr(catalogue, "USUAL", ("toy",), raising=False)
    monkeypatch.setattr(Toy, "about", "Toy: words in their place")


@pytest.fixture
def campaign(db) -> Campaign:
    """Three systems and a reference, judged by two."""
    texts = {"source": factory.SOURCE, **factory.SYSTEMS, "mended": REFERENCE}
    return factory.open_campaign(texts, Roles(references=frozenset({"mended"})))


@pytest.fixture
def client(olga, browser_of, no_worker):
    return browser_of(olga)


def scored(campaign, *metrics) -> list[ScoringJob]:
    jobs = stored.request_scoring(campaign, metrics or ["toy"])
    for scoring in jobs:
        run_now(scoring)
    return [ScoringJob.objects.get(pk=scoring.pk) for scoring in jobs]


def test_scores_are_kept_for_systems_and_sentences_until_the_metric_is_scored_again(campaign):
    (scoring,) = scored(campaign)
    assert scoring.state == Job.State.DONE
    assert scoring.signature.startswith("toy|weight:1.0|edits:texts|data:")
    stored = {(metric.name, metric.level): metric for metric in Metric.objects.all()}
    assert stored.keys() == {("Toy", "system"), ("Toy words", "system"), ("Toy", "sentence")}
    assert {metric.signature for metric in stored.values()} == {scoring.signature}
    found = collect(campaign)
    covariates = covariates_of(campaign, found, Parameters())
    assert not covariates.lacking
    toy = next(metric for metric in covariates.metrics if metric.metric == "Toy" and metric.scores.ndim == 1)
    assert toy.scores[found.names.systems.index("Heron")] == 1.0
    assert (toy.scores < 1.0).sum() == 2
    (again,) = scored(campaign, "toy")
    assert ScoringJob.objects.get() == again
    scored(campaign, "toy:weight=2")
    assert ScoringJob.objects.count() == 2
    assert max(json.loads(Metric.objects.get(name="Toy", level="system").scores)) == 1.0
    assert max(json.loads(Metric.objects.get(name="Toy (weight=2)", level="system").scores)) == 2.0


def test_a_report_counts_the_sentences_that_were_judged_or_all(campaign):
    """Of five sentences the first two were judged, and the third was skipped."""
    bring_in(campaign, "judgments.xml", OF_TWO.encode(), "appraise-xml", numbered_from=0)
    (scoring,) = scored(campaign)
    material = Material.of_texts(factory.SOURCE[:2], [REFERENCE[:2]])
    found = collect(campaign)
    lines = {"source": factory.SOURCE, **factory.SYSTEMS}
    alone = score(Toy(), material, found.names.systems, [lines[name][:2] for name in found.names.systems])
    for sentences, expected in ((JUDGED, alone.systems["Toy"]), (ALL, score_of(campaign, "Toy"))):
        chosen = Parameters(sentences=sentences, replicates=200)
        covariates = covariates_of(campaign, found, chosen)
        toy = next(one for one in covariates.metrics if one.metric == "Toy" and one.scores.ndim == 1)
        assert toy.scores.tolist() == pytest.approx(list(expected))
        times = drawn_sentences(found.ballots, 200, chosen.seed, with_others=sentences == ALL)
        assert {(many[:2].sum(), many[2:].sum()) for many in times.T} == {(2, 3 if sentences == ALL else 0)}
        for many, scores in zip(times.T, toy.replicates, strict=True):
            drawn = np.repeat(np.arange(5), many)
            texts = [[lines[name][line] for line in drawn] for name in found.names.systems]
            source, reference = ([side[line] for line in drawn] for side in (factory.SOURCE, REFERENCE))
            again = score(Toy(), Material.of_texts(source, [reference]), found.names.systems, texts)
            assert scores.tolist() == pytest.approx(list(again.systems["Toy"]))
        assert not covariates.lacking
    ScoringJob.objects.filter(pk=scoring.pk).update(counts=b"")
    assert covariates_of(campaign, found, Parameters(sentences=JUDGED)).lacking.keys() == {"Toy", "Toy words"}


def score_of(campaign: Campaign, name: str) -> list[float]:
    return json.loads(Metric.objects.get(campaign=campaign, name=name, level="system").scores)


def test_unknown_metrics_are_refused_before_anything_is_stored_and_no_job_is_created_twice(campaign):
    with pytest.raises(Refused, match="There is no metric 'bleurt'"):
        stored.request_scoring(campaign, ["toy", "bleurt"])
    assert not ScoringJob.objects.exists()
    stored.request_scoring(campaign, ["toy", "toy"])
    assert stored.request_scoring(campaign, ["toy"]) == []
    assert ScoringJob.objects.count() == 1


def test_no_other_language_is_taken_for_english(campaign, monkeypatch):
    campaign.language = "pl"
    monkeypatch.setattr(catalogue, "USUAL", ("toy", "meteor", "errant"), raising=False)
    assert usual_metrics(campaign) == ["toy"]
    for metric in ("meteor:beta=2", "cleme:edits=errant"):
        with pytest.raises(
            Refused, match=rf"^{metric}: for texts in another language \(en\) than this campaign's \(pl\)"
        ):
            stored.request_scoring(campaign, ["toy", metric])
    assert not ScoringJob.objects.exists()
    monkeypatch.setattr(texts, "is_installed", lambda language: language == "pl")
    assert usual_metrics(campaign) == ["toy", "errant:language=pl"]
    with pytest.raises(Refused, match="write errant:language=pl, or correct the language"):
        stored.request_scoring(campaign, ["errant"])
    campaign.language = "en-GB"
    assert usual_metrics(campaign) == ["toy", "meteor", "errant"]


def test_the_page_and_the_command_say_what_to_do_where_words_have_no_spaces(campaign, client, capsys):
    page = reverse("metrics", args=[campaign.slug])
    assert 'value="meteor"' in client.get(page).text
    assert "tokens=characters" not in client.get(page).text
    Campaign.objects.update(language="zh-Hant")
    shown = client.get(page).text
    assert 'value="meteor"' not in shown
    assert "without spaces a sentence counts as one word" in shown
    call_command("score_outputs", campaign.slug, metrics="toy,toy:tokens=characters")
    found = capsys.readouterr()
    assert found.err.startswith("toy: without spaces a sentence counts as one word.")
    assert "|tokens:characters|data:" in found.out
    with pytest.raises(CommandError, match="meteor: for texts in another language"):
        call_command("score_outputs", campaign.slug, metrics="meteor")


@pytest.mark.postgresql
def test_without_references_it_fails_with_a_sentence_and_the_scores_of_before_stay(db):
    campaign = factory.open_campaign()
    names = ("Heron", "Magpie", "Wren", "source")
    add_metrics(campaign, "Toy", "".join(f"{name} 0.5\n" for name in names).encode())
    (scoring,) = scored(campaign)
    assert scoring.state == Job.State.FAILED
    assert "no references; import an M2 file" in scoring.error
    assert Metric.objects.get().origin == "Toy"


def test_one_metric_that_fails_leaves_the_others_going(campaign, monkeypatch):
    broken = type("Broken", (Toy,), {"count": lambda *given: 1 / 0})
    monkeypatch.setitem(catalogue.METRICS, "broken", broken)
    jobs = stored.request_scoring(campaign, ["broken", "toy"])
    with pytest.raises(ZeroDivisionError):
        run_now(jobs[0])
    run_now(jobs[1])
    assert list(ScoringJob.objects.values_list("state", flat=True)) == ["failed", "done"]


def test_cancelled_in_the_middle_nothing_is_kept_and_the_step_of_a_job_is_what_it_does(campaign, monkeypatch):
    class Slow(Toy):
        def count(self, material, candidates, progress):
            stored.cancel_scoring(campaign)
            return super().count(material, candidates)

    monkeypatch.setitem(catalogue.METRICS, "slow", Slow)
    (scoring,) = scored(campaign, "slow")
    assert scoring.state == Job.State.CANCELLED
    assert not Metric.objects.exists()
    ScoringJob.objects.all().delete()
    steps, outputs_of = [], stored.outputs_of

    class Watched(Toy):
        def count(self, material, candidates, progress):
            steps.append(ScoringJob.objects.get().step)
            return super().count(material, candidates)

    def watched(campaign):
        steps.append(ScoringJob.objects.get().step)
        return outputs_of(campaign)

    monkeypatch.setattr(stored, "outputs_of", watched)
    monkeypatch.setitem(catalogue.METRICS, "watched", Watched)
    scored(campaign, "watched")
    assert steps == [stored.READING, stored.COUNTING]


def test_the_page_from_the_request_to_the_scores(campaign, client, no_worker, django_capture_on_commit_callbacks):
    address = reverse("metrics", args=[campaign.slug])
    assert "Toy: words in their place" in client.get(address).content.decode()
    with django_capture_on_commit_callbacks(execute=True):
        client.post(reverse("score_outputs", args=[campaign.slug]), {"metrics": ["toy"], "others": "toy:weight=2"})
    assert no_worker == ["long"] * 2
    requested = list(ScoringJob.objects.values_list("pk", flat=True))
    assert "2 waiting for a worker" in client.get(address).content.decode()
    state = reverse("scorings_state", args=[campaign.slug])
    waiting = {"step": "2 waiting for a worker", "progress": 0, "over": False, "ahead": NO_WORKER}
    assert client.get(state).json() == waiting
    run_job("scoring", requested[0])
    assert client.get(state).json() == waiting | {"step": "1 waiting for a worker", "progress": 0.5}
    for pk in requested:
        run_job("scoring", pk)
        run_job("scoring", pk)
    assert client.get(state).json()["over"]
    page = client.get(address).content.decode()
    assert "Scores of the systems" in page
    assert "2.0000" in page
    assert "By error type" in page
    assert "toy|weight:2.0|edits:texts" in page


def test_a_wish_that_cannot_be_met_a_failure_and_a_cancelled_job_are_on_the_page(campaign, client):
    address = reverse("score_outputs", args=[campaign.slug])
    assert "Choose one metric or more." in client.post(address, {}).content.decode()
    assert "There is no metric &#x27;x&#x27;" in client.post(address, {"others": "x"}).content.decode()
    assert not ScoringJob.objects.exists()
    (job,) = stored.request_scoring(campaign, ["toy"])
    ScoringJob.objects.filter(pk=job.pk).update(state=Job.State.FAILED, error="It was too much.")
    assert "It was too much." in client.get(reverse("metrics", args=[campaign.slug])).content.decode()
    ScoringJob.objects.all().delete()
    stored.request_scoring(campaign, ["toy", "TOY:weight=2.0"])
    address = reverse("cancel_scorings", args=[campaign.slug])
    client.post(address)
    assert set(ScoringJob.objects.values_list("state", flat=True)) == {"cancelled"}
    assert "This had already finished." in client.post(address, follow=True).content.decode()


def rows_of(response) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(b"".join(response.streaming_content).decode())))


def test_every_score_is_in_a_file(campaign, client):
    scored(campaign)
    rows = rows_of(client.get(reverse("metric_file", args=[campaign.slug, "metric_scores.csv"])))
    assert list(rows[0]) == ["metric", "level", "system", "sentence", "value"]
    assert {(row["level"], row["sentence"]) for row in rows if row["system"] == "Wren"} == {
        ("system", ""), *(("sentence", str(number)) for number in range(1, 6))
    }  # fmt: skip
    assert rows_of(client.get(reverse("metric_file", args=[campaign.slug, "error_types.csv"])))[0]["type"] == "any"
    assert client.get(reverse("metric_file", args=[campaign.slug, "nothing.csv"])).status_code == 404


def test_a_program_asks_watches_and_reads(campaign, olga, no_worker):
    client = APIClient()
    client.force_authenticate(olga)
    address = reverse("api_scorings", args=[campaign.slug])
    scoring = reverse("api_score_outputs", args=[campaign.slug])
    wrong = client.post(scoring, {"metrics": ["x"]}, format="json")
    assert (wrong.status_code, "There is no metric" in str(wrong.json())) == (400, True)
    answer = client.post(scoring, {"metrics": ["toy"]}, format="json")
    assert [one["state"] for one in client.get(address).json()] == ["queued"]
    run_job("scoring", *answer.json()["outcome"]["jobs"])
    assert client.get(address).json()[0]["signature"].startswith("toy|weight:1.0|edits:texts")
    assert rows_of(client.get(reverse("api_metric_file", args=[campaign.slug, "score_intervals.csv"])))
    assert client.post(reverse("api_cancel_scorings", args=[campaign.slug])).status_code == 409


def test_the_command_scores_here_and_now_by_references_of_its_own(campaign, tmp_path):
    output = call_command("score_outputs", campaign.slug, "--metrics", "toy", "--out", str(tmp_path / "scores"))
    assert output.startswith("toy|weight:1.0|edits:texts|data:")
    assert {file.name for file in (tmp_path / "scores").iterdir()} == {
        "metric_scores.csv", "score_intervals.csv", "error_types.csv",
    }  # fmt: skip
    ScoringJob.objects.all().delete()
    gold = tmp_path / "references" / "gold.m2"
    gold.parent.mkdir()
    gold.write_text("S Something else .\n")
    with pytest.raises(CommandError, match="The source has 5 sentences, and gold"):
        call_command("score_outputs", campaign.slug, "--metrics", "toy", "--references", str(gold))
    lines = (f"S {text}\nA 0 1|||X|||Now|||REQUIRED|||-NONE-|||0\n\n" for text in factory.SOURCE)
    gold.write_text("".join(lines))
    call_command("score_outputs", campaign.slug, "--metrics", "toy", "--references", str(gold.parent))
    assert ScoringJob.objects.get().signature.startswith("toy|weight:1.0|edits:m2|")


def test_the_command_scores_by_a_trained_ensemble(campaign, tmp_path):
    scores = {"Toy": np.array([0.1, 0.5, 1.0])}
    model = EnsembleModel.train(scores, np.array([10.0, 50.0, 100.0]), {"toy": "toy|weight:1.0"}, "made up")
    (tmp_path / "model.json").write_text(model.as_json())
    call_command("score_outputs", campaign.slug, "--metrics", "toy", "--ensemble", str(tmp_path / "model.json"))
    (scoring,) = ScoringJob.objects.filter(about="ensemble")
    assert scoring.signature.startswith("ensemble|features:1")
    heron = json.loads(Metric.objects.get(name="Ensemble", level="system").scores)[0]
    assert heron == pytest.approx(100, abs=0.5)
