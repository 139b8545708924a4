"""A campaign with everything that a reader of a paper must know, read in the text that authors paste."""

import pytest

from judgments.actions.judges import ExcludeJudge
from judgments.jobs.attempts import run_now
from judgments.protocols.rows import shown_slots
from ranking.numbers.version import VERSION
from ranking.reports import building, downloads
from ranking.reports.kinds.kind import answer_of
from ranking.stats.comparisons.study import PRESETS
from tests import factory

TEXTS = {name: [f"{name} {number}" for number in range(12)] for name in ("source", "Heron", "Wren", "Magpie")}
pytestmark = pytest.mark.django_db


def ranked(turned: bool):
    """Judges who rank by the alphabet, the one from A, the other from Z."""

    def answers(assignment):
        texts = [slot.candidate.text for slot in shown_slots(assignment)]
        places = {text: place for place, text in enumerate(sorted(texts, reverse=turned), 1)}
        return [places[text] for text in texts]

    return answers


@pytest.fixture(scope="module")
def texts(lasting) -> dict[str, dict[str, str]]:
    """The files to paste of a report by each of two presets."""
    settings = {
        "consent": "You *agree*.", "tutorial": factory.TUTORIAL, "questions": factory.QUESTIONS,
        "redundancy": 3, "repeat_share": 0.2, "control_share": 0.1, "screen_size": 3,
    }  # fmt: skip
    with lasting():
        campaign = factory.open_campaign(TEXTS, **settings)
        for name, turned in (("ada", False), ("ben", True), ("eve", False)):
            factory.answer_all(factory.judge(campaign, name), ranked(turned))
        factory.act(ExcludeJudge, campaign.membership_set.get(pseudonym="eve"), reason="answers by the alphabet")
        found = {}
        for name in ("recommended", "grundkiewicz2015"):
            report = building.request_report(
                campaign, preset=name, parameters=PRESETS[name].with_changes(replicates=200)
            )
            run_now(report)
            report.refresh_from_db()
            found[name] = answer_of(report, downloads.tables_of(report)).paper.files()
        return found


@pytest.mark.parametrize("preset", ["recommended", "grundkiewicz2015"])
@pytest.mark.parametrize(
    "sentence",
    [
        "Judges saw up to 3 outputs of a sentence at a time, in an order drawn for each of them and without the names "
        "of systems; each of 24 screens was judged by 2 judges.",
        "Their 72 answers include 24 repeats and no controls.",
        "Before their first screen, judges agreed to a text of consent, worked through a tutorial and answered "
        "questions on the instructions, 80% of them right.",
        "In all, 1 of 3 judges was excluded by the organisers.",
        "(worse than chance) between judges",
        "Every output of every sentence is shown, so these numbers describe these sentences.",
        "No exclusion rule was set; judges are excluded by hand only.",
    ],
)
def test_the_text_says(texts, preset, sentence):
    assert sentence in texts[preset]["paper.md"]


def test_a_preset_whose_unit_is_too_narrow_takes_its_caveat_along_and_promises_no_error(texts):
    narrow = "Pairs of a sentence were drawn as if independent, so intervals are too narrow."
    assert narrow in texts["grundkiewicz2015"]["paper.md"]
    assert "at most 5%" not in texts["grundkiewicz2015"]["paper.md"]
    assert "tested by itself at a nominal familywise error rate of 5%" in texts["grundkiewicz2015"]["paper.md"]
    assert narrow not in texts["recommended"]["paper.md"]
    assert "tested by itself with a familywise error rate of 5%" in texts["recommended"]["paper.md"]
    for files in texts.values():
        assert f"version {VERSION}" in files["references.bib"]
        assert not {"ada", "ben", "eve"} & set(files["paper.md"].split())
