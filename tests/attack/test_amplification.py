"""No small request has a large answer, nor makes the server take up many times as much as it was sent."""

import json
import tracemalloc

import pytest
from django.db import transaction

from judgments.api.base.inputs import MOST_FAULTS
from tests.attack.test_assignment import WRITING, way_to
from tests.test_description import _one_connection, furnished, house  # noqa: F401 (fixtures)

MANY = 20_000
LONGEST_ANSWER = 20_000
LISTS = ("answers", "edits", "names", "metrics", "references", "controls", "systems", "f_betas", "methods")


def sent(path: str, verb: str, house: dict, body: object):  # noqa: F811
    client, address = way_to(path, verb, house)
    with transaction.atomic():
        answer = getattr(client, verb)(address, json.dumps(body), content_type="application/json")
        transaction.set_rollback(True)
    return answer


@pytest.mark.long
@pytest.mark.parametrize(("path", "verb"), WRITING)
def test_twenty_thousand_faults_get_a_short_answer(path, verb, house):  # noqa: F811
    for body in ({f"x{number}": 0 for number in range(MANY)}, {name: [0] * MANY for name in LISTS}):
        answer = sent(path, verb, house, body)
        if answer.status_code == 400:
            assert len(answer.content) < LONGEST_ANSWER
            assert 0 < len(answer.json()["errors"]) <= MOST_FAULTS + 1


@pytest.mark.long
@pytest.mark.parametrize(
    "body", [{"answers": [0] * 200_000}, {"answers": [{"edits": [0] * 200_000}]}, {"answers": [{}] * 200_000}]
)
def test_a_list_that_is_too_long_is_refused_before_it_is_looked_into(house, body):  # noqa: F811
    (path,) = [path for path, _ in WRITING if path.endswith("/judgment/")]
    tracemalloc.start()
    answer = sent(path, "post", house, body)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert answer.status_code == 400
    assert peak < 100 * len(json.dumps(body))
