"""A kind of report that is defined and registered here has everything that reports have; without one, a sentence."""

import io
import json
import zipfile
from dataclasses import replace

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from judgments.jobs.attempts import run_now
from judgments.models import Campaign
from judgments.protocols import PROTOCOLS, protocol_of
from ranking.models import Report
from ranking.reports import boards, building, downloads
from ranking.reports.kinds import registry
from ranking.stats.analysis import make_again
from tests import factory
from tests.ranking.reports.kinds.toy import STUDY, TOY

NO_REPORT = "There is no report for campaigns of this protocol yet."


@pytest.fixture
def toys(campaign, ada, monkeypatch) -> Campaign:
    """A campaign with judgments by Ada, of a protocol whose kind of report is not there."""
    factory.answer_all(ada)
    monkeypatch.setitem(PROTOCOLS, campaign.protocol, replace(protocol_of(campaign), report_kinds=(TOY.name,)))
    monkeypatch.setattr(registry, "KINDS", dict(registry.KINDS))
    return campaign


@pytest.fixture
def registered(toys) -> None:
    registry.register(TOY)


@pytest.fixture
def client(toys, olga, browser_of, no_worker):
    return browser_of(olga)


def ask(client, campaign: Campaign, **chosen: object) -> Report:
    client.post(reverse("new_report", args=[campaign.slug]), {"preset": "recommended", **chosen})
    report = Report.objects.get()
    run_now(report)
    report.refresh_from_db()
    return report


@pytest.mark.usefixtures("registered")
class TestRegistered:
    def test_the_form_has_its_presets_and_its_page_its_chapters_and_numbers(self, client, toys):
        page = client.get(reverse("report_list", args=[toys.slug])).content.decode()
        assert "A report counts the toys stored when it is made" in page
        assert "Louder: count loudly" in page
        report = ask(client, toys, preset="louder", seed=7)
        assert (report.state, report.preset) == (Report.State.DONE, "louder")
        assert report.signature.startswith(f"toy|judgments:{report.judgments}|replicates:1000|level:0.99|seed:7")
        assert report.gaps == {"never": "It never is."}
        page = client.get(reverse("report", args=[report.pk])).content.decode()
        for words in ("All toys", "Who has how many.", "There are toys.", "What never is", "toy_counts.csv"):
            assert words in page
        counted = client.get(reverse("report_file", args=[report.pk, "toy_counts.csv"])).content.decode()
        assert counted == f"judge,judgments\nada,{report.judgments}\n"

    def test_it_is_out_of_date_when_somebody_has_judged(self, client, toys):
        report = ask(client, toys)
        assert not building.is_stale(report)
        factory.answer_all(factory.judge(toys, "ben"))
        assert building.is_stale(Report.objects.get())

    def test_the_board_and_the_commands_know_it(self, toys, capsys):
        assert boards.has_ranking(toys)
        assert "| ada |" in call_command("build_report", toys.slug)

    def test_the_api_takes_its_choices(self, client, toys):
        address = reverse("api_reports", args=[toys.slug])
        wrong = client.post(address, {"preset": "madnani2011"}, content_type="application/json")
        assert "choose from recommended, louder" in wrong.content.decode()
        made = client.post(address, {"preset": "louder", "seed": 3}, content_type="application/json")
        assert made.status_code == 201, made.content
        assert Report.objects.get().parameters["seed"] == 3

    def test_its_bundle_makes_it_again(self, client, toys, tmp_path):
        report = ask(client, toys)
        bundle = zipfile.ZipFile(io.BytesIO(downloads.bundle(report)))
        assert "from tests.ranking.reports.kinds.toy import STUDY" in bundle.read("make_again.py").decode()
        assert json.loads(bundle.read("inputs/study.json"))["counts"] == {"ada": report.judgments}
        bundle.extractall(tmp_path)
        assert make_again(STUDY, tmp_path) == "All 3 files are the same, byte for byte."


class TestWithoutAKind:
    def test_the_page_and_the_api_say_so_and_make_none(self, client, toys):
        page = client.get(reverse("report_list", args=[toys.slug]))
        assert page.status_code == 200
        assert NO_REPORT in page.content.decode()
        assert reverse("new_report", args=[toys.slug]) not in page.content.decode()
        page = client.post(reverse("new_report", args=[toys.slug]), {"preset": "recommended"})
        assert NO_REPORT in page.content.decode()
        assert not Report.objects.exists()
        answer = client.post(reverse("api_reports", args=[toys.slug]), {}, content_type="application/json")
        assert answer.status_code == 409
        assert NO_REPORT in answer.content.decode()

    def test_the_board_shows_no_ranking_and_the_command_says_so(self, client, toys):
        page = client.get(reverse("board", args=[toys.slug])).content.decode()
        assert "The ranking so far" not in page
        with pytest.raises(CommandError, match=NO_REPORT):
            call_command("build_report", toys.slug)
