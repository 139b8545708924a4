"""Every page of an organiser in a campaign of a million judgments, on SQLite and on PostgreSQL.

Pages are asked for in the process itself, so that their time is the server's alone; the reference is the page to sign
in. What a worker does for such a campaign is measured besides. A page with more queries than the house allows itself
stops the benchmark.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

from benchmarks.installation import Installation, fresh_installation
from benchmarks.large import Shape, make
from benchmarks.processes import apart
from benchmarks.table import Row
from tests.services.servers import PostgresServer, ServerUnavailable

SLUG, ORGANISER = "large", "olga"
FULL, SMALL = Shape(), Shape(judgments=400, judges=10, systems=4)
# Besides the large one; their list is a page of its own.
OTHER_CAMPAIGNS, FEW_OTHER_CAMPAIGNS = 100, 3
VISITS = 5
MOST_QUERIES = 20
SECRET = "only-for-benchmarks-0123456789-abcdefghijklmnopqrstuv"  # noqa: S105 (of a platform that lives for minutes)
REFERENCE = "reference: the page to sign in"
OF_CAMPAIGN = (
    "campaign", "organise", "material", "screens", "preview", "judges", "invitations_csv", "journal", "exports", "settings",
    "delete_campaign", "board", "metrics", "report_list", "judges_in_report",
)  # fmt: skip


class Visit(NamedTuple):
    """A page, how many questions it asks the database, and the seconds it takes in the median of some visits."""

    name: str
    queries: int
    seconds: float


class Visited(NamedTuple):
    """What a worker did for the campaign and how long it took, and every page."""

    worked: dict[str, float]
    visits: list[Visit]


def measure(small: bool) -> list[Row]:
    """Make the campaign on both databases and visit its pages."""
    with fresh_installation() as platform:
        rows = _rows(platform, "SQLite", small)
    try:
        with (
            PostgresServer(durable=True) as server,
            fresh_installation(DATABASE_URL=server.url, SECRET_KEY=SECRET) as platform,
        ):
            return rows + _rows(platform, "PostgreSQL", small)
    except ServerUnavailable as reason:
        return [*rows, Row(f"PostgreSQL was left out: {reason}", "", 0, 0)]


def _rows(platform: Installation, database: str, small: bool) -> list[Row]:
    shape = SMALL if small else FULL
    platform.manage("collectstatic", "--no-input", "--verbosity", "0")
    made = apart(fill, platform, shape, FEW_OTHER_CAMPAIGNS if small else OTHER_CAMPAIGNS)
    found = apart(visit_all, platform)
    worked, visits = found.value
    size = f"{made.value:,} judgments"
    reference = next(visit.seconds for visit in visits if visit.name == REFERENCE)
    return [
        Row(f"{database}: make the campaign", size, made.seconds, made.megabytes),
        *(Row(f"{database}: {what}", size, seconds, found.megabytes) for what, seconds in worked.items()),
        *(
            Row(f"{database}: {name}", f"{queries} queries", seconds, found.megabytes, seconds / reference)
            for name, queries, seconds in visits
        ),
    ]


def fill(platform: Installation, shape: Shape, others: int) -> int:
    """The large campaign and some empty ones, all of one organiser; how many judgments there are."""
    platform.enter()
    from django.contrib.auth.models import User

    from judgments import campaigns

    User.objects.create_user(ORGANISER)
    judgments = make(SLUG, shape, ORGANISER)
    for number in range(others):
        campaigns.create(ORGANISER, "recommended", slug=f"other-{number}", name=f"Another campaign {number}")
    return judgments


def visit_all(platform: Installation) -> Visited:
    """Have the worker's part done, then visit every page that an organiser gets."""
    platform.enter()
    from django.contrib.auth.models import User
    from django.test import Client

    from judgments.models import Campaign

    campaign = Campaign.objects.get(slug=SLUG)
    worked = _work(campaign)
    client = Client(SERVER_NAME="127.0.0.1")
    sign_in = _visit(client, REFERENCE, "/sign-in/")
    organiser = User.objects.get(username=ORGANISER)
    client.force_login(organiser)
    visits = [_visit(client, name, address) for name, address in addresses(campaign, organiser).items()]
    if over := [visit for visit in visits if visit.queries > MOST_QUERIES]:
        raise SystemExit(f"The page {over[0].name} asks {over[0].queries} questions, more than {MOST_QUERIES}.")
    return Visited(worked, [sign_in, *visits])


def _work(campaign: Any) -> dict[str, float]:
    """What a worker does for the pages: seconds of each."""
    from judgments import exclusion
    from ranking import boards, reports

    def interim() -> None:
        report = boards.refresh(campaign)
        reports.build(report.pk)

    def whole() -> None:
        reports.build(reports.request_report(campaign).pk)

    steps = {
        "worker: the interim report, first": interim,
        "worker: a recommended report": whole,
        "worker: another": whole,
        "the rule of exclusion, applied to all": lambda: exclusion.apply_rule(campaign),
    }
    return {name: _seconds(step) for name, step in steps.items()}


def _seconds(step: Any) -> float:
    start = perf_counter()
    step()
    return perf_counter() - start


def addresses(campaign: Any, organiser: Any) -> dict[str, str]:
    """Every page of an organiser by the name of its address; files of exports are measured by `exports`."""
    from django.urls import reverse

    from judgments import uploads
    from judgments.models import System
    from judgments.rules.uploads import Roles, UploadedFile
    from ranking.models import Report

    later, earlier = Report.objects.of(campaign)[:2]
    upload = uploads.hand_in(campaign, organiser, [UploadedFile("more.txt", b"One .\n")], Roles())
    uploads.preview(upload.pk)
    system = System.objects.filter(campaign=campaign)[0]
    of_report = {"report": (), "report_state": (), "report_zip": (), "report_bundle": (), "report_file": ("pairs.csv",)}
    between = {"report_changes": (), "changes_file": ("changes.csv",)}
    return {
        "home": reverse("home"),
        "new_campaign": reverse("new_campaign"),
        **{name: reverse(name, args=[campaign.slug]) for name in OF_CAMPAIGN},
        "preview, the last screen": f"{reverse('preview', args=[campaign.slug])}?screen=last",
        "journal, the last page": f"{reverse('journal', args=[campaign.slug])}?page=last",
        "system": reverse("system", args=[campaign.slug, system.pk]),
        **{name: reverse(name, args=[campaign.slug, upload.pk]) for name in ("upload", "upload_state")},
        **{name: reverse(name, args=[later.pk, *more]) for name, more in of_report.items()},
        "compare_reports": f"{reverse('compare_reports', args=[campaign.slug])}?one={earlier.pk}&other={later.pk}",
        **{name: reverse(name, args=[earlier.pk, later.pk, *more]) for name, more in between.items()},
    }


def _visit(client: Any, name: str, address: str) -> Visit:
    seconds = []
    with _counting() as asked:
        for _ in range(VISITS):
            start = perf_counter()
            answer = client.get(address)
            seconds.append(perf_counter() - start)
            if answer.status_code not in (200, 302):
                raise SystemExit(f"The page {name} answered {answer.status_code}.")
    return Visit(name, len(asked) // VISITS, median(seconds))


@contextmanager
def _counting() -> Iterator[list[str]]:
    """The questions that the database is asked meanwhile."""
    from django.db import connection

    asked: list[str] = []

    def note(execute, sql, params, many, context):
        asked.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        yield asked
