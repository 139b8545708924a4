"""The cast of the tests, and what every test starts from."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from importlib import import_module
from itertools import count
from pathlib import Path
from threading import BoundedSemaphore

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import connection, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.template import engines
from django.test import Client, override_settings
from hypothesis import settings as hypothesis
from playwright.sync_api import Browser, sync_playwright

from judgments.exchange import downloads as streams
from judgments.jobs import attempts, tasks
from judgments.models import Campaign, Membership, members
from judgments.rules.tracing import request_id
from tests import factory
from tests.services.chromium import path_of_chromium

import_module(settings.ROOT_URLCONF)  # tests of pages would hang, each for its own time, where this fails

ROOT = Path(__file__).parents[1]
OUR_TEMPLATES = ROOT / "templates", ROOT / "judgments" / "protocols"
SELDOM = 600.0  # seconds

# Without a clock: no test fails because a machine is busy. `make test` takes the same examples every time,
# `make test-all` and pytest alone others; what chance finds is kept as an @example.
hypothesis.register_profile("always the same", deadline=None, derandomize=True)
hypothesis.register_profile("by chance", deadline=None)
hypothesis.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "by chance"))


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One browser for all tests of a process."""
    path = path_of_chromium()
    if path is None:
        pytest.skip("there is no Chromium; install chromium-headless-shell or say where it is by TEST_CHROMIUM")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path)
        yield browser
        browser.close()


class Missing(str):
    """Stands for what a template's context lacks. Django would show nothing there; its own templates rely on that."""

    def __html__(self) -> str:
        caller = sys._getframe(1)
        while "context" not in caller.f_locals:
            caller = caller.f_back
        template = caller.f_locals["context"].render_context.template
        if any(Path(template.origin.name).is_relative_to(place) for place in OUR_TEMPLATES):
            shown = caller.f_back.f_locals.get("self")
            raise AssertionError(f"{template.origin.template_name} shows {shown}, which its context lacks.")
        return ""


@pytest.fixture(autouse=True, scope="session")
def _templates_show_what_there_is():
    engines["django"].engine.string_if_invalid = Missing()


@pytest.fixture(autouse=True, scope="session")
def _judges_stay_in_order():
    """Tests know in which order reports have judges: as they joined."""
    with pytest.MonkeyPatch.context() as patch:
        numbers = count(1)
        patch.setattr(members, "randbits", lambda bits: next(numbers))
        yield


@pytest.fixture(autouse=True, scope="session")
def _quick_settings():
    """Pages name their files as they are, so no manifest has to be made first; passwords cost nothing."""
    plain = {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
    hashers = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    with override_settings(PASSWORD_HASHERS=hashers, STORAGES=settings.STORAGES | plain):
        yield


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix):
    """Make tables from the models; tests/judgments/models/test_migrations.py says that migrations make the same."""
    settings.MIGRATION_MODULES = {app.label: None for app in apps.get_app_configs()}


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup, django_db_blocker):
    """The database looks as if migrations had made it, which takes seconds."""
    settings.MIGRATION_MODULES = {}
    with django_db_blocker.unblock():
        recorder = MigrationRecorder(connection)
        recorder.ensure_schema()
        applied = MigrationLoader(None).disk_migrations
        recorder.migration_qs.bulk_create(recorder.Migration(app=app, name=name) for app, name in applied)


@pytest.fixture(autouse=True)
def _nothing_is_left():
    """The next test's campaigns may have the same names, and what it stores comes from no request of another one."""
    cache.clear()
    request_id.set("")


@pytest.fixture(autouse=True)
def _files_have_places(monkeypatch):
    """What one test began to fetch and never read to its end takes no place in the next."""
    monkeypatch.setattr(streams, "_slots", BoundedSemaphore(streams.MOST))


@pytest.fixture(autouse=True)
def _no_heartbeat(monkeypatch):
    """Inside the transaction of a test no other connection sees the row of a job."""
    monkeypatch.setattr(attempts, "SECONDS_BETWEEN_BEATS", SELDOM)


@pytest.fixture
def campaign(db) -> Campaign:
    """A ranking campaign with material, assigned and open."""
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


@pytest.fixture(scope="module")
def lasting(django_db_setup, django_db_blocker) -> Iterator[Callable[[], AbstractContextManager]]:
    """For what is made once for all tests of a module, each of which undoes its own changes: `with lasting(): ...`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(attempts, "SECONDS_BETWEEN_BEATS", SELDOM)
        with django_db_blocker.unblock():
            transaction.get_connection().ensure_connection()
            patch.setattr(connection, "close", lambda: None)  # as Django does after each test
            whole = transaction.atomic()
            whole.__enter__()
        yield django_db_blocker.unblock
        with django_db_blocker.unblock():
            transaction.set_rollback(True)
            whole.__exit__(None, None, None)


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
    """Jobs are queued but no worker takes them; the list holds the queues in which they were announced."""
    announced: list[str] = []
    monkeypatch.setattr(tasks, "wake_worker", announced.append)
    return announced


# Tests of servers, browsers and (beside this file) commands take longest. They begin first, so that no process is left
# alone with one of them at the end.
EARLY = ("services", "long", "browser", "", "attack")
# Fixtures of tests that commit, which SQLite and PostgreSQL do each in its own way.
COMMITTING = {"transactional_db", "django_db_reset_sequences", "live_server"}


def pytest_collection_modifyitems(items):
    """Mark what asks the database, what commits and what is long; put what takes longest first.

    Outside tests/long, which looks at the whole platform, long tests run when their room changed, like wide ones.
    """
    folder = Path(__file__).parent
    for item in items:
        fixtures, marker = set(getattr(item, "fixturenames", ())), item.get_closest_marker("django_db")
        if "db" in fixtures or marker:
            item.add_marker(pytest.mark.database)
        if fixtures & COMMITTING or (marker and marker.kwargs.get("transaction")):
            item.add_marker(pytest.mark.postgresql)
        if item.path.is_relative_to(folder / "long"):
            item.add_marker(pytest.mark.long)
        elif item.get_closest_marker("long") and not item.get_closest_marker("services"):
            item.add_marker(pytest.mark.wide)
    places = {room: place for place, room in enumerate(EARLY)}

    def place_of(item: pytest.Item) -> int:
        return places.get("/".join(item.path.relative_to(folder).parts[:-1][:1]), len(places))

    items.sort(key=place_of)
