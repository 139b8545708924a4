"""What a request asks for, field by field; nothing that was said is passed over."""

from collections.abc import Mapping
from typing import Any, TypeVar

from rest_framework import serializers
from rest_framework.request import Request

# An answer is not many times as long as what was sent.
MOST_FAULTS, LONGEST_NAME = 20, 100


class Asked(serializers.Serializer):
    """Fields that a request may have; others are refused."""

    def to_internal_value(self, data: Any) -> Any:
        """The fields as Python has them."""
        if isinstance(data, Mapping):
            refuse_unknown(self, data)
        return super().to_internal_value(data)


class AskedOfModel(serializers.ModelSerializer):
    """The same for the fields of a table."""

    def to_internal_value(self, data: Any) -> Any:
        """The fields as Python has them."""
        if isinstance(data, Mapping):
            refuse_unknown(self, data)
        return super().to_internal_value(data)


def refuse_unknown(asked: serializers.Serializer, said: Mapping[str, Any]) -> None:
    """A name that is none is a slip, and its writer wants to know."""
    known = [name for name, field in asked.fields.items() if not field.read_only]
    if unknown := [name for name in said if name not in known]:
        there_is = f"There is no such field; there is {', '.join(known)}." if known else "Nothing is asked for here."
        raise serializers.ValidationError({name[:LONGEST_NAME]: [there_is] for name in unknown[:MOST_FAULTS]})


Wish = TypeVar("Wish", bound=serializers.Serializer)


def asked(kind: type[Wish], request: Request, row: Any = None) -> Wish:
    """The checked wish; of a row that is there, only what should be otherwise."""
    given = {"instance": row, "partial": True} if row is not None else {}
    wish = kind(data=request.data, **given)
    wish.is_valid(raise_exception=True)
    return wish
