"""Uploads: checked before anything is stored, stored once, and their problems listed in sentences."""

import time
from threading import Thread

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.urls import reverse

from judgments.actions import fields
from judgments.campaigns import settings as campaign_settings
from judgments.campaigns import states
from judgments.jobs import attempts
from judgments.jobs.attempts import Attempt, StaleAttempt, run_now
from judgments.jobs.control import cancel
from judgments.material import storing, uploads
from judgments.material.rules.reading import Roles, read_files, read_material
from judgments.models import Campaign, FilePiece, Job, System, SystemOutput, Upload
from judgments.rules.errors import Refused
from judgments.web.views import shared
from tests import factory
from tests.judgments.jobs.running import run_job

TEXTS = {"source": factory.SOURCE, **factory.SYSTEMS}
ENOUGH = "Store 3 systems and the source with 5 sentences"


@pytest.fixture
def fresh(db) -> Campaign:
    return campaign_settings.configure(Campaign(slug="fresh", name="Fresh"))


@pytest.fixture
def organiser(fresh):
    return factory.organiser(fresh, "oscar")


@pytest.fixture
def client(organiser, browser_of, no_worker) -> Client:
    return browser_of(organiser)


def uploaded(campaign, texts=TEXTS, **roles) -> Upload:
    return uploads.upload_files(campaign, fresh_user(), factory.upload(texts), Roles(**roles))


def done(upload: Upload) -> Upload:
    """The upload once a worker has looked at it."""
    run_job("upload", upload.pk)
    upload.refresh_from_db()
    return upload


def checked(campaign, texts=TEXTS, **roles) -> Upload:
    return done(uploaded(campaign, texts, **roles))


def stored(upload: Upload) -> Upload:
    upload.refresh_from_db()
    uploads.request_storing(upload, upload.request_number)
    return done(upload)


def problems_of(upload: Upload) -> list[str]:
    """Its problems as a page shows them."""
    return [
        f"{problem['file']}{f', line {line}' if (line := problem['line']) else ''}: {problem['what']}"
        for problem in upload.problems
    ]


def sent(texts: dict[str, bytes]) -> list[SimpleUploadedFile]:
    return [SimpleUploadedFile(name, content) for name, content in texts.items()]


def as_sent(texts=TEXTS) -> list[SimpleUploadedFile]:
    return sent({name: ("\n".join(lines) + "\n").encode() for name, lines in texts.items()})


def upload_by(client, campaign, files, **roles) -> str:
    """The page after handing files in, when a worker has looked at them."""
    answer = client.post(reverse("new_upload", args=[campaign.slug]), {"texts": files, **roles})
    if answer.status_code != 302:
        return answer.content.decode()
    if upload := Upload.objects.order_by("pk").last():
        run_now(upload)
    return client.get(answer.url).content.decode()


def claimed(upload: Upload) -> Attempt:
    upload.refresh_from_db()
    attempt = Attempt.claim(upload)
    assert attempt
    return attempt


# Checking and storing


@pytest.mark.postgresql
def test_an_upload_is_stored_once_the_organiser_says_so_and_its_files_are_gone(fresh):
    upload = checked(fresh, source_takes_part=True)
    assert upload.can_be_stored
    assert not System.objects.exists()
    assert upload.preview["sentences"] == 5
    assert upload.names == ["Heron", "Magpie", "Wren", "source"]
    upload = stored(upload)
    assert upload.is_stored
    what = "3 systems and the source"
    assert upload.taken == {"segments": 5, "systems": 4, "outputs": 20, "replaced": 0, "what": what}
    assert SystemOutput.objects.filter(system__campaign=fresh).count() == 20
    assert System.objects.get(name="source").takes_part
    assert not FilePiece.objects.exists()
    with pytest.raises(Refused, match="already stored"):
        uploads.discard(fresh, upload.pk)
    with pytest.raises(Refused, match="already stored"):
        uploads.check_again(upload, Roles())


def test_problems_are_reported_all_at_once_and_nothing_can_be_stored(fresh, admin_client):
    upload = checked(fresh, TEXTS | {"Heron": ["", *["x"] * 4], "Wren": ["one line"]})
    assert problems_of(upload) == [
        "Heron, line 1: the line is empty; say whether the system wrote nothing, or there is no output",
        "Wren: has 1 line where most files have 5; every file needs one line per sentence",
    ]
    assert not upload.can_be_stored
    with pytest.raises(Refused, match="cannot be stored yet"):
        uploads.request_storing(upload, upload.request_number)
    page = admin_client.get(upload.get_absolute_url()).content.decode()
    assert page.index('<a class="button primary" href="#files">Say what empty lines mean</a>') < page.index("Discard</")
    assert "Say below what an empty line means." in page


def test_new_material_is_checked_against_the_campaign_and_what_would_be_replaced_is_noted(campaign):
    replaced = ["He goes to school !", *factory.SYSTEMS["Heron"][1:]]
    upload = checked(campaign, {"Plover": factory.SYSTEMS["Heron"], "Heron": replaced})
    assert [one["name"] for one in upload.preview["contributions"]] == ["Plover", "Heron"]
    assert upload.notes[0].startswith("Heron: exists already")
    assert stored(upload).taken == {"segments": 5, "systems": 1, "outputs": 5, "replaced": 1, "what": "1 system"}
    assert "where the campaign has 5" in problems_of(checked(campaign, {"Other": ["x"]}))[0]


def test_faults_that_would_stop_storing_are_reported_by_the_check_and_leave_the_preview(campaign):
    upload = checked(campaign, {"heron": factory.SYSTEMS["Heron"], "Plover": factory.SOURCE})
    assert "heron is too similar" in problems_of(upload)[0]
    assert [one["name"] for one in upload.preview["contributions"]] == ["heron", "Plover"]
    assert not upload.can_be_stored
    references = frozenset({"Heron"})
    assert "as a system; it cannot become" in problems_of(checked(campaign, factory.SYSTEMS, references=references))[0]


def test_what_judges_have_seen_is_refused_with_a_sentence_and_the_rest_stays(campaign, ada):
    factory.answer_all(ada)
    upload = stored(checked(campaign, {"Heron": ["X", *factory.SYSTEMS["Heron"][1:]], "Plover": factory.SOURCE}))
    assert upload.state == Job.State.FAILED
    assert "judges have seen 1 of the outputs" in upload.error
    assert not System.objects.filter(name="Plover").exists()
    assert upload.can_be_stored, "one may try again"
    assert FilePiece.objects.filter(job=upload).exists()


# Storing happens once, and only on request


def test_what_was_shown_is_stored_once_and_nothing_else(fresh):
    upload = checked(fresh)
    shown = upload.request_number
    uploads.check_again(upload, Roles())
    upload = done(upload)
    with pytest.raises(Refused, match="checked again in the meantime"):
        uploads.request_storing(upload, shown)
    assert uploads.request_storing(upload, upload.request_number)
    assert not uploads.request_storing(upload, upload.request_number)
    for _ in range(2):
        run_job("upload", upload.pk)
    assert not uploads.request_storing(upload, upload.request_number)
    assert System.objects.filter(campaign=fresh).count() == 4


def test_of_several_uploads_each_is_stored_if_it_fits_those_before(fresh):
    one, same, misfit = checked(fresh), checked(fresh), checked(fresh, {"source": ["A ."], "Plover": ["B ."]})
    assert stored(one).taken["systems"] == 4
    assert stored(same).taken == {"segments": 5, "systems": 0, "outputs": 0, "replaced": 0, "what": "no new system"}
    misfit = stored(misfit)
    assert misfit.state == Job.State.FAILED
    assert "do not fit the campaign as it is now" in misfit.error
    assert "source: has 1 line where the campaign has 5" in problems_of(misfit)[0]


def test_material_that_comes_while_another_is_read_is_noticed(fresh, monkeypatch):
    upload = checked(fresh)

    def read_slowly(*given):
        found = read_files(*given)
        factory.storing.store_material(fresh, read_material(factory.upload({"source": ["A ."]}), Roles()))
        return found

    monkeypatch.setattr("judgments.material.upload_handlers.TextHandler.read_files", staticmethod(read_slowly))
    assert "Other files were stored in the meantime" in stored(upload).error


def test_a_new_check_overtakes_the_running_one_and_messages_about_two_stages_store_once(fresh):
    upload = uploaded(fresh)
    slow = claimed(upload)
    uploads.check_again(upload, Roles(source_takes_part=True))
    again = claimed(upload)
    with pytest.raises(StaleAttempt):
        slow.step("late", 0.5)
    again.step("in time", 0.5)
    seen = Upload.objects.get(pk=upload.pk)
    uploads.check_again(upload, Roles())
    run_now(seen)
    assert Upload.objects.get().state == Job.State.QUEUED, "that request is over"
    run_job("upload", upload.pk)
    uploads.request_storing(upload, Upload.objects.get().request_number)
    run_job("upload", upload.pk)
    run_job("upload", upload.pk)
    assert Upload.objects.get().is_stored


# Cancelling and throwing away


def test_cancelled_storing_stores_nothing_and_can_be_requested_again(fresh, monkeypatch):
    upload = checked(fresh)
    whole = storing.store_material

    def cancelled(*given):
        taken = whole(*given)
        assert cancel(upload)
        return taken

    with monkeypatch.context() as busy:
        busy.setattr(storing, "store_material", cancelled)
        stored(upload)
    # The test's own transaction holds both, so that the row is as before; for all others it says "cancelled".
    assert not System.objects.exists()
    assert FilePiece.objects.exists()


def test_a_check_can_be_cancelled_once(fresh):
    upload = uploaded(fresh)
    assert cancel(upload)
    assert not cancel(upload)
    done(upload)
    assert (upload.state, upload.preview) == (Job.State.CANCELLED, None)
    uploads.check_again(upload, Roles.read(upload.options))
    done(upload)
    assert upload.can_be_stored


def elsewhere(question):
    """The answer that another connection gets."""
    answers = []

    def ask():
        answers.append(question())
        connection.close()

    thread = Thread(target=ask)
    thread.start()
    thread.join()
    return answers[0]


def soon(question) -> bool:
    """Whether it becomes true before long."""
    return any(question() or time.sleep(0.02) for _ in range(500))


@pytest.mark.django_db(transaction=True)
def test_progress_and_cancelling_pass_through_the_open_transaction(monkeypatch):
    """On PostgreSQL; SQLite allows no other writer meanwhile, which does the storing no harm."""
    monkeypatch.setattr(attempts, "SECONDS_BETWEEN_BEATS", 0.01)
    monkeypatch.setattr(storing, "SEGMENTS_AT_ONCE", 1)
    upload = checked(campaign_settings.configure(Campaign(slug="fresh", name="Fresh")))
    progress = Attempt.progress

    def watched(self, start, end):
        note = progress(self, start, end)

        def look(done, total):
            note(done, total)
            if connection.vendor == "postgresql" and done == 3:
                in_progress = Upload.objects.filter(pk=upload.pk, progress__gt=start)
                assert soon(lambda: elsewhere(in_progress.exists))
                assert not elsewhere(System.objects.exists)
                assert elsewhere(lambda: uploaded(upload.campaign)), "others need not wait"
                assert elsewhere(lambda: cancel(upload))
                assert not soon(lambda: note(done, total)), "it ends by being overtaken"

        return look

    monkeypatch.setattr(Attempt, "progress", watched)
    upload = stored(upload)
    was_cancelled = connection.vendor == "postgresql"
    assert upload.is_stored != was_cancelled
    assert System.objects.exists() != was_cancelled
    assert FilePiece.objects.filter(job=upload).exists() == was_cancelled
    assert (upload.state == Job.State.CANCELLED) == was_cancelled


# Refusals at the door


def test_a_closed_campaign_takes_nothing_in(campaign, olga, browser_of, no_worker):
    upload = checked(campaign, {"Plover": factory.SOURCE})
    uploads.request_storing(upload, upload.request_number)
    states.close_campaign(campaign)
    done(upload)
    assert "reopen it" in upload.error
    with pytest.raises(Refused, match="reopen it"):
        stored(upload)
    with pytest.raises(Refused, match="reopen it"):
        uploaded(campaign)
    assert "reopen it" in upload_by(browser_of(olga), campaign, as_sent())
    assert Upload.objects.get() == upload
    assert "Check the files" not in browser_of(olga).get(reverse("material", args=[campaign.slug])).content.decode()


@pytest.mark.parametrize("where", [shared, fields])
def test_too_much_at_once_is_refused_in_a_sentence(client, fresh, monkeypatch, where):
    monkeypatch.setattr(where, "MOST_BYTES", 1000)
    monkeypatch.setattr("judgments.rules.request_sizes.OVERHEAD", 500)
    page = upload_by(client, fresh, sent({"source": b"x" * 2000}))
    assert "MB together. Put them into a ZIP" in page
    assert not Upload.objects.exists()


@pytest.mark.parametrize(("form_takes", "django_takes"), [(3, 1000), (3, 3)])
def test_too_many_files_are_refused_in_a_sentence(client, fresh, monkeypatch, settings, form_takes, django_takes):
    monkeypatch.setattr(fields, "MOST_FILES", form_takes)
    settings.DATA_UPLOAD_MAX_NUMBER_FILES = django_takes
    page = upload_by(client, fresh, as_sent())
    assert "files at once. Choose fewer" in page
    assert not Upload.objects.exists()


# On the pages


def test_an_organiser_uploads_checks_and_stores(client, fresh):
    page = upload_by(client, fresh, as_sent(), source_takes_part="on")
    assert ENOUGH in page
    assert "<ins>has</ins>" in page
    upload = Upload.objects.get()
    for _ in range(2):
        answer = client.post(
            reverse("store_upload", args=[fresh.slug, upload.pk]), {"request_number": upload.request_number}
        )
    run_job("upload", upload.pk)
    page = client.get(answer.url, follow=True).content.decode()
    assert "Stored: 3 systems and the source with 20 outputs for 5 sentences." in page
    assert "Preview of the plan" in page, "the next step"
    assert System.objects.filter(campaign=fresh).count() == 4
    assert "Heron" in client.get(reverse("material", args=[fresh.slug])).content.decode()


def test_roles_chosen_in_the_preview_are_used(client, fresh, no_worker):
    texts = {"orig.txt": factory.SOURCE, "A": factory.SOURCE, "gold.txt": factory.SOURCE, "bad": factory.SOURCE}
    upload_by(client, fresh, as_sent(texts))
    upload = Upload.objects.get()
    chosen = {"orig.txt": "source", "A": "system", "gold.txt": "reference", "bad": "control"}
    fields = {f"kind_{number}": chosen[file["file"]] for number, file in enumerate(upload.preview["files"])}
    assert client.post(reverse("check_upload", args=[fresh.slug, upload.pk]), fields).status_code == 302
    run_job("upload", upload.pk)
    kinds = {one["name"]: one["kind"] for one in Upload.objects.get().preview["contributions"]}
    assert kinds == {"orig": "source", "A": "system", "gold": "reference", "bad": "control"}


def test_the_button_to_store_stores_what_the_table_shows_or_shows_what_is_wrong_with_it(client, fresh):
    page = upload_by(client, fresh, as_sent({"source": factory.SOURCE, "A": factory.SOURCE, "theirs": factory.SOURCE}))
    assert '<button form="uploaded-files" name="store" value="1" class="primary">' in page
    upload = Upload.objects.get()
    address = reverse("check_upload", args=[fresh.slug, upload.pk])
    chosen = {"source": "source", "A": "system", "theirs": "reference"}
    fields = {f"kind_{number}": chosen[file["file"]] for number, file in enumerate(upload.preview["files"])}
    client.post(address, fields | {"name_2": "A", "source_takes_part": "on", "store": "1"})
    assert "a second file has the name 'A'" in problems_of(done(upload))[0]
    uploads.check_again(upload, Roles())
    upload = done(upload)
    client.post(address, fields | {"source_takes_part": "on", "store": str(upload.request_number)})
    assert done(upload).is_stored
    assert set(System.objects.values_list("name", "kind", "takes_part")) == {
        ("source", "source", True), ("A", "system", True), ("theirs", "reference", False)
    }  # fmt: skip


def test_roles_are_corrected_on_the_page(client, fresh, no_worker):
    upload_by(client, fresh, as_sent({"orig": factory.SOURCE, **factory.SYSTEMS}))
    upload = Upload.objects.get()
    address = reverse("check_upload", args=[fresh.slug, upload.pk])
    names = {file["name"]: f"kind_{number}" for number, file in enumerate(upload.preview["files"])}
    fields = dict.fromkeys(names.values(), "system")
    page = client.post(address, fields | {names["orig"]: "source", names["Wren"]: "source"}).content.decode()
    assert "orig and Wren cannot both be the source" in page
    assert client.post(address, fields | {names["orig"]: "source"}).status_code == 302
    run_job("upload", upload.pk)
    assert ENOUGH in client.get(reverse("upload", args=[fresh.slug, upload.pk])).content.decode()


def test_a_problem_in_one_file_stands_in_its_row_and_hides_no_other(client, fresh):
    texts = TEXTS | {"Heron": [""] * 4 + ["x"], "Magpie": ["one line"]}
    page = upload_by(client, fresh, as_sent(texts))
    assert "5 problems; see the table." in page
    assert (
        page.index("Line 3: the line is empty") < page.index("More problems") < page.index("Line 4: the line is empty")
    )
    assert page.index("Line 4: the line is empty") < page.index("it is:") < page.index("has 1 line"), (
        "asked where it occurs"
    )
    assert "On 5 sentences the systems have 1.2 distinct outputs on average" in page
    assert "Store" not in page


def test_files_are_renamed_and_left_out_on_the_page(client, fresh, no_worker):
    files = [*as_sent(TEXTS | {"He ron": factory.SOURCE, "Magpie": ["one line"]})]
    upload_by(client, fresh, files)
    upload = Upload.objects.get()
    numbers = {file["file"]: number for number, file in enumerate(upload.preview["files"])}
    fields = {f"name_{number}": name for name, number in numbers.items()}
    fields |= {f"kind_{number}": "source" if name == "source" else "system" for name, number in numbers.items()}
    fields |= {f"name_{numbers['He ron']}": "Plover", f"dropped_{numbers['Magpie']}": "on"}
    address = reverse("check_upload", args=[fresh.slug, upload.pk])
    assert client.post(address, fields).status_code == 302
    run_job("upload", upload.pk)
    page = client.get(reverse("upload", args=[fresh.slug, upload.pk])).content.decode()
    assert ENOUGH in page
    assert 'value="Plover"' in page
    stored(upload)
    assert set(System.objects.values_list("name", flat=True)) == {"source", "Heron", "Wren", "Plover"}


def test_files_are_wanted_and_a_file_called_source_is_the_source(client, fresh):
    upload_by(client, fresh, as_sent())
    upload = Upload.objects.get()
    fields = {f"kind_{number}": "system" for number in range(4)}
    page = client.post(reverse("check_upload", args=[fresh.slug, upload.pk]), fields).content.decode()
    assert "A file called source counts as the source" in page
    page = client.post(reverse("new_upload", args=[fresh.slug]), {"source_takes_part": "on"}).content.decode()
    assert "Choose a table, or a text file for each system" in page
    assert (
        'name="source_takes_part" aria-describedby="id_source_takes_part_helptext" id="id_source_takes_part" checked'
        in page
    )


@pytest.mark.postgresql
def test_cancelling_and_discarding_by_the_page(client, fresh, campaign):
    upload = uploaded(fresh)
    page = client.post(reverse("cancel_job", args=["upload", upload.pk]), follow=True).content.decode()
    assert "This was cancelled. Nothing was stored." in page
    discarded = client.post(reverse("discard_upload", args=[fresh.slug, upload.pk]))
    assert discarded.url == reverse("material", args=[fresh.slug])
    assert "The files were discarded" in client.get(discarded.url).content.decode()
    uploads.discard(fresh, upload.pk)
    assert not FilePiece.objects.exists()
    assert client.get(reverse("upload", args=[fresh.slug, upload.pk])).status_code == 404


@pytest.mark.parametrize("purpose", Upload.Purpose)
def test_the_page_of_what_is_stored_says_that_it_cannot_be_discarded(client, fresh, purpose):
    upload = uploaded(fresh)
    Upload.objects.filter(pk=upload.pk).update(stage=Upload.Stage.STORE, state=Job.State.DONE, about=purpose)
    upload.refresh_from_db()
    refused = client.post(reverse("discard_upload", args=[fresh.slug, upload.pk]))
    assert refused.url == upload.get_absolute_url()
    assert Upload.objects.filter(pk=upload.pk).exists()


@pytest.mark.postgresql
def test_uploads_not_yet_stored_stand_on_the_page_of_the_material_and_can_be_discarded_there(client, fresh):
    upload, other = checked(fresh), stored(checked(fresh))
    page = client.get(reverse("material", args=[fresh.slug])).content.decode()
    assert reverse("upload", args=[fresh.slug, upload.pk]) in page
    assert f'action="{reverse("discard_upload", args=[fresh.slug, upload.pk])}"' in page
    assert reverse("upload", args=[fresh.slug, other.pk]) not in page


# Files that people, or attackers, upload


@pytest.mark.parametrize("name", ["../../Plover", "..\\Plover", "/etc/Plover", "Plo\0ver"])
def test_a_path_in_a_name_leads_nowhere(client, fresh, name):
    body = b'--x\r\nContent-Disposition: form-data; name="texts"; filename="%s"\r\n\r\nA .\n\r\n' % name.encode()
    body += b'--x\r\nContent-Disposition: form-data; name="texts"; filename="source"\r\n\r\nB .\n\r\n--x--\r\n'
    address = reverse("new_upload", args=[fresh.slug])
    client.generic("POST", address, body, content_type="multipart/form-data; boundary=x")
    upload = Upload.objects.get()
    run_now(upload)
    upload.refresh_from_db()
    assert upload.names == ["Plover", "source"]


def fresh_user():
    return factory.User.objects.get_or_create(username="oscar")[0]


def test_hostile_sentences_are_shown_and_never_run_with_their_language_and_direction(client, fresh):
    Campaign.objects.filter(pk=fresh.pk).update(language="ar")
    hostile = "<script>alert(1)</script>"
    files = as_sent({"source": [hostile], "Heron": [f"{hostile} !"], "documents.tsv": [f"1\t{hostile}"]})
    page = upload_by(client, fresh, files)
    assert "Store 1 system and the source with 1 sentence" in page
    assert "<script>alert" not in page
    assert "&lt;script&gt;" in page
    assert page.count('lang="ar" dir="auto"') == 5
