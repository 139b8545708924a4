"""Backups: the whole comes back, row by row and byte by byte, or nothing is touched."""

import json
import zipfile
from collections.abc import Callable, Iterator
from datetime import timedelta
from errno import ENOSPC
from hashlib import sha256
from os import SEEK_END
from pathlib import Path
from threading import Thread
from types import SimpleNamespace

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from judgments.archive.backups import restoring, taking
from judgments.archive.backups.layout import MANIFEST, SEALED, open_backup, seal_of
from judgments.archive.backups.restoring import restore
from judgments.archive.backups.rows import all_models, last_key, lines_of, set_last_key
from judgments.archive.backups.taking import back_up, differences
from judgments.exchange.exporters import EXPORTS
from judgments.models import Campaign, Heartbeat, ImportJob, ImportPiece, Judgment, Membership, Screen, heartbeats
from judgments.models.heartbeats import BEAT
from judgments.rules.errors import Refused
from tests import factory
from tests.judgments.archive.installation import everything_stored, fill_installation

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def data_folder(tmp_path, settings) -> Path:
    """A data folder with a file that belongs to people, and others that nobody misses."""
    settings.DATA_DIR = tmp_path / "data"
    (settings.DATA_DIR / "deep").mkdir(parents=True)
    (settings.DATA_DIR / "deep" / "letter.bin").write_bytes(bytes(range(256)))
    (settings.DATA_DIR / "secret_key").write_text("s" * 60)
    (settings.DATA_DIR / "queue").mkdir()
    (settings.DATA_DIR / "queue" / "message").write_text("made again")
    return settings.DATA_DIR


@pytest.fixture
def file(tmp_path) -> Path:
    return tmp_path / "nightly.backup"


def fill_a_little() -> Campaign:
    campaign = factory.open_campaign()
    factory.judge_batch(factory.judge(campaign, "ada"))
    return campaign


@pytest.fixture
def untouched(transactional_db, data_folder, file) -> Iterator[None]:
    """Something was backed up and then changed, and stays as it is whatever the test does."""
    fill_a_little()
    back_up(file)
    Campaign.objects.update(name="Of today")
    before, files = everything_stored(), files_in(data_folder)
    yield
    Heartbeat.objects.all().delete()
    assert (everything_stored(), files_in(data_folder)) == (before, files)


def files_in(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.wide
@pytest.mark.postgresql
def test_every_row_and_every_byte_come_back_and_judging_goes_on(data_folder, file):
    campaign = fill_installation()
    before, files = everything_stored(), files_in(data_folder)
    exports = {
        name: b"".join(export.blocks(campaign)) for name, export in EXPORTS.items() if not export.fault(campaign)
    }
    back_up(file)
    factory.judge_batch(Membership.objects.get(campaign=campaign, pseudonym="ada"))
    Campaign.objects.update(name="Spoilt")
    (data_folder / "deep" / "letter.bin").write_bytes(b"spoilt")
    (data_folder / "newer").write_text("not in the backup")
    restore(file, replaces=True)
    assert everything_stored() == before
    assert all(rows for name, rows in before.items() if name in {"judgments.Draft", "ranking.ReportInputs"})
    assert files_in(data_folder) == files | {"newer": b"not in the backup"}, "what is not the platform's own stays"
    campaign.refresh_from_db()
    assert exports == {name: b"".join(EXPORTS[name].blocks(campaign)) for name in exports}
    done = Judgment.objects.count()
    factory.answer_all(Membership.objects.get(campaign=campaign, pseudonym="ada"))
    assert Judgment.objects.count() > done
    assert User.objects.create_user("newcomer").pk > max(row[0] for row in before["auth.User"])


@pytest.mark.long
@pytest.mark.postgresql
def test_numbers_of_rows_that_are_gone_are_not_given_again(data_folder, file):
    gone = User.objects.create_user("gone")
    number = gone.pk
    gone.delete()
    back_up(file)
    restore(file, replaces=True)
    assert User.objects.create_user("newcomer").pk == number + 1


@pytest.mark.django_db
@pytest.mark.postgresql
def test_the_last_key_of_one_table_is_set_whatever_rows_it_has():
    User.objects.create_user("olga")
    set_last_key(User, 1000)
    set_last_key(Campaign, 7)
    set_last_key(ImportJob, 0)
    assert (last_key(User), last_key(Campaign), last_key(ImportJob)) == (1000, 7, 0)
    assert User.objects.create_user("newcomer").pk == 1001


@pytest.mark.wide
@pytest.mark.postgresql
def test_a_check_says_that_all_is_the_same_or_what_differs(data_folder, file):
    fill_a_little()
    call_command("back_up", str(file))
    assert "are the same" in call_command("restore_backup", str(file), "--check")
    Screen.objects.filter(pk=Screen.objects.first().pk).update(automatic=True)
    (data_folder / "secret_key").write_text("another")
    with pytest.raises(CommandError, match=r"(?s)judgments.screen.*secret_key differs"):
        call_command("restore_backup", str(file), "--check")


@pytest.mark.long
def test_files_that_the_backup_does_not_have_are_left_and_listed(data_folder, file):
    call_command("back_up", str(file))
    (data_folder / "letter.txt").write_text("somebody's own")
    notice = "has one file that is not in the backup, such as letter.txt"
    assert notice in call_command("restore_backup", str(file), "--check")
    assert notice in call_command("restore_backup", str(file), "--replace")
    (data_folder / "other.txt").touch()
    assert "2 files that are not" in call_command("restore_backup", str(file), "--check")
    assert (data_folder / "letter.txt").read_text() == "somebody's own"


def test_it_says_how_much_is_packed_and_a_copy_of_a_backup_is_not_under_any_name(data_folder, file):
    back_up(file)
    (data_folder / "keep-this.zip").write_bytes(file.read_bytes())
    (data_folder / "other.zip").write_bytes(b"".join(EXPORTS["campaign.zip"].blocks(factory.make_campaign())))
    again = back_up(file.with_name("again.backup"))
    assert [entry.path for entry in again.files] == ["deep/letter.bin", "other.zip", "secret_key"]
    for name in ("deep/letter.bin", "other.zip"):
        (data_folder / name).unlink()
    assert "and 1 file to" in call_command("back_up", str(file.with_name("third.backup")))


@pytest.mark.wide
@pytest.mark.postgresql
def test_nothing_is_restored_without_a_request_or_while_workers_are_alive(untouched, file):
    with pytest.raises(CommandError, match=r"not empty: there are .*--replace"):
        call_command("restore_backup", str(file))
    heartbeats.beat("long@machine")
    for words in ([], ["--replace"]):
        with pytest.raises(CommandError, match=r"long@machine is running here .*heartbeat \d s ago\).*two minutes"):
            call_command("restore_backup", str(file), *words)


@pytest.mark.long
@pytest.mark.parametrize("away", [timedelta(minutes=2), -timedelta(days=1)])
def test_a_sign_of_long_ago_or_of_a_clock_that_was_wrong_stops_nobody(data_folder, file, away):
    back_up(file)
    heartbeats.beat("long@machine")
    heartbeats.beat(BEAT)
    Heartbeat.objects.exclude(name=BEAT).update(seen_at=timezone.now() - away)
    assert "Restored" in call_command("restore_backup", str(file), "--replace")


def test_nothing_lies_under_its_name_before_it_is_whole_and_what_exists_is_not_replaced(data_folder, file, monkeypatch):
    for place, advice in ((file, "Give another name, or remove it first"), (Path("/dev/full"), r"Give another name\.")):
        file.write_text("the one of yesterday")
        with pytest.raises(CommandError, match=rf"exists already\. {advice}"):
            call_command("back_up", str(place))
    assert file.read_text() == "the one of yesterday"
    assert Path("/dev/full").is_char_device()
    file.unlink()
    monkeypatch.setattr("judgments.archive.backups.taking.files_to_back_up", lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        back_up(file)
    assert [path.name for path in file.parent.iterdir()] == ["data"]


@pytest.mark.parametrize(
    ("command", "place", "message"),
    [
        ("back_up", "/nowhere/a.backup", "There is no folder /nowhere. Create it first"),
        ("back_up", "/", r"^/ is a folder\. Give the name of a file in it"),
        ("back_up", "", "is a folder"),
        ("back_up", "/proc/a.backup", r"^/proc/a.backup cannot be written \(.*check the folder's owner"),
        ("restore_backup", "/nowhere/a.backup", r"There is no file /nowhere/a\.backup\. Give"),
        ("restore_backup", "/proc", r"/proc is a folder\. Give"),
    ],
)
def test_a_path_that_cannot_be_used_is_refused_with_advice(data_folder, command, place, message):
    with pytest.raises(CommandError, match=message):
        call_command(command, place)


def test_other_files_are_not_called_broken_backups(data_folder, file):
    for content in (b"", b"# Read me\n"):
        file.write_bytes(content)
        with pytest.raises(Refused, match=r"is not a backup of this platform\. Give"):
            restore(file)
    file.write_bytes(b"".join(EXPORTS["campaign.zip"].blocks(factory.make_campaign())))
    with pytest.raises(Refused, match=r"not a backup of this platform\..* import_campaign"):
        restore(file, replaces=True)


@pytest.mark.postgresql
def test_it_says_which_database_it_is_without_its_password_and_whether_that_has_no_campaign(
    data_folder, file, capsys, monkeypatch
):
    output = call_command("back_up", str(file))
    assert "Is it the right one?" in capsys.readouterr().err
    name = str(connection.settings_dict["NAME"])
    kind = {"sqlite": "SQLite file", "postgresql": "PostgreSQL database"}[connection.vendor]
    assert output.startswith(f"{kind} {name}")
    assert output.endswith(" bytes.")
    fill_a_little()
    call_command("back_up", str(file.with_name("full.backup")))
    assert capsys.readouterr().err == ""
    of_postgres = {"NAME": "appraise", "HOST": "postgres", "PORT": 5433, "USER": "u", "PASSWORD": "secret"}
    there = SimpleNamespace(vendor="postgresql", settings_dict=of_postgres)
    monkeypatch.setattr(taking, "connection", there)
    assert taking.describe_database() == "PostgreSQL database appraise on postgres, port 5433"


@pytest.mark.postgresql
def test_a_database_of_another_version_is_named_and_an_empty_one_reported_as_empty(data_folder, file, monkeypatch):
    manifest = back_up(file)
    monkeypatch.setattr(MigrationRecorder, "applied_migrations", lambda recorder: {})
    (difference,) = differences(manifest)
    assert "has no tables yet. Run restore_backup without --check" in difference
    with pytest.raises(Refused, match=str(connection.settings_dict["NAME"])):
        back_up(file.with_name("again.backup"))


@pytest.mark.postgresql
def test_a_database_that_is_busy_is_no_broken_backup_and_only_the_owner_can_read_one(data_folder, file, monkeypatch):
    back_up(file)
    assert file.stat().st_mode & 0o077 == 0
    monkeypatch.setattr(restoring, "_drop_tables", fails(OperationalError("database is locked")))
    with pytest.raises(Refused, match=r"locked.*stop web servers, workers and beat"):
        restore(file, replaces=True)


@pytest.mark.long
@pytest.mark.postgresql
def test_an_installation_that_was_only_migrated_is_empty(data_folder, file):
    call_command("flush", "--no-input", verbosity=0)
    back_up(file)
    assert "Restored" in call_command("restore_backup", str(file))


@pytest.mark.wide
def test_a_broken_one_is_refused_and_nothing_is_touched(untouched, file):
    whole = file.read_bytes()
    for where in (0.1, 0.6, 0.999):
        place = int(len(whole) * where)
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        with pytest.raises(Refused, match="damaged"):
            restore(file, replaces=True)


@pytest.mark.wide
def test_every_byte_counts(data_folder, file):
    back_up(file)
    whole = file.read_bytes()
    for place, byte in enumerate(whole):
        with file.open("r+b") as changed:
            changed.seek(place)
            changed.write(bytes([byte ^ 1 << place % 8]))
        with pytest.raises(Refused, match="damaged"), open_backup(file):
            pass
        with file.open("r+b") as changed:
            changed.seek(place)
            changed.write(bytes([byte]))
    with open_backup(file) as backup:
        assert backup.manifest.rows


def without_the_last(file: Path) -> None:
    """The last entry of the directory is gone, and the end says so."""
    whole = file.read_bytes()
    last, end = whole.rindex(b"PK\x01\x02"), whole.rindex(b"PK\x05\x06")
    number = int.from_bytes(whole[end + 8 : end + 10], "little") - 1
    size = int.from_bytes(whole[end + 12 : end + 16], "little") - (end - last)
    counts = number.to_bytes(2, "little") * 2 + size.to_bytes(4, "little")
    file.write_bytes(whole[:last] + whole[end : end + 8] + counts + whole[end + 16 :])


def with_one_twice(file: Path) -> None:
    """As a tool for archives adds it, which keeps the comment."""
    with zipfile.ZipFile(file, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("files/secret_key", "another")


def longer(file: Path) -> None:
    file.write_bytes(file.read_bytes() + b"\n")


def cut_off(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:5000])


def test_one_with_more_or_less_in_it_is_refused(data_folder, file):
    back_up(file)
    whole = file.read_bytes()
    for damage in (without_the_last, with_one_twice, longer, cut_off):
        file.write_bytes(whole)
        damage(file)
        with pytest.raises(Refused, match="damaged"):
            restore(file, replaces=True)


def rewritten(file: Path, parts: dict[str, bytes], **changes: object) -> None:
    """The same backup with further parts and something else in its manifest, sealed like an intact one."""
    with zipfile.ZipFile(file) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()} | parts
    parts[MANIFEST] = json.dumps(json.loads(parts[MANIFEST]) | changes).encode()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
        archive.comment = bytes(SEALED)
    with file.open("r+b") as written:
        seal = seal_of(written)
        written.seek(-SEALED, SEEK_END)
        written.write(seal)


@pytest.mark.wide
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"version": 3}, "has version 3, .* restore it with"),
        ({"migrations": [["judgments", "0999_later"]]}, "newer version .*judgments.0999_later"),
        ({"tables": []}, "another version .* its table admin.logentry"),
    ],
)
def test_one_that_does_not_fit_is_refused_with_a_sentence(data_folder, file, changes, message):
    back_up(file)
    rewritten(file, {}, **changes)
    with pytest.raises(Refused, match=message):
        restore(file, replaces=True)


@pytest.mark.wide
@pytest.mark.postgresql
@pytest.mark.parametrize("change", [lambda columns: columns - {"paused_at"}, lambda columns: columns | {"mood"}])
def test_one_with_a_column_less_or_more_is_refused_though_it_could_be_empty(untouched, file, change):
    with open_backup(file) as backup:
        tables = [table._asdict() for table in backup.manifest.tables]
    (judges,) = [table for table in tables if table["model"] == "judgments.membership"]
    judges["columns"] = sorted(change({*judges["columns"]}))
    rewritten(file, {}, tables=tables)
    with pytest.raises(Refused, match=r"another version .* judgments\.membership is not the same"):
        restore(file, replaces=True)


@pytest.mark.wide
@pytest.mark.postgresql
def test_one_whose_rows_refer_to_rows_that_it_lacks_is_refused(untouched, file):
    with open_backup(file) as backup:
        tables = [table._asdict() for table in backup.manifest.tables]
    for table in tables:
        table["rows"] *= table["model"] != "judgments.slot"
    rewritten(file, {"tables/judgments.slot.jsonl": b""}, tables=tables)
    with pytest.raises(Refused, match=r"its rows are inconsistent: .*judgments_placement"):
        restore(file, replaces=True)


def test_memory_holds_one_file_of_the_database_at_a_time(data_folder):
    olga = User.objects.create_user("olga")
    for number in range(3):
        job = ImportJob.objects.create(requested_by=olga)
        ImportPiece.objects.create(job=job, number=0, content=bytes(number))
    assert [number for _, number in lines_of(ImportPiece, ("job_id", "content"))] == [1, 1, 1]


@pytest.mark.wide
def test_a_file_that_no_backup_would_hold_is_refused_before_anything_is_changed(untouched, file):
    whole = file.read_bytes()
    for path in ("../evil", "/evil", "static/x.js", "appraise.sqlite3", "queue/x", "beat", "a/.."):
        file.write_bytes(whole)
        forged = {"path": path, "size": 1, "digest": sha256(b"x").hexdigest()}
        rewritten(file, {f"files/{path}": b"x"}, files=[forged])
        with pytest.raises(Refused, match="does not belong in the data folder"):
            restore(file, replaces=True)


def fails(fault: Exception) -> Callable[..., None]:
    def failing(*_: object) -> None:
        raise fault

    return failing


@pytest.mark.wide
def test_a_full_disk_stops_a_restore_before_the_tables_are_changed(untouched, file, monkeypatch):
    monkeypatch.setattr(restoring, "copyfileobj", fails(OSError(ENOSPC, "No space left on device")))
    with pytest.raises(OSError, match="No space left"):
        restore(file, replaces=True)


@pytest.mark.long
@pytest.mark.postgresql
def test_a_failure_half_way_leaves_everything_as_it_was(untouched, file, monkeypatch):
    monkeypatch.setattr(restoring, "set_last_key", lambda model, key: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        restore(file, replaces=True)
    assert "judgments" in {app for app, _ in MigrationRecorder(connection).applied_migrations()}


@pytest.mark.wide
@pytest.mark.postgresql
def test_a_concurrent_judgment_is_backed_up_whole_or_not_at_all(data_folder, file):
    campaign = factory.open_campaign()
    ada, ben = factory.judge(campaign, "ada"), factory.judge(campaign, "ben")
    factory.judge_batch(ada)
    before = everything_stored()
    judges = [ben]

    def judge_between(done: int, total: int) -> None:
        if judges:
            elsewhere = Thread(target=judge_elsewhere, args=(judges.pop(),))
            elsewhere.start()
            elsewhere.join()

    back_up(file, judge_between)
    assert len(everything_stored()["judgments.Judgment"]) > len(before["judgments.Judgment"])
    restore(file, replaces=True)
    assert everything_stored() == before


def judge_elsewhere(judge: Membership) -> None:
    """As another process would: by a connection of its own."""
    factory.judge_batch(judge)
    connection.close()


def test_every_table_has_a_place_after_those_it_refers_to():
    models = all_models()
    places = {model: place for place, model in enumerate(models)}
    assert len(places) == len(models)
    for model in models:
        for field in model._meta.local_concrete_fields:
            if field.related_model and field.related_model is not model:
                assert places[field.related_model] < places[model]
