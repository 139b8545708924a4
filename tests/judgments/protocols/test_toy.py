"""A protocol that is defined and registered here goes all the way, from its settings to its archive."""

import csv
import io
from pathlib import Path
from uuid import uuid4

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client, override_settings
from django.urls import reverse
from drf_spectacular.generators import SchemaGenerator

from judgments.archive.importing import import_campaign
from judgments.assignment import claiming
from judgments.exchange.exporters import EXPORTS
from judgments.jobs.attempts import run_now
from judgments.judges import programs
from judgments.judges.statistics import count_anew
from judgments.material import storing
from judgments.material.rules.reading import Roles, read_material
from judgments.models import Assignment, Campaign, Draft, Judgment, Membership, Rating
from judgments.protocols import PROTOCOLS, protocol_of
from judgments.rules.errors import Refused
from judgments.rules.files.problems import Problems
from ranking.models import Report
from ranking.reports import boards, building
from ranking.reports.ballots import collect
from ranking.reports.kinds import kind as kinds
from tests import factory
from tests.chance import forget_judgments
from tests.judgments.protocols.stars import STARS
from tests.program import Program, refused
from tests.ranking.reports.kinds.toy import TOY

TEMPLATES = Path(__file__).parent / "stars" / "templates"
TUTORIAL = "> She have a dog .\n5: She has a dog .\n1: She have dog .\n! More stars for fewer errors.\n"


@pytest.fixture(autouse=True, scope="module")
def _stars():
    (engine,) = settings.TEMPLATES
    PROTOCOLS[STARS.name] = STARS
    with override_settings(TEMPLATES=[engine | {"DIRS": [*engine["DIRS"], TEMPLATES]}]):
        yield
    del PROTOCOLS[STARS.name]


@pytest.fixture
def campaign(db) -> Campaign:
    return factory.open_campaign(protocol="stars", redundancy=1)


@pytest.fixture
def home(ada, browser_of) -> Client:
    return browser_of(ada.user)


@pytest.fixture
def office(olga, browser_of) -> Client:
    return browser_of(olga)


@pytest.fixture
def assignment(ada) -> Assignment:
    return claiming.claim_next(ada)


def fields(assignment: Assignment, stars: int = 1) -> dict[str, object]:
    return {"key": str(uuid4())} | {f"stars_{place}": stars for place in range(1, len(assignment.order) + 1)}


def judge_all(home: Client, ada: Membership) -> None:
    """Ada gives three stars to every candidate."""
    while assignment := claiming.claim_next_skipping_breaks(ada):
        home.post(reverse("assignment", args=[assignment.pk]), fields(assignment, 3))


def shown(client: Client, page: str, *about: object) -> str:
    answer = client.get(reverse(page, args=about))
    assert answer.status_code == 200
    return answer.content.decode()


def exported(campaign: Campaign, name: str) -> bytes:
    return b"".join(EXPORTS[name].blocks(campaign))


class TestOrganising:
    @pytest.mark.wide
    def test_it_is_offered_set_up_assigned_and_looked_at(self, admin_client):
        assert "Each screen asks for one to five stars." in shown(admin_client, "new_campaign")
        wish = {"name": "A campaign", "slug": "toy", "protocol": "stars"}
        wish |= {"preset_name": "recommended", "language": "en"}
        assert admin_client.post(reverse("new_campaign"), wish).status_code == 302
        campaign = Campaign.objects.get()
        assert (campaign.protocol, campaign.redundancy) == ("stars", 3)
        settings = shown(admin_client, "settings", "toy")
        assert "screen_size" in settings
        assert "category_list" not in settings
        files = factory.upload({"source": factory.SOURCE, **factory.SYSTEMS})
        storing.store_material(campaign, read_material(files, Roles(source_takes_part=True)))
        assert "one or two errors to source sentences" in shown(admin_client, "screens", "toy")
        assert "Stars of sentence 1" in shown(admin_client, "preview", "toy")
        plan = {"screens": 5, "screen_size": 4, "redundancy": 1, "batch_size": 5, "seed": 1, "design": "sampled"}
        plan |= {"sampling": "chance", "repeat_share": 0, "control_share": 0, "assigned_before": 1}
        done = admin_client.post(reverse("assign_screens", args=["toy"]), plan)
        assert done.url == reverse("organise", args=["toy"])
        assert Assignment.objects.count() == 5
        assert "Stars of sentence 1" in shown(admin_client, "preview", "toy")
        for page in ("organise", "material", "judges", "exports", "journal", "metrics"):
            shown(admin_client, page, "toy")
        assert ">Stars<" in shown(admin_client, "home")

    def test_a_command_makes_a_campaign_with_what_suits_it(self, db, tmp_path):
        for name, lines in {"source": factory.SOURCE, **factory.SYSTEMS}.items():
            (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
        call_command("import_outputs", "toy", str(tmp_path), "--protocol", "stars")
        assert Campaign.objects.values_list("protocol", "redundancy", "preset").get() == ("stars", 3, "recommended")

    def test_without_it_a_campaign_says_so(self, campaign):
        with pytest.raises(Refused, match="There is no protocol 'moons'; the protocols are ranking, rating"):
            protocol_of(Campaign(protocol="moons"))


class TestJudging:
    def test_an_answer_with_or_without_a_script_is_taken_comes_back_and_is_revised(self, campaign, home, assignment):
        address = reverse("assignment", args=[assignment.pk])
        page = shown(home, "assignment", assignment.pk)
        assert "How many stars?" in page
        assert "Stars of sentence 1" in page
        assert "one star" in page
        assert page.index("protocols/stars/screen.js") < page.index("js/judging.js")
        draft = home.post(reverse("draft", args=[assignment.pk]), {"stars_1": "2"})
        assert draft.json() == {"saved": 1}
        assert Draft.objects.get().answers == {"stars_1": "2"}
        assert "less than or equal to 5" in home.post(address, fields(assignment, 6)).content.decode()
        script = {"accept": "application/json"}
        assert home.post(address, {"key": str(uuid4())}, headers=script).status_code == 400
        assert not Judgment.objects.exists()
        done = home.post(address, fields(assignment, 4))
        assert done.status_code == 302
        assert done.url != address
        assert set(Rating.objects.values_list("score", flat=True)) == {4}
        assert 'name="stars_1" value="4"' in shown(home, "assignment", assignment.pk)
        message = "You had already answered that screen; the newest answer counts."
        assert home.post(address, fields(assignment, 5), headers=script).json() == {"message": message}
        current = Judgment.objects.current().get()
        assert current.revision == 2
        assert list(current.rating_set.values_list("score", flat=True)) == [5] * len(assignment.order)
        shown(home, "answers", campaign.slug)
        home.post(address, {"key": uuid4(), "skip": 1, "skip_reason": "cannot tell"})
        assert Judgment.objects.current().get().skipped

    def test_an_example_is_taught(self, campaign, home):
        Campaign.objects.update(tutorial=TUTORIAL)
        assert "Stars of sentence 2" in shown(home, "example", campaign.slug, 1)
        fields_sent = {"key": uuid4(), "stars_1": 5, "stars_2": 2}
        content = home.post(reverse("example", args=[campaign.slug, 1]), fields_sent).content.decode()
        assert "<li>B: 2</li>" in content


class TestPrograms:
    @pytest.fixture
    def robin(self, campaign) -> Program:
        return Program(programs.enrol(campaign, "robin"))

    def test_a_program_judges_and_an_organiser_reads_it(self, campaign, olga, robin):
        claimed = robin.post(f"/api/campaigns/{campaign.slug}/assignments/").json()["assignments"][0]
        assert claimed["protocol"] == "stars"
        address, candidates = f"{claimed['url']}judgment/", claimed["candidates"]
        assert "answers/0/stars" in refused(robin.post(address, {"answers": [{"stars": 6}] * len(candidates)}), 400)
        wrong = robin.post(address, {"answers": [{"rank": 1}] * len(candidates)})
        assert "have no rank" in refused(wrong, 400)
        assert robin.post(address, {"answers": [{"stars": 4}] * len(candidates)}).status_code == 201
        read = Program(programs.token_of("olga")).get(f"/api/campaigns/{campaign.slug}/judgments/").json()["results"]
        assert [answer["score"] for answer in read[0]["answers"]] == [4] * len(candidates)

    def test_a_program_makes_such_a_campaign_and_the_description_names_its_fields(self, admin_user):
        program = Program(programs.token_of(admin_user.get_username()))
        made = program.post("/api/campaigns/", {"slug": "toy", "name": "A toy", "protocol": "stars"})
        assert (made.status_code, made.json()["protocol"]) == (201, "stars")
        schemas = SchemaGenerator().get_schema(request=None, public=True)["components"]["schemas"]
        assert schemas["AnswerInput"]["properties"]["stars"] == {"type": "integer"}
        assert schemas["NewCampaign"]["properties"]["protocol"]["enum"] == [*PROTOCOLS]


class TestFiles:
    @pytest.mark.parametrize("name", EXPORTS)
    def test_every_export_takes_it_or_says_for_which_it_is(self, campaign, ada, home, name):
        judge_all(home, ada)
        if fault := EXPORTS[name].fault(campaign):
            wanted = "correction" if name.startswith("corrections") else "marking"
            assert fault == f"{name} is for {wanted} campaigns, and {campaign.slug} is a stars campaign."
        else:
            assert exported(campaign, name)

    @pytest.mark.wide
    def test_it_travels_in_a_bundle_but_for_too_many_stars(self, campaign, ada, home):
        judge_all(home, ada)
        content, table = exported(campaign, "campaign.zip"), exported(campaign, "judgments.csv")
        rows = list(csv.DictReader(table.decode().splitlines()))
        assert list(rows[0])[5:9] == ["candidate", "systems", "shown_position", "score"]
        assert {row["score"] for row in rows} == {"3"}
        slug = campaign.slug
        forget_judgments(campaign)
        campaign.delete()
        restored = import_campaign("campaign.zip", io.BytesIO(content)).campaign
        assert (restored.slug, restored.protocol) == (slug, "stars")
        assert exported(restored, "campaign.zip") == content
        stars = [row.split(b",")[8] for row in exported(restored, "judgments.csv").splitlines()]
        assert stars == [row.split(b",")[8] for row in table.splitlines()]
        Rating.objects.filter(pk=Rating.objects.latest("pk").pk).update(score=6)
        with pytest.raises(Problems, match="holds a score that is not from 1 to 5"):
            import_campaign("campaign.zip", io.BytesIO(exported(restored, "campaign.zip")), slug="copy")


class TestWithoutAKindOfReport:
    """It names none."""

    @pytest.mark.wide
    def test_its_pages_say_that_there_are_none(self, campaign, ada, home, office):
        judge_all(home, ada)
        count_anew(ada)
        page = shown(office, "judge", campaign.slug, ada.pk)
        assert "scores of 1 or 5" in page, "the ends of its scale"
        assert "agreement with others" not in page
        assert "The ranking so far" not in shown(office, "board", campaign.slug)
        assert "There is no report for campaigns of this protocol yet." in shown(office, "report_list", campaign.slug)


class TestWithAKindOfReport:
    """It names one that is registered too."""

    @pytest.fixture(autouse=True)
    def _kind(self, monkeypatch):
        monkeypatch.setitem(kinds.KINDS, TOY.name, "tests.ranking.reports.kinds.toy.TOY")
        monkeypatch.setattr(STARS, "report_kinds", (TOY.name,))

    def test_a_report_is_requested_made_and_read(self, campaign, ada, home, office, no_worker):
        judge_all(home, ada)
        assert "A report counts the toys" in shown(office, "report_list", campaign.slug)
        office.post(reverse("new_report", args=[campaign.slug]), {"preset": "recommended"})
        report = Report.objects.get()
        run_now(report)
        assert "Who has how many." in shown(office, "report", report.pk)
        table = office.get(reverse("report_file", args=[report.pk, "toy_counts.csv"])).content.decode()
        assert table == f"judge,judgments\nada,{Judgment.objects.count()}\n"
        assert boards.has_ranking(campaign)
        shown(office, "board", campaign.slug)


class TestComparisons:
    """With the kind that rankings and ratings have, as its answers have a scale."""

    def test_its_systems_are_ranked_by_their_stars(self, campaign, ada, home, monkeypatch):
        monkeypatch.setattr(STARS, "report_kinds", ("comparisons",))
        judge_all(home, ada)
        found = collect(campaign)
        assert set(found.ballots.merit.tolist()) == {3.0}
        report = building.request_report(campaign, preset="recommended")
        run_now(report)
        report.refresh_from_db()
        assert report.state == Report.State.DONE
