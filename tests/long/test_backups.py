"""From a demonstration on one machine to PostgreSQL and back, by the commands that people type."""

from pathlib import Path

import pytest

from judgments.archive.backups.layout import Manifest, open_backup
from tests.services.house import SECRET, House
from tests.services.servers import provide_postgres

pytestmark = pytest.mark.services

# One more user than there are: PostgreSQL's own numbering has to go on behind those that came.
NEWCOMER = """
from django.contrib.auth.models import User
most = max(User.objects.values_list("pk", flat=True))
print(User.objects.create_user("newcomer").pk > most)
"""
JUDGE_ON = """
from judgments.assignment import claiming
from judgments.models import Judgment, Membership
from tests import factory
judge = Membership.objects.create(campaign_id=1, role="judge", pseudonym="newcomer")
before = Judgment.objects.count()
factory.answer(claiming.claim_next(judge))
print(Judgment.objects.count() - before)
"""


def manifest_of(path: Path) -> Manifest:
    with open_backup(path) as backup:
        return backup.manifest


def test_a_demonstration_moves_to_postgresql_and_back(tmp_path):
    small, again = House(tmp_path / "small"), House(tmp_path / "again")
    first, second = tmp_path / "first.backup", tmp_path / "second.backup"
    small.prepare()
    assert "rows" in small.manage("back_up", str(first))
    with provide_postgres() as server:
        large = House(tmp_path / "large", DATABASE_URL=server.url, SECRET_KEY=SECRET)
        assert "Restored" in large.manage("restore_backup", str(first)), "not even migrate was run there"
        assert "are the same" in large.manage("restore_backup", str(first), "--check")
        large.manage("back_up", str(second))
        assert large.manage("shell", "--verbosity", "0", "-c", NEWCOMER).strip() == "True"
        assert large.manage("shell", "--verbosity", "0", "-c", JUDGE_ON).strip() == "1"
    assert manifest_of(second).tables == manifest_of(first).tables
    again.manage("restore_backup", str(second))
    assert "are the same" in again.manage("restore_backup", str(second), "--check")
    assert (tmp_path / "again" / "secret_key").read_bytes() == (tmp_path / "small" / "secret_key").read_bytes()
    assert again.manage("shell", "--verbosity", "0", "-c", JUDGE_ON).strip() == "1"
