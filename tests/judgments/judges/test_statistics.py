"""How carefully a judge works: controls put below their source, and the codes that follow."""

from uuid import uuid4

import pytest

from judgments.assignment import claiming
from judgments.judges import statistics
from judgments.judging.submission import submit
from judgments.material.rules.reading import Roles
from judgments.models import Assignment, Campaign, Completion, Membership
from judgments.protocols.rating import Score
from judgments.protocols.rows import shown_slots
from tests import factory

CONTROL = [f"{line} again again" for line in factory.SOURCE]


def controlled(protocol: str, **settings) -> Campaign:
    """A campaign with a control on every screen."""
    texts = {"source": factory.SOURCE, **factory.SYSTEMS, "worse": CONTROL}
    roles = Roles(source_takes_part=True, controls=frozenset({"worse"}))
    return factory.open_campaign(texts, roles, protocol=protocol, control_share=1.0, batch_size=5, **settings)


def judge_carefully(assignment: Assignment, careful: bool) -> None:
    """The control is put last, or level with all others."""
    is_control = [slot.candidate.text.endswith("again again") for slot in shown_slots(assignment)]
    if assignment.campaign.protocol == "rating":
        answers = [Score(10 if careful and control else 80) for control in is_control]
    else:
        answers = [2 if careful and control else 1 for control in is_control]
    submit(assignment, key=uuid4(), answers=answers)


def judge_batch(judge: Membership, careful: int) -> Completion:
    """A batch in which the first few controls are seen through."""
    number = 0
    while assignment := claiming.claim_next(judge):
        judge_carefully(assignment, number < careful)
        number += 1
    return claiming.finish_batch(judge)


@pytest.mark.parametrize("protocol", ["ranking", "rating"])
def test_controls_below_their_source_are_counted(db, protocol):
    ada = factory.judge(controlled(protocol), "ada")
    judge_batch(ada, careful=3)
    assert statistics.controls(ada) == statistics.Controls(seen=5, passed=3)


def test_the_newest_answer_counts_and_a_skip_says_nothing_about_care(db):
    ada = factory.judge(controlled("rating"), "ada")
    submit(claiming.claim_next(ada), key=uuid4(), skip_reason="cannot tell")
    assert statistics.controls(ada).seen == 0
    assignment = claiming.claim_next(ada)
    judge_carefully(assignment, careful=False)
    judge_carefully(assignment, careful=True)
    assert statistics.controls(ada) == statistics.Controls(seen=1, passed=1)


@pytest.mark.parametrize(
    ("controls", "share", "met"),
    [((10, 7), 0.7, True), ((10, 6), 0.7, False), ((0, 0), 0.7, None), ((10, 0), None, None), ((3, 3), 1.0, True)],
)
def test_a_share_is_met_missed_or_not_required(controls, share, met):
    assert statistics.Controls(*controls).passes(share) is met


@pytest.mark.parametrize(
    ("careful", "failed_code", "code"),
    [(5, "BADLY", "WELL"), (4, "BADLY", "WELL"), (3, "BADLY", "BADLY"), (0, "", "WELL")],  # perhaps there is only one
)
def test_the_completion_code_depends_on_the_controls_passed(db, careful, failed_code, code):
    campaign = controlled("rating", control_pass_share=0.7, completion_code="WELL", failed_code=failed_code)
    ada = factory.judge(campaign, "ada")
    completion = judge_batch(ada, careful)
    assert (completion.passed, completion.code) == (careful >= 4, code)
    for assignment in Assignment.objects.filter(judge=ada, submitted_at__isnull=False):
        judge_carefully(assignment, careful=careful < 4)
    assert claiming.finish_batch(ada).code == code, "it does not change by changing answers afterwards"
