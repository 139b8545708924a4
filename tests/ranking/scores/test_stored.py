"""Scores of metrics: imported by page or command, refused in sentences, and compared with people in reports."""

import numpy as np
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse

from judgments.campaigns import settings
from judgments.material.rules.reading import Roles
from judgments.models import Campaign
from judgments.rules.files.problems import Problems
from ranking.models import Metric
from ranking.reports import downloads
from ranking.reports.ballots import collect
from ranking.reports.kinds.comparisons import covariates_of
from ranking.scores.stored import add_metrics
from ranking.stats.comparisons.study import PRESETS, Parameters
from tests import factory
from tests.ranking.reports.test_reports import made

# Heron, Magpie and Wren take part; there are five sentences.
BLEU = b"Heron 0.3\nMagpie 0.5\nWren 0.4\n"
SENTENCES = b"Heron,Magpie,Wren\n" + b"0.1,0.9,0.5\n" * 5


@pytest.fixture
def campaign(db) -> Campaign:
    """Three systems that judges compare; the source is not among them."""
    return factory.open_campaign(roles=Roles())


def test_scores_are_kept_in_the_order_of_the_systems(campaign):
    add_metrics(campaign, "bleu.txt", b"Wren 0.4\nHeron 0.3\nMagpie 0.5\n")
    metric = Metric.objects.get()
    assert (metric.name, metric.level, metric.systems) == ("bleu", "system", ["Heron", "Magpie", "Wren"])
    found = collect(campaign)
    covariates = covariates_of(campaign, found, Parameters())
    assert covariates.metrics[0].scores.tolist() == [0.3, 0.5, 0.4]
    Metric.objects.create(campaign=campaign, name="bleu", level="sentence", signature="bleu|4", scores="[]", systems=[])
    add_metrics(campaign, "bleu.txt", BLEU.replace(b"0.3", b"0.6"))
    assert Metric.objects.get().scores == "[0.6, 0.5, 0.4]", "a file replaces a file, and what was computed"
    add_metrics(campaign, "m2.txt", b"Heron .3 .4 .2\nMagpie .5 .6 .3\nWren .4 .5 .1\n", ("F", "P", "R"))
    assert list(Metric.objects.values_list("name", flat=True)) == ["bleu", "m2 F", "m2 P", "m2 R"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (BLEU.replace(b"0.3", b"NaN"), "line 1: bleu.txt of Heron: 'NaN' is not a finite number"),
        (b"Heron,Magpie,Wren\n0.1,0.9,0.5\n", "scores 1 sentences, but there are"),
        (b"\xff\xfe", "UTF-16"),
    ],
)
def test_a_file_that_does_not_fit_or_comes_before_the_outputs_is_refused_in_a_sentence(campaign, content, words):
    with pytest.raises(Problems, match="bleu") as refused:
        add_metrics(campaign, "bleu.txt", content)
    assert words in str(refused.value)
    assert not Metric.objects.exists()
    with pytest.raises(Problems, match="import the outputs"):
        add_metrics(settings.configure(settings.find_or_prepare("empty")), "bleu.txt", BLEU)


@pytest.mark.wide
def test_a_report_sets_metrics_of_both_levels_against_people(campaign, ada, ben):
    factory.answer_all(ada)
    factory.answer_all(ben)
    add_metrics(campaign, "bleu.txt", BLEU)
    add_metrics(campaign, "gleu.csv", SENTENCES)
    report = made(campaign, PRESETS["recommended"].with_changes(replicates=200, folds="none"))
    tables = downloads.tables_of(report)
    lines = tables["metric_correlations"].dicts()
    assert {(line["metric"], line["level"]) for line in lines} == {
        ("bleu", "system"), ("gleu", "mean of sentences"), ("gleu", "sentence"),
            ("gleu", "sentence, all systems"), ("gleu", "sentence, systems that differ"),
    }  # fmt: skip
    assert {line["coefficient"] for line in lines if line["level"] == "sentence"} == {
        "tau-b", "acc-eq", "acc-eq, ties calibrated", "epsilon of calibrated ties"
    }  # fmt: skip
    assert {line["other_systems_low"] for line in lines} == {None}, "three systems are too few to draw"
    assert report.gaps.keys() == {"Williams' tests", "systems with few sentences"}
    assert report.gaps["Williams' tests"] == "Williams' test needs 4 systems or more, not 3."


def test_missing_scores_of_sentences_stay_missing_and_a_metric_that_lacks_a_current_system_is_a_gap(campaign):
    add_metrics(campaign, "bleu.txt", BLEU)
    add_metrics(campaign, "gleu.csv", SENTENCES.replace(b"0.1,0.9,0.5\n", b",,\n", 1))
    Metric.objects.filter(name="bleu").update(systems=["Heron", "Magpie", "Owl"])
    covariates = covariates_of(campaign, collect(campaign), Parameters())
    (gleu,) = covariates.metrics
    assert np.isnan(gleu.scores[0]).all()
    assert not np.isnan(gleu.scores[1:]).any()
    assert covariates.lacking == {"bleu": "It has no score of Wren. Add its file again, with all systems."}


def test_the_page_takes_a_file_lists_its_problems_and_removes_it(campaign, olga, browser_of):
    client, page = browser_of(olga), reverse("metrics", args=[campaign.slug])
    answer = client.post(page, {"files": SimpleUploadedFile("m2.txt", b"Heron x\nOwl 1\n")})
    for words in ("not a finite number", "Owl does not take part", "no score of Magpie"):
        assert words in answer.content.decode()
    answer = client.post(page, {"files": SimpleUploadedFile("m2.txt", BLEU), "columns": ""}, follow=True)
    assert "Added scores by m2." in answer.content.decode()
    metric = Metric.objects.get()
    assert metric.added_by == olga
    Metric.objects.update(scores=metric.scores.replace("[", "[-", 1))
    assert ">\N{MINUS SIGN}0." in client.get(page).content.decode()
    (other,) = add_metrics(factory.make_campaign(roles=Roles()), "m2.txt", BLEU)
    remove, its = reverse("remove_metric", args=[campaign.slug]), {"name": metric.name, "level": metric.level}
    client.post(remove, its)
    assert list(Metric.objects.all()) == [other]
    assert "already been removed" in client.post(remove, its, follow=True).content.decode()


def test_the_command_reports_added_metrics_and_problems(campaign, tmp_path, capsys):
    (tmp_path / "bleu.txt").write_bytes(BLEU)
    (tmp_path / "bad.txt").write_bytes(b"Heron 1\n")
    (tmp_path / "good.txt").write_bytes(BLEU)
    add = (campaign.slug, "add-metrics", "--files")
    assert call_command("act", *add, str(tmp_path / "bleu.txt")) == (
        "Added scores by bleu. The next report will use them."
    )
    assert call_command("act", *add, str(tmp_path / "bleu.txt")) == (
        "Added scores by bleu in place of the earlier ones by bleu. The next report will use them."
    )
    with pytest.raises(CommandError, match="Nothing was stored"):
        call_command("act", *add, str(tmp_path / "good.txt"), str(tmp_path / "bad.txt"))
    assert Metric.objects.get().name == "bleu"
