"""Constraints of tables: checks, and foreign keys over several columns, which Django lacks."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from django.core.exceptions import ValidationError
from django.db import DEFAULT_DB_ALIAS, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.backends.ddl_references import Statement, Table


def check(name: str, condition: models.Q) -> models.CheckConstraint:
    return models.CheckConstraint(condition=condition, name=name)


def unique(name: str, *fields: str, where: models.Q | None = None) -> models.UniqueConstraint:
    return models.UniqueConstraint(fields=fields, condition=where, name=name)


def in_range(table: str, field: str, least: float, most: float) -> models.CheckConstraint:
    return check(f"{table}_{field}_in_range", models.Q(**{f"{field}__gte": least, f"{field}__lte": most}))


class BelongsTo(models.BaseConstraint):
    """A foreign key over several columns, so that duplicated columns cannot disagree.

    A placement's screen and candidate together refer to a slot, so its candidate always belongs to its screen. The
    other table needs a unique constraint on the same columns. Like Django's foreign keys, it is checked at the end of
    the transaction.
    """

    def __init__(self, *, fields: Sequence[str], to: str, to_fields: Sequence[str], name: str):
        super().__init__(name=name)
        self.fields, self.to, self.to_fields = tuple(fields), to, tuple(to_fields)

    def _clause(self, model: Any, editor: BaseDatabaseSchemaEditor) -> str:
        other = self._other(model)
        quote = editor.quote_name
        here = ", ".join(quote(model._meta.get_field(field).column) for field in self.fields)
        there = ", ".join(quote(other._meta.get_field(field).column) for field in self.to_fields)
        return (
            f"CONSTRAINT {quote(self.name)} FOREIGN KEY ({here}) "
            f"REFERENCES {quote(other._meta.db_table)} ({there}) DEFERRABLE INITIALLY DEFERRED"
        )

    def _other(self, model: Any) -> Any:
        """The model to which the columns refer.

        On SQLite, Django alters a table by rebuilding it from a copy of its model in a registry without other models;
        models to which the copy has foreign keys are still in the registry of the migration.
        """
        registries = [model._meta.apps]
        registries += [field.remote_field.model._meta.apps for field in model._meta.local_fields if field.remote_field]
        for registry in registries:
            with suppress(LookupError):
                return registry.get_model(self.to)
        raise LookupError(f"No registry that {model.__name__} refers to holds {self.to}.")

    def constraint_sql(self, model: Any, schema_editor: Any) -> Any:
        """The clause inside CREATE TABLE, which is the only place where SQLite accepts it."""
        if schema_editor.connection.vendor == "sqlite":
            return self._clause(model, schema_editor)
        return self.create_sql(model, schema_editor)

    def create_sql(self, model: Any, schema_editor: Any) -> Any:
        """Add the constraint when the migration ends: its target may be created later in the same one."""
        table = Table(model._meta.db_table, schema_editor.quote_name)
        clause = self._clause(model, schema_editor)
        schema_editor.deferred_sql.append(Statement("ALTER TABLE %(table)s ADD %(clause)s", table=table, clause=clause))
        return None

    def remove_sql(self, model: Any, schema_editor: Any) -> Any:
        table = Table(model._meta.db_table, schema_editor.quote_name)
        name = schema_editor.quote_name(self.name)
        return Statement("ALTER TABLE %(table)s DROP CONSTRAINT %(name)s", table=table, name=name)

    def validate(self, model: Any, instance: Any, exclude: Any = None, using: str = DEFAULT_DB_ALIAS) -> None:
        """Refuse an instance whose columns refer to no row."""
        values = [getattr(instance, model._meta.get_field(field).attname) for field in self.fields]
        other = model._meta.apps.get_model(self.to)
        wanted = dict(zip(self.to_fields, values, strict=True))
        if None not in values and not other._default_manager.using(using).filter(**wanted).exists():
            raise ValidationError(self.get_violation_error_message(), code=self.violation_error_code)

    def deconstruct(self) -> Any:
        path, args, kwargs = super().deconstruct()
        return path, args, kwargs | {"fields": self.fields, "to": self.to, "to_fields": self.to_fields}

    def __eq__(self, other: object) -> bool:
        return self.deconstruct() == other.deconstruct() if isinstance(other, BelongsTo) else NotImplemented

    __hash__ = models.BaseConstraint.__hash__
