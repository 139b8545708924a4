"""The cast of the tests, and what every test starts from."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from threading import BoundedSemaphore

import pytest
from django.contrib.auth.models import User
from django.test import Client
from hypothesis import settings as hypothesis
from playwright.sync_api import Browser, sync_playwright

from judgments.exchange import downloads as streams
from judgments.jobs import attempts, tasks
from judgments.models import Campaign, Membership
from tests import factory

CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

# Without its clock: no test fails because a machine is busy.
hypothesis.register_profile("without a clock", deadline=None)
hypothesis.load_profile("without a clock")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One browser for all tests of a process: the one that the machine has; nothing is downloaded."""
    path = os.environ.get("TEST_CHROMIUM") or next(filter(None, map(shutil.which, CHROMIUM)), None)
    if path is None:
        pytest.skip("there is no Chromium; install the package chromium or say where it is by TEST_CHROMIUM")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path)
        yield browser
        browser.close()


@pytest.fixture(autouse=True)
def _plain_static_files(settings):
    """Pages name their files as they are; no manifest has to be made first."""
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    }


@pytest.fixture(autouse=True)
def _files_have_places(monkeypatch):
    """What one test began to fetch and never read to its end takes no place in the next."""
    monkeypatch.setattr(streams, "_room", BoundedSemaphore(streams.MOST))


@pytest.fixture(autouse=True)
def _no_heartbeat(monkeypatch):
    """Inside the transaction of a test no other connection sees the row of a job."""
    monkeypatch.setattr(attempts, "SECONDS_BETWEEN_BEATS", 600.0)


@pytest.fixture
def campaign(db) -> Campaign:
    """A ranking campaign with material, dealt and open."""
    return factory.open_campaign()


@pytest.fixture
def olga(campaign) -> User:
    """She organises."""
    return factory.organiser(campaign, "olga")


@pytest.fixture
def ada(campaign) -> Membership:
    """She judges."""
    return factory.judge(campaign, "ada")


@pytest.fixture
def ben(campaign) -> Membership:
    """He judges."""
    return factory.judge(campaign, "ben")


@pytest.fixture
def zoe(db) -> User:
    """A stranger."""
    return User.objects.create_user("zoe")


@pytest.fixture
def browser_of():
    """A test client that is signed in as somebody."""

    def sign_in(user: User) -> Client:
        client = Client()
        client.force_login(user)
        return client

    return sign_in


@pytest.fixture
def no_worker(monkeypatch):
    """Jobs are queued but no worker takes them; the list holds those announced."""
    announced: list[int] = []
    monkeypatch.setattr(tasks, "announce", lambda kind, pk: announced.append(pk))
    return announced


# What takes longest begins first, so that no process is left alone with it at the end; `tests/__main__.py` keeps the
# order.
LONGEST_FIRST = (
    "faults/test_faults.py", "services/test_operation.py", "services/test_platform.py", "services/test_unplugged.py",
    "services/test_backups.py",
    "benchmarks/test_benchmarks.py",
    "judgments/test_bad_input.py", "services/test_servers.py", "judgments/test_demo.py",
    "ranking/stats/rankings/test_mixed_model.py", "browser/test_pages.py", "browser/test_plots.py",
    "judgments/test_bad_files.py", "test_settings.py", "judgments/test_exports.py", "judgments/test_restoration.py",
)  # fmt: skip


def pytest_collection_modifyitems(items):
    """Mark whatever asks the database, which the second run selects by; put the longest files first."""
    for item in items:
        if "db" in getattr(item, "fixturenames", ()) or item.get_closest_marker("django_db"):
            item.add_marker(pytest.mark.database)
    folder = Path(__file__).parent
    places = {folder / name: place for place, name in enumerate(LONGEST_FIRST)}
    items.sort(key=lambda item: places.get(item.path, len(places)))
