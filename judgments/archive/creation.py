"""Storing the rows of a checked bundle."""

from array import array
from typing import Any
from uuid import UUID, uuid5

from django.db.models import Model, UUIDField

from judgments.archive.kinds import LINE, Kind
from judgments.archive.serialiser import Row
from judgments.models import Campaign

UPDATED_AT_ONCE = 200


class Maker:
    """Stores rows kind by kind and remembers the key of each."""

    def __init__(self, campaign: Campaign):
        self.campaign = campaign
        self.has_new_keys: bool | None = None
        self._numbered: dict[str, array] = {}
        self._named: dict[str, dict[Any, int]] = {}

    def make(self, kind: Kind, rows: list[Row]) -> None:
        if self.has_new_keys is None and any(isinstance(field, UUIDField) for field in kind.fields.values()):
            self.has_new_keys = _are_here(kind, rows)
        made = self._store(kind, rows)
        if kind.parts:
            self._store_parts(kind.parts, made, rows)

    def _store(self, kind: Kind, rows: list[Row]) -> list[Model]:
        table = kind.model._default_manager
        belongs = {"campaign": self.campaign} if kind.campaign == "campaign" else {}
        itself = next((name for name, other in kind.references.items() if other.name == kind.name), None)
        can_wait = {name for name, field in kind.fields.items() if field.null}
        # What refers to a row of its own table may refer to one that is stored in the same moment, and is complete
        # only afterwards.
        waiting = [itself is not None and row[itself] is not None for row in rows]
        made = table.bulk_create(
            kind.model(**belongs, **self._values(kind, row, can_wait if waits else set()))
            for row, waits in zip(rows, waiting, strict=True)
        )
        self._remember(kind, rows, made)
        completed = [(one, row) for one, row, waits in zip(made, rows, waiting, strict=True) if waits]
        self._set(kind, completed, can_wait)
        self._set(kind, list(zip(made, rows, strict=True)), {
            name for name, field in kind.fields.items() if getattr(field, "auto_now_add", False)
        })  # fmt: skip
        return made

    def _set(self, kind: Kind, pairs: list[tuple[Model, Row]], names: set[str]) -> None:
        """Set fields that refer to rows stored later."""
        if not pairs or not names:
            return
        others = kind.fields.keys() - names
        for one, row in pairs:
            for name, value in self._values(kind, row, others).items():
                setattr(one, name, value)
        made = [one for one, _ in pairs]
        kind.model._default_manager.bulk_update(made, [kind.fields[name].name for name in names], UPDATED_AT_ONCE)

    def _remember(self, kind: Kind, rows: list[Row], made: list[Model]) -> None:
        if kind.is_numbered:
            self._numbered.setdefault(kind.name, array("q")).extend(one.pk for one in made)
        elif kind.key:
            keys = {row[kind.key]: one.pk for row, one in zip(rows, made, strict=True)}
            self._named.setdefault(kind.name, {}).update(keys)

    def _store_parts(self, parts: Kind, made: list[Model], rows: list[Row]) -> None:
        """Store parts, which inherit fields of the row around them."""
        silent = {
            field.attname: "pk" if field.name == parts.key else field.attname
            for field in parts.model._meta.concrete_fields
            if field.is_relation and field.name not in parts.fields
        }
        parts.model._default_manager.bulk_create(
            parts.model(
                **self._values(parts, part, set()), **{name: getattr(one, source) for name, source in silent.items()}
            )
            for one, row in zip(made, rows, strict=True)
            for part in row[parts.name]
        )

    def _values(self, kind: Kind, row: Row, without: set[str]) -> dict[str, Any]:
        return {
            field.attname: None if row[name] is None else self._value(kind, name, row[name])
            for name, field in kind.fields.items()
            if name not in without
        }

    def _value(self, kind: Kind, name: str, told: Any) -> Any:
        if other := kind.references.get(name):
            return self._numbered[other.name][told - 1] if other.is_numbered else self._named[other.name][told]
        if name == LINE:
            return told - 1
        value = kind.readers[name](told) if name in kind.readers else told
        return uuid5(value, self.campaign.slug) if self.has_new_keys and isinstance(value, UUID) else value


def _are_here(kind: Kind, rows: list[Row]) -> bool:
    """Whether this installation already has rows under these keys."""
    (name,) = (name for name, field in kind.fields.items() if isinstance(field, UUIDField))
    return kind.model._default_manager.filter(**{f"{name}__in": [row[name] for row in rows]}).exists()
