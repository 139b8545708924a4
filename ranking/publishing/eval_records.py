"""Records of judged systems in the format of Every Eval Ever: evaleval/every_eval_ever, schema 0.3.0.

Files lie as in its datastore, COLLECTION/DEVELOPER/MODEL/UUID.json. Their names come from what they hold, and their
times are the day of the report, because a release says no time of day and has the same bytes every time.
"""

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import sha256
from math import isfinite
from typing import Any
from uuid import UUID

from judgments.protocols import protocol_of
from ranking.models import Report
from ranking.numbers.version import VERSION
from ranking.publishing.facts import PublicFacts
from ranking.reports.kinds.kind import SystemScore, kind_of
from ranking.reports.renaming import AnonymousReport
from ranking.stats.choices import PROGRAMS

SCHEMA = "0.3.0"
RECORDS = "every_eval_ever"
# Whose a system is and how it runs, the platform does not know.
UNKNOWN = "unknown"


def eval_records(anonymous: AnonymousReport, facts: PublicFacts) -> dict[str, str]:
    """The records by name of file; none of kinds of reports that do not score systems."""
    report, files = anonymous.report, {}
    scores: dict[str, list[SystemScore]] = {}
    for one in kind_of(report).system_scores(anonymous.tables, report.parameters):
        if one.score is not None:
            scores.setdefault(one.system, []).append(one)
    source: dict[str, Any] = {"dataset_name": facts.title}
    source |= {"source_type": "url", "url": [facts.address]} if facts.address else {"source_type": "other"}
    stamp = f"{datetime.fromisoformat(facts.date).replace(tzinfo=UTC).timestamp():.0f}"
    for system, of_system in scores.items():
        portable = re.sub(r"[^\w.-]+", "-", system).strip(".-")
        model = f"{UNKNOWN}/{portable or UNKNOWN}"
        record = {
            "schema_version": SCHEMA,
            "evaluation_id": f"{report.campaign.slug}/{model}/{stamp}",
            "evaluation_timestamp": stamp,
            "retrieved_timestamp": stamp,
            "source_metadata": {
                "source_name": facts.title,
                "source_type": "evaluation_run",
                "source_organization_name": "; ".join(facts.creators),
                "evaluator_relationship": "other",
            },
            "eval_library": {
                "name": "appraise-gec",
                "version": VERSION,
                "additional_details": {"signature": report.signature},
            },
            "model_info": {
                "name": system,
                "id": model,
                "developer": UNKNOWN,
                "additional_details": {"deployment_type": UNKNOWN, "model_availability": UNKNOWN},
            },
            "evaluation_results": [_result(one, report, source) for one in of_system],
        }
        content = json.dumps(record, ensure_ascii=False, indent=1) + "\n"
        name = UUID(bytes=sha256(content.encode()).digest()[:16], version=4)
        files[f"{RECORDS}/{report.campaign.slug}/{model}/{name}.json"] = content
    return files


def _result(one: SystemScore, report: Report, source: Mapping[str, Any]) -> dict[str, Any]:
    campaign = report.campaign
    asked = f"The protocol {campaign.protocol} {protocol_of(campaign).explanation}."
    metric: dict[str, Any] = {
        "evaluation_description": " ".join([asked, *filter(None, [report.exclusion.get(PROGRAMS)])]),
        "metric_id": f"appraise_gec.{one.metric}",
        "metric_name": one.label,
        "lower_is_better": False,
        "score_type": "continuous",
    }
    for name, end, infinity in zip(("min_score", "max_score"), one.bounds, ("-Infinity", "Infinity"), strict=True):
        metric[name] = end if isfinite(end) else infinity  # in words, as the schema has it: JSON has no such number
    uncertainty: dict[str, Any] = {"num_samples": report.judgments}
    if one.low is not None:
        uncertainty["confidence_interval"] = {
            "lower": one.low,
            "upper": one.high,
            "confidence_level": report.parameters["level"],
            "method": one.interval,
        }
    details = {name: str(value) for name, value in one.details.items() if value is not None}
    return {
        "evaluation_name": campaign.slug,
        "source_data": source,
        "metric_config": metric,
        "score_details": {"score": one.score, "details": details, "uncertainty": uncertainty},
    }
