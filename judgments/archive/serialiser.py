"""Writing values of any table as JSON, reading and checking them, by the fields of its model.

Bundles of campaigns and personal exports write their rows this way. Equal rows give equal bytes on every database.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from math import isfinite
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import models
from django.db.backends.base.operations import BaseDatabaseOperations

from judgments.rules.files.values import FLAG, IMPOSSIBLE, Check, maybe, one_of, text, whole

Row = dict[str, Any]
Model = type[models.Model]
# The deepest nesting of JSON in one value.
DEEPEST = 50
# PostgreSQL's ranges; SQLite would accept larger numbers.
RANGES = BaseDatabaseOperations.integer_field_ranges


def written(value: object) -> object:
    """Convert a value that JSON cannot express."""
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, UUID):
        return str(value)
    raise TypeError(f"A {type(value).__name__} cannot be written as JSON.")


# Keys are sorted, because PostgreSQL does not keep their order.
_encoder = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True, default=written)


def line(row: Mapping[str, Any]) -> str:
    return _encoder.encode(row) + "\n"


def reader(field: models.Field) -> Callable[[Any], Any] | None:
    """Return the inverse of `written` for a field; None if JSON expresses its values directly."""
    return next((read for kind, read in READERS.items() if isinstance(field, kind)), None)


READERS: Mapping[type[models.Field], Callable[[Any], Any]] = {
    models.DateTimeField: datetime.fromisoformat,
    models.DateField: date.fromisoformat,
    models.UUIDField: UUID,
}


def check_of(field: models.Field) -> Check:
    """Return a check of values of the field, by its type, bounds, choices and validators."""
    has_type = next((check_for(field) for kind, check_for in TYPES.items() if isinstance(field, kind)), None)
    if has_type is None:
        raise TypeError(f"There is no check yet for a {type(field).__name__} such as {field.name}.")
    checks = [has_type]
    if field.choices:
        checks.append(one_of(*([""] if field.blank else []), *(value for value, _ in field.flatchoices)))
    # Like Django, do not validate empty values.
    checks += [_by_validator(validator, field.empty_values) for validator in field.validators]
    checks += [whole(*RANGES[kind])] if (kind := field.get_internal_type()) in RANGES else []
    if isinstance(field, models.CharField) and not field.blank:
        checks.append(lambda value: None if value else "is empty")

    def check(value: Any) -> str | None:
        return next((fault for one in checks if (fault := one(value))), None)

    return maybe(check) if field.null else check


def _by_validator(validator: Callable[[Any], None], skipped: Sequence[Any]) -> Check:
    def check(value: Any) -> str | None:
        try:
            if value not in skipped:
                validator(value)
        except ValidationError as error:
            return " ".join(error.messages)
        return None

    return check


def _moment(value: Any) -> str | None:
    fault = "is not a time such as 2015-09-17T12:00:00+00:00"
    try:
        moment = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        return fault
    return None if moment.tzinfo and 1990 < moment.year < 2200 else fault


def _uuid(value: Any) -> str | None:
    try:
        is_canonical = str(UUID(value)) == value
    except (AttributeError, TypeError, ValueError):
        is_canonical = False
    return None if is_canonical else "is not a UUID such as 12345678-1234-5678-1234-567812345678"


def _number(value: Any) -> str | None:
    return None if type(value) in (int, float) and isfinite(value) else "is not a number"


def _storable(value: Any, depth: int = 0) -> str | None:
    """Refuse JSON with texts that PostgreSQL cannot store."""
    if depth > DEEPEST:
        return "is nested too deeply"
    if isinstance(value, str) and IMPOSSIBLE.search(value):
        return "contains text that cannot be stored"
    parts = [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else []
    return next((fault for part in parts if (fault := _storable(part, depth + 1))), None)


def _whole(field: models.Field) -> Check:
    return lambda value: None if type(value) is int else whole(*RANGES[field.get_internal_type()])(value)


# Subclasses come before their base classes.
TYPES: Mapping[type[models.Field], Callable[[Any], Check]] = {
    models.BooleanField: lambda field: FLAG,
    models.IntegerField: _whole,
    models.FloatField: lambda field: _number,
    models.CharField: lambda field: text(field.max_length),
    models.TextField: lambda field: text(),
    models.DateTimeField: lambda field: _moment,
    models.UUIDField: lambda field: _uuid,
    models.JSONField: lambda field: _storable,
}
