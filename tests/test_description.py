"""The description of the API names every address, and is true of every request."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, transaction
from django.urls import URLPattern, URLResolver, get_resolver
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from appraise_gec.wsgi import application
from judgments.assignment import planning
from judgments.jobs import tasks
from judgments.jobs.attempts import run_now
from judgments.judges import programs
from judgments.judges import programs as judge_programs
from judgments.material import uploads
from judgments.material.rules.reading import Roles
from judgments.models import Alarm, Membership, System
from ranking.reports.building import request_report
from tests import factory

EXAMPLES = 20
CHECKS = [
    not_a_server_error,
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
]
DESCRIPTION = SchemaGenerator().get_schema(request=None, public=True)
GUIDE = (Path(__file__).parent.parent / "docs" / "api.md").read_text(encoding="utf-8")
OPERATIONS = [(path, verb) for path, verbs in DESCRIPTION["paths"].items() for verb in verbs]
# What a program asks and not an organiser.
FROM_ASSIGNMENTS = {("/api/campaigns/{slug}/assignments/", "post"), ("/api/assignments/{id}/", "get")}


@pytest.fixture
def _one_connection():
    """The application is called in this very thread, whose connection holds the transaction of the test."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture(scope="module")
def furnished(lasting) -> dict[str, Any]:
    with lasting(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(tasks, "wake_worker", lambda queue: None)
        return furnish()


@pytest.fixture
def house(furnished, db, no_worker, settings, _one_connection) -> dict[str, Any]:
    """A campaign in which there is one of everything, and the tokens of who asks."""
    settings.ALLOWED_HOSTS = ["localhost"]
    return furnished


def furnish() -> dict[str, Any]:
    campaign = factory.open_campaign()
    ada, olga = factory.judge(campaign, "ada"), factory.organiser(campaign, "olga")
    factory.judge_batch(ada)
    report, other = request_report(campaign, olga), request_report(campaign, olga)
    run_now(report)
    run_now(other)
    upload = uploads.upload_files(campaign, olga, factory.upload({"Plover": factory.SOURCE}), Roles())
    program = programs.enrol(campaign, "robin")
    robin = Membership.objects.get(pseudonym="robin")
    (assignment,) = programs.claim(robin, 1)
    figures = {"screens": 1, "speed": 40, "usual": 4, "bound": 32}
    by_part = {
        "systems": System.objects.filter(campaign=campaign)[0].pk,
        "uploads": upload.pk,
        "judges": ada.pk,
        "programs": robin.pk,
        "organisers": Membership.objects.get(user=olga).pk,
        "alarms": Alarm.objects.create(judge=ada, kind="haste", first=1, last=1, figures=figures).pk,
        "metrics": 1,
        "jobs": planning.request(campaign, olga, {}, 1, False).pk,
        "reports": report.pk,
        "assignments": assignment.pk,
    }
    return {"slug": campaign.slug, "ids": by_part, "other": other.pk, "organiser": judge_programs.token_of("olga"),
            "program": program}  # fmt: skip


def paths_of(patterns: list[Any], before: str = "") -> set[str]:
    """Every address of a resolver, with what varies in braces."""
    found = set()
    for pattern in patterns:
        path = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            found |= paths_of(pattern.url_patterns, path)
        elif isinstance(pattern, URLPattern):
            found.add("/" + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", path).replace("{pk}", "{id}"))
    return found


def test_every_address_is_described_listed_in_the_guide_and_says_whether_it_takes_keys():
    described = {path for path, _ in OPERATIONS}
    there = {path for path in paths_of(get_resolver().url_patterns) if path.startswith("/api/")}
    assert there == described | {"/api/schema/"}
    rows = re.findall(r"^\| (`[/…].*?) \|", GUIDE, re.MULTILINE)
    listed = {
        re.sub(r"ID|SLUG|NAME|KIND", "{}", address.replace("…", "/api/campaigns/SLUG/"))
        for row in rows
        for address in re.findall("`(.*?)`", row)
    }
    described = {re.sub(r"{\w+}", "{}", path) for path, _ in OPERATIONS}
    assert listed == described | {"/api/schema/"}
    taken = {
        (path, verb)
        for path, verb in OPERATIONS
        for parameter in DESCRIPTION["paths"][path][verb].get("parameters", [])
        if parameter["name"] == "Idempotency-Key"
    }
    assert ("/api/campaigns/{slug}/reports/", "post") in taken
    assert ("/api/campaigns/{slug}/uploads/", "post") in taken
    assert all(verb == "post" for _, verb in taken)


def test_the_ends_of_a_list_have_no_neighbour():
    """As OpenAPI 3.1 says it, which strict clients read: `nullable` is of 3.0."""
    assert '"nullable"' not in json.dumps(DESCRIPTION)
    pages = DESCRIPTION["components"]["schemas"]["PaginatedJudgmentList"]["properties"]
    assert pages["next"]["type"] == pages["previous"]["type"] == ["string", "null"]


@pytest.mark.wide
@pytest.mark.django_db
def test_it_is_served_to_everybody(client):
    answer = client.get("/api/schema/")
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/vnd.oai.openapi+json"
    assert answer.json()["paths"].keys() == DESCRIPTION["paths"].keys()


@pytest.mark.long
@pytest.mark.parametrize(("path", "verb"), OPERATIONS)
def test_every_request_is_answered_as_described(path, verb, house):
    operation = schemathesis.openapi.from_dict(DESCRIPTION)[path][verb]
    token = house["program"] if (path, verb) in FROM_ASSIGNMENTS or "judgment/" in path else house["organiser"]
    part = next((part for part in house["ids"] if f"/{part}/{{id}}" in path), None)
    real = {"slug": house["slug"], "id": house["ids"].get(part), "other": house["other"]}

    @given(case=operation.as_strategy(), is_there=st.sampled_from([True, True, True, False]))
    @settings(
        max_examples=EXAMPLES, derandomize=True, database=None, phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    def ask(case, is_there):
        if is_there:
            case.path_parameters |= {name: real[name] for name in case.path_parameters if name in real}
        with transaction.atomic():
            answer = case.call(app=application, headers={"Authorization": f"Token {token}"})
            transaction.set_rollback(True)
        case.validate_response(answer, checks=CHECKS)

    ask()
