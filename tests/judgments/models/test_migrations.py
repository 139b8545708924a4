"""Migrations: one line of them an app, and the tables that the models describe."""

import pytest
from django.core.management import call_command
from django.db.migrations.loader import MigrationLoader

pytestmark = pytest.mark.django_db
OURS = ("judgments", "ranking")


def test_each_app_has_one_line_of_migrations():
    """Two branches that were merged would have two ends, and an upgrade would stop."""
    loader = MigrationLoader(None)
    assert not loader.detect_conflicts()
    for app in OURS:
        numbers = [name[:4] for name in sorted(name for label, name in loader.disk_migrations if label == app)]
        assert numbers == sorted(set(numbers))


def test_the_tables_are_what_the_models_say():
    call_command("makemigrations", "--check", "--dry-run", verbosity=0)
