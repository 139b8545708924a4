"""A record of each system has what Every Eval Ever asks for: the numbers of the report, as they are."""

import json
import re
from datetime import UTC, datetime
from math import isfinite
from typing import Any

import pytest

from judgments.models import Campaign
from ranking.models import Report
from ranking.numbers.tables import Table
from ranking.publishing.eval_records import eval_records
from ranking.publishing.facts import PublicFacts, ReleaseChoices
from ranking.reports.renaming import AnonymousReport
from ranking.stats.choices import PROGRAMS
from tests.ranking.publishing.cast import PROTOCOLS, files_of, told

# COLLECTION/DEVELOPER/MODEL/UUID.json, with a UUID of version 4.
UUID4 = r"[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}"
PLACE = re.compile(rf"every_eval_ever/[\w-]+/unknown/[\w.-]+/{UUID4}\.json")
CHOSEN = {"level": 0.95, "looks": "once", "unit": "sentence", "beta": 0.5}


def records_of(study: str, protocol: str, contact: str = "", **tables: list[dict[str, Any]]) -> dict[str, dict]:
    """Records by name of file, of a report that is not stored; lines are filled up with None."""
    campaign = Campaign(name="GEC", slug="gec", protocol=protocol)
    report = Report(
        campaign=campaign, study=study, parameters=CHOSEN, signature="recipe", judgments=120,
        finished_at=datetime(2026, 6, 1, 13, tzinfo=UTC), exclusion={PROGRAMS: "Judged by people and a program."},
    )  # fmt: skip
    found = {
        name: Table.of(name, tuple(lines[0]), [tuple(line.values()) for line in lines])
        for name, lines in tables.items()
    }
    facts = PublicFacts(report, ReleaseChoices("cc0-1.0", creators=("An Institute",), contact=contact), contact, True)
    return {
        name: json.loads(text) for name, text in eval_records(AnonymousReport(report, found, {}, {}), facts).items()
    }


def check_record(record: dict[str, Any]) -> None:
    """What version 0.3.0 of the schema and the datastore require, by hand."""
    assert record["schema_version"] == "0.3.0"
    assert record.keys() == {
        "schema_version", "evaluation_id", "evaluation_timestamp", "retrieved_timestamp", "source_metadata",
        "eval_library", "model_info", "evaluation_results",
    }  # fmt: skip
    assert record["source_metadata"]["source_type"] == "evaluation_run"
    assert record["source_metadata"]["evaluator_relationship"] == "other"
    assert record["source_metadata"]["source_organization_name"]
    assert record["eval_library"]["name"]
    assert record["eval_library"]["version"]
    model = record["model_info"]
    assert model["name"]
    assert model["additional_details"] == {"deployment_type": "unknown", "model_availability": "unknown"}
    assert record["evaluation_id"].split("/")[1:3] == model["id"].split("/")
    assert int(record["retrieved_timestamp"]) % 86_400 == 0, "no time of day"
    assert record["evaluation_results"]
    for result in record["evaluation_results"]:
        assert result["evaluation_name"]
        source, metric = result["source_data"], result["metric_config"]
        assert source["dataset_name"]
        assert source["source_type"] == "other" or (source["source_type"] == "url" and source["url"])
        assert metric["lower_is_better"] is False
        score, uncertainty = result["score_details"]["score"], result["score_details"]["uncertainty"]
        assert isfinite(score)
        assert metric["score_type"] == "continuous"
        assert float(metric["min_score"]) <= score <= float(metric["max_score"])
        assert type(uncertainty["num_samples"]) is int
        if interval := uncertainty.get("confidence_interval"):
            assert interval["lower"] <= score <= interval["upper"]
            assert 0 < interval["confidence_level"] < 1
        for details in (model["additional_details"], result["score_details"]["details"]):
            assert all(type(value) is str for value in details.values())


def standing(method: str, system: str, score: float) -> dict[str, Any]:
    return {
        "method": method, "unit": "sentence", "cluster": 1, "rank": 1, "system": system, "score": score,
        "score_low": score - 0.1, "score_high": score + 0.1, "rank_low": 1, "rank_high": 2, "p_best": None,
    }  # fmt: skip


def test_a_ranking_gives_each_system_its_score_by_every_method_with_interval_and_ranks():
    lines = [
        standing("expected-wins", "A/B c", 0.6),
        standing("bradley-terry", "A/B c", 1.5),
        standing("expected-wins", "D", 0.4),
    ]
    found = records_of("comparisons", "ranking", "https://example.org/paper", standings=lines)
    assert all(map(PLACE.fullmatch, found))
    assert [name.split("/")[3] for name in found] == ["A-B-c", "D"]
    first, _ = found.values()
    check_record(first)
    assert first["model_info"]["name"] == "A/B c"
    assert first["evaluation_id"] == "gec/unknown/A-B-c/1780272000"
    assert first["eval_library"]["additional_details"] == {"signature": "recipe"}
    wins, strength = first["evaluation_results"]
    assert wins["metric_config"]["evaluation_description"].endswith(
        "version is better. Judged by people and a program."
    )
    assert wins["source_data"] == {
        "dataset_name": "Judgments of GEC",
        "source_type": "url",
        "url": ["https://example.org/paper"],
    }
    assert (wins["metric_config"]["metric_id"], wins["metric_config"]["metric_name"]) == (
        "appraise_gec.expected-wins",
        "Expected Wins",
    )
    assert (wins["metric_config"]["min_score"], wins["metric_config"]["max_score"]) == (0, 1)
    assert wins["score_details"] == {
        "score": 0.6,
        "details": {"rank": "1", "rank_low": "1", "rank_high": "2", "cluster": "1"},
        "uncertainty": {
            "num_samples": 120,
            "confidence_interval": {
                "lower": 0.5, "upper": 0.7, "confidence_level": 0.95, "method": "bootstrap (sentence)",
            },
        },
    }  # fmt: skip
    assert (strength["metric_config"]["min_score"], strength["metric_config"]["max_score"]) == ("-Infinity", "Infinity")


ENDS = {"low": 0.2, "high": 0.4}


def ended(name: str, value: float | None) -> dict[str, Any]:
    return {name: value} | {f"{name}_{end}": place for end, place in ENDS.items()}


@pytest.mark.parametrize(
    ("study", "protocol", "tables", "expected"),
    [
        ("comparisons", "rating", {"standings": [standing("mean-score", "A", 61.5)]}, [("mean-score", 61.5, 0, 100)]),
        (
            "verdicts", "verdict",
            {"measures": [
                {"system": "A", "by": by, **ended("precision", 0.3), **ended("recall", 0.25), **ended("f", None)}
                for by in ("weighted", "unweighted")
            ]},
            [("crowd-precision", 0.3, 0, 1), ("crowd-recall", 0.25, 0, 1)],
        ),
        (
            "corrections", "correction",
            {"combinations": [
                {"gold": gold, "kind": kind, "who": who, **ended("f", 0.1 * gold + 0.1), "ratio": 0.8}
                for gold in (1, 2) for kind, who in (("people", "people"), ("system", "A"))
            ]},
            [("m2-f0.5", pytest.approx(0.3), 0, 1)],
        ),
        (
            "edits", "marking",
            {"edit_systems": [{"system": "A", "edits": 5, "right_a_sentence": 1.0, "wrong_a_sentence": 0.5,
                               "missed_a_sentence": 0.1, **ended("precision", 0.3)}]},
            [("right-edits", 0.3, 0, 1)],
        ),
        (
            "essays", "essays",
            {"essay_answers": [{"scale": "Fluency", "scale_low": 1, "scale_high": 5}],
             "essay_scales": [{"scale": "Fluency", "system": "A", "measure": measure, "unit": "sentence", "texts": 9,
                               "value": 3.5, "value_low": 3.0, "value_high": 4.0}
                              for measure in ("mean-score", "z-score")]},
            [("mean.Fluency", 3.5, 1, 5)],
        ),
        ("programs", "rating", {"program_estimates": [{"system": "A", "classical": 0.3}]}, None),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_each_kind_of_report_gives_the_scores_of_its_main_table(study, protocol, tables, expected):
    found = list(records_of(study, protocol, **tables).values())
    if expected is None:
        assert found == []
        return
    (record,) = found
    check_record(record)
    configs = [(one["metric_config"], one["score_details"]["score"]) for one in record["evaluation_results"]]
    assert [
        (config["metric_id"].removeprefix("appraise_gec."), score, config["min_score"], config["max_score"])
        for config, score in configs
    ] == expected


@pytest.mark.wide
@pytest.mark.django_db
@pytest.mark.parametrize("protocol", [*PROTOCOLS, "essays"])
def test_a_release_has_a_record_of_each_system_that_its_report_scores(protocol):
    report = told(protocol)
    files = {name: content for name, content in files_of(report).items() if name.startswith("every_eval_ever/")}
    assert all(map(PLACE.fullmatch, files))
    records = [json.loads(content) for content in files.values()]
    assert records
    for record in records:
        check_record(record)
        assert record["eval_library"]["additional_details"]["signature"] == report.signature
    assert len({record["model_info"]["name"] for record in records}) == len(records)
