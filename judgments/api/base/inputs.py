"""Validation of requests; unknown fields are refused, because they are probably misspelt."""

from collections.abc import Mapping
from typing import Any, TypeVar

from rest_framework import serializers
from rest_framework.request import Request

# Limits that keep an error response about as short as its request.
MOST_FAULTS, LONGEST_NAME = 20, 100


class Input(serializers.Serializer):
    """A serializer that refuses unknown fields, and names the choices to whoever misses them."""

    def get_fields(self) -> dict[str, serializers.Field]:
        fields = super().get_fields()
        for field in fields.values():
            choice = getattr(field, "child", field)
            if isinstance(choice, serializers.ChoiceField):
                names = ", ".join(filter(None, map(str, choice.choices))).replace("{", "{{").replace("}", "}}")
                choice.error_messages["invalid_choice"] = f'"{{input}}" is not a valid choice; choose from {names}.'
        return fields

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            known = [name for name, field in self.fields.items() if not field.read_only]
            if unknown := [name for name in data if name not in known]:
                fault = f"Unknown field; the fields are {', '.join(known)}." if known else "No fields are allowed here."
                names = [name[:LONGEST_NAME] for name in unknown[:MOST_FAULTS]]
                faults = {key: ["Unknown field."] for key in names} | {names[0]: [fault]}
                raise serializers.ValidationError(faults)
        return super().to_internal_value(data)


class ModelInput(Input, serializers.ModelSerializer):
    """A model serializer that refuses unknown fields."""


Kind = TypeVar("Kind", bound=serializers.Serializer)


def check_input(kind: type[Kind], request: Request, row: Any = None) -> Kind:
    """Validate the request; for an existing row, its changes."""
    changes = {"instance": row, "partial": True} if row is not None else {}
    given = kind(data=request.data, **changes)
    given.is_valid(raise_exception=True)
    return given
