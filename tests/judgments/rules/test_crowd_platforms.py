"""Crowd platforms: their parameters, and the way back for their workers."""

from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgments.rules.crowd_platforms import (
    fault_of_return_address,
    is_just_looking,
    parameters,
    return_address,
    worker_of,
)

PROLIFIC = "https://app.prolific.com/submissions/complete?cc={code}"
MTURK = "https://www.mturk.com/mturk/externalSubmit?assignmentId={assignmentId}&code={code}"


def test_parameters_of_platforms_are_kept_and_a_worker_who_only_looks_is_known():
    query = {"PROLIFIC_PID": "p1", "STUDY_ID": "s1", "SESSION_ID": "", "next": "//evil"}
    assert parameters(query) == {"PROLIFIC_PID": "p1", "STUDY_ID": "s1"}
    assert parameters({"workerId": "w" * 500}) == {"workerId": "w" * 200}
    assert is_just_looking({"assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE"})
    assert not is_just_looking({"assignmentId": "3X"})


@pytest.mark.parametrize(
    ("query", "worker"),
    [({"PROLIFIC_PID": "p1"}, "p1"), ({"workerId": "w1"}, "w1"), ({"hitId": "h"}, ""), ({}, "")],
)
def test_a_worker_is_who_the_platform_names(query, worker):
    assert worker_of(query) == worker


def test_code_and_parameters_are_given_back():
    assert return_address(PROLIFIC, "C1A2", {}) == "https://app.prolific.com/submissions/complete?cc=C1A2"
    assert return_address(MTURK, "A B&c", {"assignmentId": "3/X"}).endswith("?assignmentId=3%2FX&code=A%20B%26c")
    assert return_address(MTURK, "A", {}).endswith("?assignmentId=&code=A")


@pytest.mark.parametrize(
    ("address", "is_good"),
    [
        *[(address, True) for address in (PROLIFIC, MTURK, "https://example.org/done")],
        ("http://example.org/?c={code}", False),
        ("javascript:alert(1)", False),
        ("//example.org/{code}", False),
        ("https://{turkSubmitTo}/mturk", False),
        ("https://{code}.example.org/", False),
        *[
            (f"https://example.org/{{{field}", False)
            for field in ("nothing}", "code.__class__}", "code!r}", "code:>9}", "")
        ],
        ("https://[/", False),
        ("", False),
    ],
)
def test_bad_addresses_are_refused_with_a_reason(address, is_good):
    fault = fault_of_return_address(address)
    assert fault is None if is_good else fault


@given(st.text(), st.dictionaries(st.sampled_from(["workerId", "assignmentId"]), st.text()))
def test_no_parameter_leads_to_another_host(code, given_parameters):
    address = urlsplit(return_address(MTURK, code, given_parameters))
    assert (address.scheme, address.netloc, address.path) == ("https", "www.mturk.com", "/mturk/externalSubmit")
    assert set(parse_qs(address.query, keep_blank_values=True)) == {"assignmentId", "code"}
