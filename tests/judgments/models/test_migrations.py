"""Migrations: one line of them an app, the tables that the models describe, and keys that survive them."""

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection, migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ProjectState

from judgments.models.constraints import BelongsTo

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


CONSTRAINED = [model for model in apps.get_models() if any(isinstance(it, BelongsTo) for it in model._meta.constraints)]


def foreign_keys(table: str) -> set[tuple[str, ...]]:
    """The columns of each foreign key over several columns, as the database itself lists them."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(f"PRAGMA foreign_key_list({table})")
            keys: dict[int, list[str]] = {}
            for number, _, _, column, *_ in cursor.fetchall():
                keys.setdefault(number, []).append(column)
        else:
            cursor.execute(
                "SELECT c.conname, a.attname FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND"
                " a.attnum = ANY(c.conkey) WHERE c.contype = 'f' AND c.conrelid = %s::regclass",
                [table],
            )
            keys = {}
            for name, column in cursor.fetchall():
                keys.setdefault(name, []).append(column)
    return {tuple(sorted(columns)) for columns in keys.values() if len(columns) > 1}


def wanted(model: type[models.Model]) -> set[tuple[str, ...]]:
    return {
        tuple(sorted(model._meta.get_field(field).column for field in constraint.fields))
        for constraint in model._meta.constraints
        if isinstance(constraint, BelongsTo)
    }


def apply(operation: migrations.AlterField, *, backwards: bool = False) -> None:
    """As a migration does it, from the tables as they are, or back to them."""
    states = [ProjectState.from_apps(apps)]
    states.append(states[0].clone())
    operation.state_forwards("judgments", states[1])
    with connection.schema_editor() as editor:
        operation.database_forwards("judgments", editor, *(reversed(states) if backwards else states))


@pytest.mark.wide
@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("model", CONSTRAINED, ids=lambda model: model.__name__)
def test_altering_a_column_keeps_them(model):
    table, name = model._meta.db_table, model._meta.model_name
    assert foreign_keys(table) == wanted(model) != set()
    column = next(field for field in model._meta.local_fields if not field.remote_field and not field.primary_key)
    changed = column.clone()
    changed.null = not column.null
    apply(migrations.AlterField(name, column.name, changed))
    try:
        assert foreign_keys(table) == wanted(model)
    finally:
        apply(migrations.AlterField(name, column.name, changed), backwards=True)
    assert foreign_keys(table) == wanted(model)
