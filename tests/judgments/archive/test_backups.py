"""Backups: the whole comes back, row by row and byte by byte, or nothing is touched."""

import json
import sqlite3
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing, nullcontext, suppress
from datetime import timedelta
from errno import ENOSPC
from hashlib import sha256
from itertools import count
from pathlib import Path
from threading import Event, Thread
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis
from hypothesis import strategies as st

from judgments.archive import backups, databases
from judgments.archive.backups import DATABASE, MANIFEST, Manifest, back_up, compare, open_backup, restore
from judgments.exchange.exporters import EXPORTS
from judgments.models import (
    Campaign,
    FilePiece,
    Heartbeat,
    ImportJob,
    Judgment,
    Membership,
    Screen,
    heartbeats,
)
from judgments.models.heartbeats import BEAT
from judgments.rules.errors import Refused
from tests import factory
from tests.judgments.archive.installation import everything_stored, fill_installation
from tests.services.waiting import wait_until

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
    (settings.DATA_DIR / "address").write_text("http://127.0.0.1:8001")
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


@pytest.mark.wide
@pytest.mark.postgresql
def test_numbers_of_rows_that_are_gone_are_not_given_again(data_folder, file):
    """Whether other rows are left in the table or not."""
    for name in ("first", "second"):
        gone = User.objects.create_user("gone")
        number = gone.pk
        gone.delete()
        back_up(file.with_name(name))
        User.objects.all().delete()
        restore(file.with_name(name), replaces=True)
        assert User.objects.create_user(name).pk == number + 1


@pytest.mark.wide
@pytest.mark.postgresql
def test_a_check_says_that_all_is_the_same_or_what_differs(data_folder, file):
    fill_a_little()
    call_command("back_up", str(file))
    assert "are the same" in call_command("restore", str(file), "--check")
    Screen.objects.filter(pk=Screen.objects.first().pk).update(automatic=True)
    (data_folder / "secret_key").write_text("another")
    with pytest.raises(CommandError, match=r"(?s)judgments.screen.*secret_key differs"):
        call_command("restore", str(file), "--check")


@pytest.mark.long
def test_files_that_the_backup_does_not_have_are_left_and_listed(data_folder, file):
    call_command("back_up", str(file))
    (data_folder / "letter.txt").write_text("somebody's own")
    notice = "has one file that is not in the backup, such as letter.txt"
    assert notice in call_command("restore", str(file), "--check")
    assert notice in call_command("restore", str(file), "--replace")
    (data_folder / "other.txt").touch()
    assert "2 files that are not" in call_command("restore", str(file), "--check")
    assert (data_folder / "letter.txt").read_text() == "somebody's own"


def test_it_says_how_much_is_packed_and_a_copy_of_a_backup_is_not_under_any_name(data_folder, file):
    back_up(file)
    (data_folder / "keep-this.zip").write_bytes(file.read_bytes())
    (data_folder / "other.zip").write_bytes(b"".join(EXPORTS["campaign.zip"].blocks(factory.make_campaign())))
    again = back_up(file.with_name("again.backup"))
    assert list(again.files) == ["deep/letter.bin", "other.zip", "secret_key"]
    for name in ("deep/letter.bin", "other.zip"):
        (data_folder / name).unlink()
    assert "and 1 file to" in call_command("back_up", str(file.with_name("third.backup")))


@pytest.mark.wide
@pytest.mark.postgresql
def test_nothing_is_restored_without_a_request_or_while_workers_are_alive(untouched, file):
    with pytest.raises(CommandError, match=r"not empty: there are .*--replace"):
        call_command("restore", str(file))
    heartbeats.beat("long@machine")
    for words in ([], ["--replace"]):
        with pytest.raises(CommandError, match=r"long@machine is running here .*heartbeat \d s ago\).*two minutes"):
            call_command("restore", str(file), *words)


@pytest.mark.long
@pytest.mark.parametrize("away", [timedelta(minutes=2), -timedelta(days=1)])
def test_a_sign_of_long_ago_or_of_a_clock_that_was_wrong_stops_nobody(data_folder, file, away):
    back_up(file)
    heartbeats.beat("long@machine")
    heartbeats.beat(BEAT)
    Heartbeat.objects.exclude(name=BEAT).update(seen_at=timezone.now() - away)
    assert "Restored" in call_command("restore", str(file), "--replace")


@pytest.mark.postgresql
def test_workers_that_ran_at_the_time_of_the_backup_are_not_said_to_run(data_folder, file):
    heartbeats.beat("long@machine")
    back_up(file)
    Heartbeat.objects.all().delete()
    restore(file, replaces=True)
    assert not Heartbeat.objects.exists()
    assert compare(file)[1] == []


def test_nothing_lies_under_its_name_before_it_is_whole_and_what_exists_is_not_replaced(data_folder, file, monkeypatch):
    for place, advice in ((file, "Give another name, or remove it first"), (Path("/dev/full"), r"Give another name\.")):
        file.write_text("the one of yesterday")
        with pytest.raises(CommandError, match=rf"exists already\. {advice}"):
            call_command("back_up", str(place))
    assert file.read_text() == "the one of yesterday"
    assert Path("/dev/full").is_char_device()
    file.unlink()
    monkeypatch.setattr(backups, "files_to_back_up", lambda: 1 / 0)
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
        ("restore", "/nowhere/a.backup", r"There is no file /nowhere/a\.backup\. Give"),
        ("restore", "/proc", r"/proc is a folder\. Give"),
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
    monkeypatch.setattr(backups, "connection", there)
    assert backups.describe_database() == "PostgreSQL database appraise on postgres, port 5433"


@pytest.mark.postgresql
def test_a_database_of_another_version_is_named_and_an_empty_one_reported_as_empty(data_folder, file, monkeypatch):
    back_up(file)
    monkeypatch.setattr(MigrationRecorder, "applied_migrations", lambda recorder: {})
    _, (difference,) = compare(file)
    assert "has no tables yet. Run restore without --check" in difference
    with pytest.raises(Refused, match=str(connection.settings_dict["NAME"])):
        back_up(file.with_name("again.backup"))


@pytest.mark.wide
@pytest.mark.postgresql
def test_a_database_that_is_busy_is_no_broken_backup(untouched, file, monkeypatch):
    monkeypatch.setattr(databases, "LOCK_SECONDS", 0.1)
    other = connection.copy("other")
    begin = {"sqlite": "BEGIN IMMEDIATE", "postgresql": "BEGIN"}[connection.vendor]
    patience = connection.settings_dict["OPTIONS"] | {"timeout": 0.1, "init_command": "PRAGMA journal_mode=WAL"}
    if connection.vendor == "sqlite":
        monkeypatch.setitem(connection.settings_dict, "OPTIONS", patience)
        connection.close()
    with closing(other), other.cursor() as cursor:
        cursor.execute(begin)
        cursor.execute("SELECT count(*) FROM judgments_campaign")
        with pytest.raises(Refused, match=r"lock.*stop web servers, workers and beat"):
            restore(file, replaces=True)


def test_only_the_owner_can_read_one_and_anybody_else_could_open_its_database(data_folder, file, tmp_path):
    fill_a_little()
    back_up(file)
    assert file.stat().st_mode & 0o077 == 0
    with zipfile.ZipFile(file) as archive:
        archive.extract(DATABASE, tmp_path)
    with closing(sqlite3.connect(tmp_path / DATABASE)) as found:
        assert found.execute("SELECT count(*) FROM judgments_judgment").fetchone() == (Judgment.objects.count(),)
        assert found.execute("PRAGMA journal_mode").fetchone() == ("delete",)


@pytest.mark.long
@pytest.mark.postgresql
def test_an_installation_that_was_only_migrated_is_empty(data_folder, file):
    call_command("flush", "--no-input", verbosity=0)
    back_up(file)
    assert "Restored" in call_command("restore", str(file))


@pytest.mark.wide
def test_a_broken_one_is_refused_and_nothing_is_touched(untouched, file):
    whole = file.read_bytes()
    with zipfile.ZipFile(file) as archive:  # between its entries are bytes that say nothing
        most = max(archive.infolist(), key=lambda entry: entry.compress_size)
    places = [most.header_offset + most.compress_size * part // 4 for part in (1, 2, 3)]
    # A single byte may say where the same zeros stand elsewhere, too.
    ends = [(place, place + 50) for place in places]
    changed = [whole[:at] + bytes(byte ^ 0xFF for byte in whole[at:end]) + whole[end:] for at, end in ends]
    for content in (*changed, whole[: len(whole) * 98 // 100]):
        file.write_bytes(content)
        with pytest.raises(Refused, match="damaged"):
            restore(file, replaces=True)


def contents(file: Path, folder: Path) -> tuple[Manifest, dict[str, bytes]]:
    """All that a restore would put in place, after all its checks."""
    folder.mkdir(exist_ok=True)
    with open_backup(file) as (archive, manifest):
        backups._unpack(archive, manifest, folder, lambda done, total: None)
    return manifest, {name: (folder / name).read_bytes() for name in manifest.entries}


@pytest.mark.wide
@hypothesis(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300)
@given(data=st.data())
def test_what_is_changed_cut_or_added_is_refused_or_harmless(data, data_folder, file, tmp_path):
    if not file.exists():
        back_up(file)
    whole, expected = file.read_bytes(), contents(file, tmp_path / "whole")
    # Half of the changes are in the manifest and the directory.
    place = data.draw(st.integers(0, len(whole) - 1) | st.integers(len(whole) - 5000, len(whole)))
    number = data.draw(st.integers(0, 40))
    changed = whole[:place] + data.draw(st.binary(max_size=40)) + whole[place + number :]
    damaged = file.with_name("damaged")
    damaged.write_bytes(changed)
    with suppress(Refused):
        assert contents(damaged, tmp_path / "damaged-contents") == expected


def without_the_last(file: Path) -> None:
    """The last entry of the directory is gone, and the end says so."""
    whole = file.read_bytes()
    last, end = whole.rindex(b"PK\x01\x02"), whole.rindex(b"PK\x05\x06")
    number = int.from_bytes(whole[end + 8 : end + 10], "little") - 1
    size = int.from_bytes(whole[end + 12 : end + 16], "little") - (end - last)
    counts = number.to_bytes(2, "little") * 2 + size.to_bytes(4, "little")
    file.write_bytes(whole[:last] + whole[end : end + 8] + counts + whole[end + 16 :])


def with_another(name: str) -> Callable[[Path], None]:
    def damage(file: Path) -> None:
        expected = pytest.warns(UserWarning, match="Duplicate") if name.endswith("key") else nullcontext()
        with zipfile.ZipFile(file, "a") as archive, expected:
            archive.writestr(name, "another")

    return damage


def cut_off(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:5000])


def test_one_with_more_or_less_in_it_is_refused(data_folder, file):
    back_up(file)
    whole = file.read_bytes()
    for damage in (without_the_last, with_another("files/secret_key"), with_another("more"), cut_off):
        file.write_bytes(whole)
        damage(file)
        with pytest.raises(Refused, match="damaged"):
            restore(file, replaces=True)


def test_a_bomb_and_whatever_else_the_disk_has_no_room_for_is_refused(untouched, file, monkeypatch):
    monkeypatch.setattr(backups.shutil, "disk_usage", lambda folder: SimpleNamespace(free=10**5))
    with pytest.raises(Refused, match=r"no space to unpack the backup: it takes [\d,]+ bytes, and .* has 100,000 left"):
        restore(file, replaces=True)


def rewritten(file: Path, sql: str = "", files: dict[str, bytes] | None = None, **changes: Any) -> None:
    """The same backup after statements in its database, with further files and changes of its manifest."""
    with zipfile.ZipFile(file) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()} | (files or {})
    with closing(sqlite3.connect(":memory:")) as database:
        database.deserialize(parts[DATABASE])
        database.executescript(sql)
        parts[DATABASE] = database.serialize()
    manifest = json.loads(parts.pop(MANIFEST))
    manifest["entries"] = {name: [len(part), sha256(part).hexdigest()] for name, part in parts.items()}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in (parts | {MANIFEST: json.dumps(manifest | changes).encode()}).items():
            archive.writestr(name, content)


@pytest.mark.wide
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"version": 4}, "newer version .*format 4"),
        ({"version": 2}, "old format 2.*with the version of the platform that made it"),
        ({"migrations": [["judgments", "0999_later"]]}, "newer version .*judgments.0999_later"),
        ({"sql": "DROP TABLE django_admin_log"}, "another version .* its table admin.logentry"),
        (
            {"sql": "ALTER TABLE judgments_membership ADD mood text"},
            "another version .* its table judgments.membership",
        ),
        ({"sql": "ALTER TABLE judgments_membership DROP paused_at"}, "another version .* judgments.membership"),
        ({"entries": {}}, "damaged"),
        ({"files": {"file of no folder": b""}}, "damaged"),
        ({"more": 1}, "damaged"),
    ],
)
def test_one_that_does_not_fit_is_refused_with_a_sentence(untouched, file, changes, message):
    rewritten(file, **changes)
    with pytest.raises(Refused, match=message):
        restore(file, replaces=True)


@pytest.mark.wide
@pytest.mark.postgresql
def test_one_whose_rows_refer_to_rows_that_it_lacks_is_refused(untouched, file):
    rewritten(file, "DELETE FROM judgments_slot")
    with pytest.raises(Refused, match=r"its rows are inconsistent: .*judgments_placement"):
        restore(file, replaces=True)


@pytest.mark.wide
@pytest.mark.postgresql
def test_one_of_an_older_version_is_migrated(data_folder, file, tmp_path):
    """Here with the tables of Django before its last migration, and a name that only those allow."""
    olga = User.objects.create_user("olga")
    back_up(file)
    with zipfile.ZipFile(file) as archive:
        old = Path(archive.extract(DATABASE, tmp_path / "old"))
    with databases.open_database(old) as database:
        MigrationExecutor(database).migrate([("auth", "0011_update_proxy_permissions")])
        migrations = sorted(map(list, MigrationRecorder(database).applied_migrations()))
    rewritten(file, files={DATABASE: old.read_bytes()}, migrations=migrations)
    _, (difference,) = compare(file)
    assert "another version of the tables" in difference
    restore(file, replaces=True)
    assert ("auth", "0012_alter_user_first_name_max_length") in MigrationRecorder(connection).applied_migrations()
    User.objects.filter(pk=olga.pk).update(first_name="O" * 150)


@pytest.mark.wide
def test_a_file_that_no_backup_would_hold_is_refused_before_anything_is_changed(untouched, file):
    whole = file.read_bytes()
    for path in ("../evil", "/evil", "static/x.js", "appraise.sqlite3", "queue/x", "beat", "a/.."):
        file.write_bytes(whole)
        rewritten(file, files={f"files/{path}": b"x"})
        with pytest.raises(Refused, match="does not belong in the data folder"):
            restore(file, replaces=True)


def fails(fault: Exception) -> Callable[..., None]:
    def failing(*_: object) -> None:
        raise fault

    return failing


@pytest.mark.wide
def test_a_full_disk_stops_a_restore_before_the_tables_are_changed(untouched, file, monkeypatch):
    monkeypatch.setattr(backups, "_transfer", fails(OSError(ENOSPC, "No space left on device")))
    with pytest.raises(OSError, match="No space left"):
        restore(file, replaces=True)
    with pytest.raises(Refused, match=r"cannot be written \(No space left .* No backup was made"):
        back_up(file.with_name("again.backup"))
    assert sorted(path.name for path in file.parent.iterdir()) == ["data", file.name]


@pytest.mark.wide
@pytest.mark.postgresql
def test_a_failure_half_way_leaves_everything_as_it_was(untouched, file, monkeypatch):
    """While it unpacks, before it fills the database, and in PostgreSQL while it does so."""
    seen: list[int] = []
    with monkeypatch.context() as patch:
        patch.setattr(databases, "update_tables", fails(ZeroDivisionError()))
        with pytest.raises(ZeroDivisionError):
            restore(file, True, lambda done, total: seen.append(done))
    unpacking = len(seen)
    for last in (1, unpacking) if connection.vendor == "sqlite" else (1, unpacking, unpacking + 1, unpacking + 9):
        seen.clear()

        def stop(done: int, total: int, last: int = last) -> None:
            seen.append(done)
            if len(seen) == last:
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            restore(file, True, stop)


@pytest.mark.wide
@pytest.mark.postgresql
def test_it_shows_one_moment_though_others_never_stop_writing(data_folder, file):
    """They store a user and, in the same transaction, that one's name as the campaign's."""
    campaign, is_over = fill_a_little(), Event()
    writer = Thread(target=write_until, args=(is_over,))
    writer.start()
    try:
        wait_until(lambda: User.objects.filter(username="newcomer 3").exists(), "the first ones")
        back_up(file)
    finally:
        is_over.set()
        writer.join()
    most = User.objects.latest("pk").username
    restore(file, replaces=True)
    campaign.refresh_from_db()
    assert User.objects.latest("pk").username == campaign.name
    assert campaign.name != most, "others wrote meanwhile, or nothing is shown"


def write_until(is_over: Event) -> None:
    """As another process would: by a connection of its own."""
    for number in count():
        if is_over.is_set():
            break
        with transaction.atomic():
            User.objects.create(username=f"newcomer {number}")
            Campaign.objects.update(name=f"newcomer {number}")
    connection.close()


@pytest.mark.wide
@pytest.mark.postgresql
def test_memory_holds_one_file_of_the_database_at_a_time(data_folder, file):
    job = ImportJob.objects.create(requested_by=User.objects.create_user("olga"))
    peaks = []
    for number in range(4):
        FilePiece.objects.create(job=job, number=number, content=bytes(4 * 2**20))
        tracemalloc.start()
        back_up(file.with_name(str(number)))
        restore(file.with_name(str(number)), replaces=True)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[3] < 1.5 * peaks[0]


def test_what_a_killed_command_left_is_in_no_backup_and_removed_by_the_next(data_folder, file):
    left = data_folder / f".{file.name}.part" / "half"
    left.parent.mkdir()
    left.write_text("half")
    assert list(back_up(file).files) == ["deep/letter.bin", "secret_key"]
    restore(file)
    assert not left.parent.exists()
