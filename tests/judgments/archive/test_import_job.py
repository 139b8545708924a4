"""A campaign from a bundle in the browser: made by a worker, once, all or nothing, for who may make campaigns."""

import json
from io import BytesIO
from threading import Thread

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.urls import reverse

from judgments.archive import importing
from judgments.campaigns import access
from judgments.jobs.attempts import run_now
from judgments.jobs.control import cancel
from judgments.models import Campaign, FilePiece, ImportJob, JournalEntry, Judgment
from judgments.rules.errors import Refused
from tests import factory
from tests.judgments.archive.test_bundles import bundle, packed, unpacked
from tests.judgments.jobs.running import run_job


@pytest.fixture
def content(campaign, ada) -> bytes:
    factory.answer_all(ada)
    return bundle(campaign)


@pytest.fixture
def client(olga, browser_of, no_worker):
    return browser_of(olga)


def sent(client, content: bytes, slug: str = "copy"):
    return client.post(reverse("new_import"), {"bundle": SimpleUploadedFile("mine.zip", content), "slug": slug})


def done() -> ImportJob:
    """The only job, once a worker has run it."""
    run_job("import", ImportJob.objects.get().pk)
    return ImportJob.objects.get()


def page_of(client, job: ImportJob) -> str:
    return client.get(reverse("import_job", args=[job.pk])).content.decode()


@pytest.mark.postgresql
def test_a_bundle_becomes_a_campaign_that_its_importer_runs(
    client, content, campaign, olga, no_worker, django_capture_on_commit_callbacks
):
    assert reverse("new_import") in client.get(reverse("home")).content.decode()
    with django_capture_on_commit_callbacks(execute=True):
        answer = sent(client, content)
    made = ImportJob.objects.get()
    assert (answer.url, no_worker) == (reverse("import_job", args=[made.pk]), ["long"])
    assert "waiting for a worker" in client.get(answer.url).content.decode()
    run_job("import", made.pk)
    copy = Campaign.objects.get(slug="copy")
    opened = client.get(answer.url)
    assert opened.url == reverse("organise", args=["copy"])
    assert "copy was imported" in client.get(opened.url).content.decode()
    assert access.is_organiser(olga, copy)
    counts = [Judgment.objects.filter(assignment__campaign=one).count() for one in (copy, campaign)]
    assert counts[0] == counts[1] > 0
    assert set(JournalEntry.objects.filter(campaign=copy).values_list("actor", flat=True)) == {"olga"}
    assert not FilePiece.objects.exists()


def test_a_bundle_handed_in_twice_or_run_twice_makes_one_campaign(client, content):
    for _ in range(2):
        sent(client, content)
    for one in [*ImportJob.objects.all()] * 2:
        run_job("import", one.pk)
    assert sorted(ImportJob.objects.values_list("state", flat=True)) == ["done", "failed"]
    assert Campaign.objects.filter(slug="copy").count() == 1
    assert "There is a campaign copy already" in page_of(client, ImportJob.objects.get(state="failed"))


def test_problems_a_name_that_is_taken_and_too_large_a_bundle_are_reported(client, content, campaign, monkeypatch):
    files = unpacked(content)
    lines = files["systems.jsonl"].splitlines(keepends=True)
    lines[1] = json.dumps(json.loads(lines[1]) | {"name": "<script>"}) + "\n"
    sent(client, packed(files | {"systems.jsonl": "".join(lines)}))
    page = page_of(client, done())
    assert "<strong>systems.jsonl</strong>, line 2" in page
    assert "<script>" not in page.replace('<script type="module"', "")
    assert not Campaign.objects.filter(slug="copy").exists()
    assert not FilePiece.objects.exists()
    assert "choose another short name" in sent(client, content, slug=campaign.slug).content.decode()
    monkeypatch.setattr("judgments.web.forms.campaigns.MOST_BYTES", 10)
    assert "python manage.py import_campaign" in sent(client, content).content.decode()
    monkeypatch.setattr("judgments.web.views.shared.MOST_BYTES", -(2**20))
    answer = sent(client, content)
    assert "python manage.py import_campaign" in client.get(answer.url).content.decode()
    assert ImportJob.objects.count() == 1


def test_a_cancelled_import_makes_no_campaign(client, content):
    sent(client, content)
    client.post(reverse("cancel_job", args=["import", ImportJob.objects.get().pk]))
    one = done()
    assert not Campaign.objects.filter(slug="copy").exists()
    assert "Nothing was stored" in page_of(client, one)
    assert not FilePiece.objects.exists()
    assert not cancel(one)


def test_an_import_can_be_cancelled_while_it_runs(client, content, monkeypatch):
    sent(client, content)
    make = importing.Importer.store

    def cancelled_meanwhile(maker, table, rows, first):
        if table.name == "assignments":
            cancel(ImportJob.objects.get())
        make(maker, table, rows, first)

    monkeypatch.setattr(importing.Importer, "store", cancelled_meanwhile)
    done()
    assert not Campaign.objects.filter(slug="copy").exists()


@pytest.mark.django_db(transaction=True)
def test_one_of_two_concurrent_imports_under_one_name_is_refused():
    olga = factory.User.objects.create_superuser("olga")
    content = bundle(factory.open_campaign())
    both = [importing.request_import(olga, "mine.zip", BytesIO(content), "copy") for _ in range(2)]

    def attempt(one: ImportJob) -> None:
        try:
            run_now(one)
        finally:
            connection.close()

    threads = [Thread(target=attempt, args=[one]) for one in both]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(ImportJob.objects.values_list("state", flat=True)) == ["done", "failed"]
    assert Campaign.objects.filter(slug="copy").count() == 1
    with pytest.raises(Refused):
        importing.request_import(olga, "mine.zip", BytesIO(content), "copy")
