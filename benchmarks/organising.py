"""A large campaign on both databases: an organiser's pages, exports, the input of a report, and backups."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from io import BytesIO
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

from benchmarks.harness import Measured, Row, apart, timed
from benchmarks.large import Shape, make
from benchmarks.platforms import Installation, fresh_installation, on_servers

SLUG, LIKE_IT, ORGANISER = "large", "like-it", "olga"
FULL, SMALL = Shape(), Shape(judgments=800, judges=10, systems=4)
SMALLER = 50
# Besides the large one, to fill the list of campaigns.
OTHER_CAMPAIGNS, FEW_OTHER_CAMPAIGNS = 100, 3
VISITS, FEW_VISITS = 5, 1
# The largest file, the slowest one, and the one that `import_campaign` reads.
FILES = ("judgments.csv", "everything.jsonl", "campaign.zip")
ALL_FILES = ("judgments.csv", "pairs-expanded.csv", "pairs-unexpanded.csv", "appraise.xml", *FILES[1:])
MOST_QUERIES, SLOWEST = 20, 8
REFERENCE = "reference: the page to sign in"
OF_CAMPAIGN = (
    "campaign", "organise", "material", "screens", "preview", "judges", "invitations_csv", "journal", "exports",
    "programs", "settings", "delete_campaign", "board", "metrics", "scorings_state", "report_list", "judges_in_report",
    "analysis_plan", "datasheet", "import_judgments", "submissions", "disputes", "organisers", "mail_links", "consents",
    "power",
)  # fmt: skip
OF_REPORT = ("report", "report_zip", "report_bundle", "publication", "release_data", "report_pairs", "report_judges",
             "report_metrics")  # fmt: skip
ANSWERS = "SELECT judgment_id, candidate_id, rank FROM judgments_placement ORDER BY judgment_id, id"


class Visit(NamedTuple):
    """A page, its database queries, and the median seconds of some visits."""

    name: str
    queries: int
    seconds: float


def pages(small: bool) -> list[Row]:
    """Measure every page by the server's time alone; reports are those of a campaign as large but for its judgments."""
    with fresh_installation() as platform:
        rows = _pages(platform, "SQLite", small)
    if not small:
        with on_servers() as (platform, _):
            rows += _pages(platform, "PostgreSQL", small)
    return rows


def _pages(platform: Installation, database: str, small: bool) -> list[Row]:
    platform.manage("collectstatic", "--no-input", "--verbosity", "0")
    made = apart(fill, platform, SMALL if small else FULL, FEW_OTHER_CAMPAIGNS if small else OTHER_CAMPAIGNS)
    size = f"{made.value:,} judgments"
    worked = {what: apart(work, platform) for what, work in WORK.items()}
    ballots = apart(collect, platform).value
    visited = apart(visit_all, platform, FEW_VISITS if small else VISITS)
    return [
        Row.of(f"{database}: make the campaign", size, made),
        *(Row.of(f"{database}: {what}", size, found) for what, found in worked.items()),
        Row.of(f"{database}: collect ballots", f"{ballots.value:,} placements", ballots),
        *_slowest(database, visited),
        *(_exported(platform, f"{database}: {name}", name, SLUG) for name in FILES),
    ]


def _slowest(database: str, visited: Measured[list[Visit]]) -> Iterator[Row]:
    """The reference and the slowest pages; of all others the most queries and the most seconds."""
    reference, *others = visited.value
    others.sort(key=lambda visit: -visit.seconds)
    rest = others[SLOWEST:]
    together = Visit(f"{len(rest)} other pages", max(one.queries for one in rest), max(one.seconds for one in rest))
    for name, queries, seconds in (reference, *others[:SLOWEST], together):
        ratio = seconds / reference.seconds
        yield Row(f"{database}: {name}", f"{queries} queries", seconds, visited.megabytes, ratio)


def exports(small: bool) -> list[Row]:
    """Stream every format to a file; the first also of a smaller campaign, since memory must not grow."""
    with fresh_installation() as platform, fresh_installation() as other:
        shape = SMALL if small else Shape(200_000, 200, 10)
        judgments = apart(fill, platform, shape, 0).value
        bare = apart(read, platform).value
        rows = [
            _exported(platform, "judgments.csv, a fiftieth of it", "judgments.csv", LIKE_IT),
            Row.of("reference: bare answers", f"{bare.value:,} rows", bare, bare.seconds),
            *(_exported(platform, name, name, SLUG, bare.seconds) for name in ALL_FILES),
        ]
        brought = other.manage("import_campaign", platform.folder / "campaign.zip")
    return [*rows, Row.of("manage.py import_campaign", f"{judgments:,} judgments", brought)]


def backups(small: bool) -> list[Row]:
    """Back up a large installation on SQLite, restore it into others, on SQLite and PostgreSQL, and compare it."""
    file = "nightly.backup"
    with fresh_installation() as platform, fresh_installation() as other:
        judgments = apart(fill, platform, SMALL if small else FULL, 0).value
        size, backup = f"{judgments:,} judgments", platform.folder / file
        bare = apart(copy_bare, platform)
        rows = [
            Row.of("reference: SQLite's own copy", size, bare, bare.seconds),
            Row.of("back_up", size, platform.manage("back_up", backup), bare.seconds),
            Row.of("restore", size, other.manage("restore", backup), bare.seconds),
            Row.of("restore --check", size, other.manage("restore", backup, "--check"), bare.seconds),
        ]
        if not small:
            with on_servers() as (server, _):
                restored = server.manage("restore", backup)
            rows.append(Row.of("restore into PostgreSQL", size, restored, bare.seconds))
    return rows


def copy_bare(platform: Installation) -> None:
    with closing(sqlite3.connect(platform.folder / "appraise.sqlite3")) as database:
        database.execute("VACUUM INTO ?", [str(platform.folder / "copy.sqlite3")])


def read(platform: Installation) -> Measured[int]:
    """Read and discard every answer; return their number."""
    with closing(sqlite3.connect(platform.folder / "appraise.sqlite3")) as database:
        return timed(lambda: sum(1 for _ in database.execute(ANSWERS)))


def collect(platform: Installation) -> Measured[int]:
    """Read the ballots, as a report does first; return the number of placements."""
    platform.enter()
    from judgments.models import Campaign
    from ranking.reports import ballots

    campaign = Campaign.objects.get(slug=SLUG)
    found = timed(lambda: ballots.collect(campaign).ballots)
    return found._replace(value=len(found.value.candidate))


def _exported(platform: Installation, what: str, name: str, slug: str, reference: float | None = None) -> Row:
    found = apart(export, platform, name, slug).value
    lines, size = found.value
    return Row.of(what, f"{size:,} bytes" if name.endswith(".zip") else f"{lines:,} lines", found, reference)


def export(platform: Installation, name: str, slug: str) -> Measured[tuple[int, int]]:
    """Write one format into a file; return its lines and bytes."""
    platform.enter()
    from judgments.exchange.exporters import EXPORTS
    from judgments.models import Campaign

    campaign = Campaign.objects.get(slug=slug)

    def write() -> tuple[int, int]:
        lines = size = 0
        with (platform.folder / name).open("wb") as file:
            for block in EXPORTS[name].blocks(campaign):
                file.write(block)
                size += len(block)
                lines += block.count(b"\n")
        return lines, size

    return timed(write)


def fill(platform: Installation, shape: Shape, others: int) -> int:
    """Make the large campaign, one like it and some empty ones, all of one organiser; return the judgments made."""
    platform.enter()
    from django.contrib.auth.models import User

    from judgments.campaigns import settings

    User.objects.create_user(ORGANISER)
    make(LIKE_IT, shape._replace(judgments=shape.judgments // SMALLER), ORGANISER)
    judgments = make(SLUG, shape, ORGANISER)
    for number in range(others):
        settings.create(ORGANISER, "recommended", slug=f"other-{number}", name=f"Another campaign {number}")
    return judgments


def interim(platform: Installation) -> None:
    platform.enter()
    from judgments.jobs.attempts import run_now
    from judgments.models import Campaign
    from ranking.reports import boards

    if report := boards.refresh(Campaign.objects.get(slug=SLUG)):
        run_now(report)


def apply_rule(platform: Installation) -> None:
    platform.enter()
    from judgments.judges import exclusion
    from judgments.models import Campaign

    exclusion.apply_rule(Campaign.objects.get(slug=SLUG))


WORK = {"the live board's interim report": interim, "the rule of exclusion, applied to all": apply_rule}


def visit_all(platform: Installation, visits: int) -> list[Visit]:
    """Visit the sign-in page, then every page of an organiser."""
    platform.enter()
    from django.contrib.auth.models import User
    from django.test import Client

    from judgments.models import Campaign

    organiser = User.objects.get(username=ORGANISER)
    pages = addresses(Campaign.objects.get(slug=SLUG), organiser)
    client = Client(SERVER_NAME="127.0.0.1")
    sign_in = _visit(client, REFERENCE, "/sign-in/", visits)
    client.force_login(organiser)
    visited = [_visit(client, name, address, visits) for name, address in pages.items()]
    if over := [visit for visit in visited if visit.queries > MOST_QUERIES]:
        raise SystemExit(f"The page {over[0].name} makes {over[0].queries} queries, more than {MOST_QUERIES}.")
    return [sign_in, *visited]


def _shown_reports(campaign: Any) -> tuple[Any, Any]:
    """Make two reports on the campaign, with the tables of a report on the smaller one like it."""
    from django.utils import timezone

    from judgments.jobs.attempts import run_now
    from judgments.models import Campaign, Judgment
    from ranking.models import Report, ReportInputs, ReportTable
    from ranking.reports import building, rows

    made = building.request_report(Campaign.objects.get(slug=LIKE_IT))
    run_now(made)
    made.refresh_from_db()

    def shown() -> Report:
        report = Report.objects.get(pk=made.pk)
        report.pk = report.id = None
        report._state.adding = True
        report.campaign, report.started_at = campaign, timezone.now()
        report.judgments, report.newest_judgment = rows.counted_now(campaign), Judgment.objects.latest("pk").pk
        report.save()
        for table in ReportTable.objects.filter(report=made):
            table.pk, table.report = None, report
            table.save()
        ReportInputs.objects.create(report=report, content=made.inputs.content)
        return report

    return shown(), shown()


def addresses(campaign: Any, organiser: Any) -> dict[str, str]:
    """Return the address of every page of an organiser, by URL name; `exports` measures the files."""
    from django.urls import reverse

    from judgments.archive import importing
    from judgments.assignment import planning
    from judgments.exchange.importers.rules.recorded import ImportOptions
    from judgments.jobs.attempts import run_now
    from judgments.jobs.control import cancel
    from judgments.material import uploads
    from judgments.material.rules.reading import Roles
    from judgments.models import Upload
    from judgments.rules.files.text_files import UploadedFile
    from ranking.power import predicting
    from ranking.power.predicting import Wanted
    from ranking.reports import plans
    from ranking.stats.comparisons.study import PRESETS

    earlier, later = _shown_reports(campaign)
    run_now(upload := uploads.upload_files(campaign, organiser, [UploadedFile("more.txt", b"One .\n")], Roles()))
    judge = campaign.membership_set.filter(role="judge")[0]
    plan = plans.fix_plan(campaign, organiser, "recommended", PRESETS["recommended"], 1000, "When all is judged.")
    of_judgments = [UploadedFile("j.xml", b"<r/>")], ImportOptions("appraise-xml"), Upload.Purpose.JUDGMENTS
    bundle = importing.request_import(organiser, "bundle.zip", BytesIO(), "copy")
    run_now(predicted := predicting.request_prediction(campaign, organiser, Wanted({}, screens=100, campaigns=1)))
    cancel(job := planning.request(campaign, organiser, {}, 1, False))
    system, screen = campaign.system_set.all()[0], campaign.screen_set.filter(automatic=False, has_control=False)[0]
    of_rows = {"plan_file": plan, "judge": judge, "forget_judge": judge, "system": system, "adjudicate": screen,
               "power_file": predicted}  # fmt: skip
    return {
        **{name: reverse(name, args=[campaign.slug, row.pk]) for name, row in of_rows.items()},
        **{name: reverse(name) for name in ("home", "new_campaign", "new_import", "your_data")},
        "judgments_upload": uploads.upload_files(campaign, organiser, *of_judgments).get_absolute_url(),
        "import_job": bundle.get_absolute_url(),
        "assignment_job": job.get_absolute_url(),
        "job_state": reverse("job_state", args=["assignment", job.pk]),
        **{name: reverse(name, args=[campaign.slug]) for name in OF_CAMPAIGN},
        "metric_file": reverse("metric_file", args=[campaign.slug, "metric_scores.csv"]),
        "journal, the last page": f"{reverse('journal', args=[campaign.slug])}?page=last",
        "upload": upload.get_absolute_url(),
        **{name: reverse(name, args=[later.pk]) for name in OF_REPORT},
        "datasheet_file": reverse("datasheet_file", args=[campaign.slug, "json"]),
        "report_file": reverse("report_file", args=[later.pk, "pairs.csv"]),
        "compare_reports": f"{reverse('compare_reports', args=[campaign.slug])}?one={earlier.pk}&other={later.pk}",
        "report_changes": reverse("report_changes", args=[earlier.pk, later.pk]),
        "changes_file": reverse("changes_file", args=[earlier.pk, later.pk, "changes.csv"]),
    }


def _visit(client: Any, name: str, address: str, visits: int) -> Visit:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    seconds = []
    for _ in range(visits):
        start = perf_counter()
        answer = client.get(address)
        seconds.append(perf_counter() - start)
        if answer.status_code not in (200, 302):
            raise SystemExit(f"The page {name} answered {answer.status_code}.")
    with CaptureQueriesContext(connection) as asked:
        client.get(address)
    return Visit(name, len(asked), median(seconds))
