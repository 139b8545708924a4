"""From a demonstration on one machine to PostgreSQL and back, by the commands that people type; killed, and in want."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from shutil import disk_usage
from time import sleep

import pytest

from judgments.archive.backups import open_backup
from tests.faults.disturbances import NoVolume, Volume, small_volume
from tests.services.house import ROOT, SECRET, House
from tests.services.servers import provide_postgres
from tests.services.waiting import wait_until

pytestmark = pytest.mark.services

# One more user than there are: PostgreSQL's own numbering has to go on behind those that came.
NEWCOMER = """
from django.contrib.auth.models import User
most = max(User.objects.values_list("pk", flat=True))
print(User.objects.create_user("newcomer").pk > most)
"""
JUDGE_ON = """
from judgments.assignment import claiming
from judgments.models import Campaign, Judgment, Membership
from tests import factory
judge = Membership.objects.create(campaign=Campaign.objects.get(slug="demo"), role="judge", pseudonym="newcomer")
before = Judgment.objects.count()
factory.answer(claiming.claim_next(judge))
print(Judgment.objects.count() - before)
"""


FILL = """
from datetime import timedelta
from secrets import token_hex
from django.contrib.sessions.models import Session
from django.utils import timezone
until = timezone.now() + timedelta(days=1)
Session.objects.bulk_create(
    Session(session_key=token_hex(16), session_data=token_hex(5000), expire_date=until) for _ in range(1500)
)
"""


def rows_of(path: Path) -> dict[str, int]:
    with open_backup(path) as (_, manifest):
        return manifest.rows


def test_a_demonstration_moves_to_postgresql_and_back(tmp_path):
    small, again = House(tmp_path / "small"), House(tmp_path / "again")
    first, second = tmp_path / "first.backup", tmp_path / "second.backup"
    small.prepare()
    assert "rows" in small.manage("back_up", str(first))
    with provide_postgres() as server:
        large = House(tmp_path / "large", DATABASE_URL=server.url, SECRET_KEY=SECRET)
        assert "Restored" in large.manage("restore", str(first)), "not even migrate was run there"
        assert "are the same" in large.manage("restore", str(first), "--check")
        large.manage("back_up", str(second))
        assert large.manage("shell", "--verbosity", "0", "-c", NEWCOMER).strip() == "True"
        assert large.manage("shell", "--verbosity", "0", "-c", JUDGE_ON).strip() == "1"
    assert rows_of(second) == rows_of(first)
    assert "are the same" in small.manage("restore", str(second), "--check")
    again.manage("restore", str(second))
    assert "are the same" in again.manage("restore", str(second), "--check")
    assert (tmp_path / "again" / "secret_key").read_bytes() == (tmp_path / "small" / "secret_key").read_bytes()
    assert again.manage("shell", "--verbosity", "0", "-c", JUDGE_ON).strip() == "1"


@pytest.fixture(params=["sqlite", "postgresql"])
def house(request, tmp_path) -> Iterator[House]:
    """With 15 megabytes, so that a restore takes a moment."""
    with ExitStack() as stack:
        variables = {}
        if request.param == "postgresql":
            variables = {"DATABASE_URL": stack.enter_context(provide_postgres()).url, "SECRET_KEY": SECRET}
        house = House(tmp_path / "house", **variables)
        house.manage("migrate", "--verbosity", "0")
        house.shell(FILL)
        yield house


def run(house: House, *words: str) -> subprocess.CompletedProcess:
    command = [sys.executable, "manage.py", *words]
    return subprocess.run(command, cwd=ROOT, env=house.variables, capture_output=True, text=True, check=False)


def is_the_same(house: House, backup: Path) -> bool:
    checked = run(house, "restore", str(backup), "--check")
    assert "are the same" in checked.stdout or "differs from the backup" in checked.stderr, checked.stderr
    return checked.returncode == 0


def test_a_restore_that_is_killed_is_undone_or_done(house, tmp_path):
    before, after = tmp_path / "before", tmp_path / "after"
    house.manage("back_up", str(after))
    house.shell(FILL)
    house.manage("back_up", str(before))
    command = [sys.executable, "manage.py", "restore", str(after), "--replace"]
    work, found = Path(house.variables["DATA_DIR"]) / ".after.part", set()
    for kill in range(5):
        with subprocess.Popen(command, cwd=ROOT, env=house.variables, stderr=subprocess.DEVNULL) as restoring:
            wait_until(lambda: work.exists() or restoring.poll() is not None, "the restore")
            sleep(0.2 * kill)
            os.kill(restoring.pid, signal.SIGKILL)
        done = is_the_same(house, after)
        assert done or is_the_same(house, before)
        found.add(done)
        if done:
            house.manage("restore", str(before), "--replace")
    assert False in found


@pytest.fixture
def volume() -> Iterator[Volume]:
    try:
        with small_volume(160) as volume:
            yield volume
    except NoVolume as reason:
        pytest.skip(str(reason))


def attempts(house: House, volume: Volume, *words: str) -> Iterator[str]:
    """What a command says each time that it fails for want of space, until more is left, and it does not."""
    for megabytes in range(1, 100, 9):
        ballast = volume.folder / "ballast"
        with ballast.open("wb") as file:
            os.posix_fallocate(file.fileno(), 0, disk_usage(volume.folder).free - megabytes * 2**20)
        done = run(house, *words)
        ballast.unlink()
        if done.returncode == 0:
            return
        yield done.stderr
    raise AssertionError("It always fails.")


def test_a_full_disk_leaves_everything_as_it_was(tmp_path, volume):
    house, before, after = House(volume.folder / "house"), tmp_path / "before", tmp_path / "after"
    house.manage("migrate", "--verbosity", "0")
    house.shell(FILL)
    house.manage("back_up", str(after))
    house.shell(FILL)
    house.manage("back_up", str(before))
    refusals = []
    for refusal in attempts(house, volume, "restore", str(after), "--replace"):
        assert is_the_same(house, before)
        refusals.append(refusal)
    assert is_the_same(house, after)
    for refusal in attempts(house, volume, "back_up", str(volume.folder / "new.backup")):
        assert [path.name for path in volume.folder.iterdir()] == ["house"]
        refusals.append(refusal)
    assert len(refusals) > 4
    assert all("no space" in refusal.lower() or "is full" in refusal for refusal in refusals), refusals
