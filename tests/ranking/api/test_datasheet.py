"""The datasheet for programs: the content of datasheet.json, and changes answer by answer."""

import pytest
from django.urls import reverse

from judgments.judges import programs
from ranking.models import Report
from ranking.reports import building
from tests.program import Program, refused


@pytest.fixture
def program(olga) -> Program:
    return Program(programs.token_of("olga"))


@pytest.fixture
def address(campaign) -> str:
    return reverse("api_datasheet", args=[campaign.slug])


def change(program: Program, address: str, answers: dict):
    return program.client.patch(address, {"answers": answers}, content_type="application/json")


def test_a_program_reads_the_file_of_the_page_and_chooses_the_report(program, address, campaign, olga, browser_of):
    file = browser_of(olga).get(reverse("datasheet_file", args=[campaign.slug, "json"]))
    assert program.get(address).json() == file.json()
    first, second = (building.request_report(campaign) for _ in range(2))
    Report.objects.update(state=Report.State.DONE)
    assert program.get(address).json()["report"]["number"] == second.pk
    assert program.get(f"{address}?report={first.pk}").json()["report"] == {"number": first.pk, "name": first.name}
    assert "no finished report with this number" in refused(program.client.get(f"{address}?report=0"), 404)


def test_a_program_changes_the_answers_that_it_names(program, address, campaign):
    change(program, address, {"1.1.2": {"words": "a paper"}, "3.3.8": {"words": "N/A"}})
    answer = change(program, address, {"1.1.2": {}, "1.2": {"chosen": ["none"]}})
    assert answer.status_code == 200
    assert "1.1.2" in answer.json()["missing"]
    campaign.refresh_from_db()
    assert campaign.datasheet == {"1.2": {"chosen": ["none"]}, "3.3.8": {"words": "N/A"}}
    sheet = program.get(f"{address}?edition=2.0").json()
    assert (sheet["edition"], sheet["questions"]) == ("2.0", 50)
    assert not {"1.2", "3.3.8"} & {*sheet["missing"]}
    assert "no such edition" in refused(program.client.get(f"{address}?edition=1.0"), 404)


@pytest.mark.parametrize(("answers", "reason"), [
    ({"9.9": {"words": "x"}}, "there is no such question"),
    ({"3.3.7": {"chosen": ["moon"]}}, "has no option 'moon'"),
    ({"1.1.2": {"word": "x"}}, "Unknown field"),
])  # fmt: skip
def test_wrong_answers_are_refused(program, address, campaign, answers, reason):
    assert reason in refused(change(program, address, answers), 400)
    campaign.refresh_from_db()
    assert campaign.datasheet == {}
