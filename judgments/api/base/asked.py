"""Checked input of requests; unknown fields are refused."""

from collections.abc import Mapping
from typing import Any, TypeVar

from rest_framework import serializers
from rest_framework.request import Request

# An answer is not many times as long as what was sent.
MOST_FAULTS, LONGEST_NAME = 20, 100


class Asked(serializers.Serializer):
    """A serializer that refuses unknown fields."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            refuse_unknown(self, data)
        return super().to_internal_value(data)


class AskedOfModel(serializers.ModelSerializer):
    """A model serializer that refuses unknown fields."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            refuse_unknown(self, data)
        return super().to_internal_value(data)


def refuse_unknown(asked: serializers.Serializer, said: Mapping[str, Any]) -> None:
    """Refuse unknown fields, which are probably misspelt."""
    known = [name for name, field in asked.fields.items() if not field.read_only]
    if unknown := [name for name in said if name not in known]:
        there_is = f"There is no such field; there is {', '.join(known)}." if known else "Nothing is asked for here."
        raise serializers.ValidationError({name[:LONGEST_NAME]: [there_is] for name in unknown[:MOST_FAULTS]})


Wish = TypeVar("Wish", bound=serializers.Serializer)


def asked(kind: type[Wish], request: Request, row: Any = None) -> Wish:
    """Return the checked input; for an existing row, only the changes."""
    given = {"instance": row, "partial": True} if row is not None else {}
    wish = kind(data=request.data, **given)
    wish.is_valid(raise_exception=True)
    return wish
