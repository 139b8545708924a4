"""Reading and setting the next key of a table on both databases."""

from django.db import connection

from judgments.archive.serialiser import Model


def last_key(model: Model) -> int | None:
    """Return the last key given to a row, which may be deleted; None where the database generates none."""
    field, table = model._meta.pk, model._meta.db_table
    if field is None or not field.get_internal_type().endswith("AutoField"):
        return None
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
            found = cursor.fetchone()
            return found[0] if found else 0
        quote = connection.ops.quote_name
        cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", [quote(table), field.column])
        cursor.execute(f"SELECT last_value, is_called FROM {cursor.fetchone()[0]}")  # noqa: S608 - a name of our own # nosec B608
        value, is_called = cursor.fetchone()
        return value if is_called else 0


def set_last_key(model: Model, key: int) -> None:
    field, table = model._meta.pk, model._meta.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table])
            cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, key])
        else:
            sequence = [connection.ops.quote_name(table), field.column if field else ""]
            said = [*sequence, max(key, 1), key > 0]
            cursor.execute("SELECT setval(pg_get_serial_sequence(%s, %s), %s, %s)", said)
