"""Actions in the API: one POST to the address of each, with the fields of its form as JSON."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.http import Http404
from django.urls import URLPattern, path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from judgments.actions.base import Action, name_of
from judgments.actions.fields import FilesField, RowsField, WordsField
from judgments.api.base.inputs import Input, check_input
from judgments.api.base.once import once
from judgments.api.base.views import View
from judgments.api.jobs import ANY_JOB, accepted_response
from judgments.material.uploads import too_large
from judgments.models.members import site_address

MOST_NAMES, LONGEST_NAME = 1000, 254


class UndoSerializer(serializers.Serializer):
    """The action that would undo this one: where to post which fields."""

    address = serializers.CharField()
    body = serializers.DictField()


class Done(serializers.Serializer):
    """What happened, in a sentence, and numbers and names of it; what would undo it, if anything does."""

    message = serializers.CharField()
    outcome = serializers.DictField()
    undo = UndoSerializer(allow_null=True)


def api_addresses(actions: Iterable[type[Action]]) -> list[URLPattern]:
    return [path(f"campaigns/<slug:slug>/{one.address}", view_of(one), name=f"api_{name_of(one)}") for one in actions]


def view_of(action: type[Action]) -> Any:
    body: Any = type(f"{action.__name__}Request", (Input,), _fields(action) | {"__doc__": action.__doc__})
    has_files = any(isinstance(field, FilesField | forms.FileField) for field in action.base_fields.values())

    class ActionView(View):
        parser_classes = [MultiPartParser] if has_files else View.parser_classes
        refusal = staticmethod(too_large) if has_files else None

        @extend_schema(
            request={"multipart/form-data": body} if has_files else body if action.base_fields else None,
            responses={200: Done, 202: ANY_JOB} if action.may_take_long else Done,
            description=action.__doc__,
        )
        @once
        def post(self, request: Request, slug: str, pk: int | None = None) -> Response:
            subject = action.subject_in(self.campaign, pk)
            if action.about and subject is None:  # a page is kinder to whoever presses a button twice
                raise Http404
            given: Any = check_input(body, request).validated_data
            form = action(self.campaign, subject, request.user, data=given, files=given)
            if not form.is_valid():
                raise serializers.ValidationError(form.errors)
            message, undo = form.act(), None
            if form.job:
                return accepted_response(request, form.job)
            if form.undo:
                undo = {"address": site_address(f"api_{form.undo.action}", *form.undo.args), "body": form.undo.fields}
            return Response({"message": message, "outcome": form.outcome, "undo": undo})

    return ActionView.as_view()


def _fields(action: type[Action]) -> dict[str, serializers.Field]:
    """Fields of the types that JSON knows; the form checks their values."""
    return {name: _field_of(field) for name, field in action.base_fields.items()}


def _field_of(field: Any) -> serializers.Field:
    about: dict[str, Any] = {"required": field.required, "help_text": str(field.help_text or field.label or "")}
    choices: Any = list(getattr(field, "choices", ()))
    match field:
        case forms.NullBooleanField():
            return serializers.BooleanField(**about, allow_null=True)
        case forms.BooleanField():
            return serializers.BooleanField(**about)
        case FilesField():
            return serializers.ListField(child=serializers.FileField(), allow_empty=False, **about)
        case forms.FileField():
            return serializers.FileField(**about)
        case RowsField():
            return serializers.ListField(child=serializers.IntegerField(), allow_empty=False, **about)
        case forms.MultipleChoiceField():
            return serializers.MultipleChoiceField(choices=choices, **about)
        case forms.ChoiceField():
            return serializers.ChoiceField(choices=choices, **about)
        case forms.IntegerField():  # and its subclass for other numbers
            kind = serializers.FloatField if isinstance(field, forms.FloatField) else serializers.IntegerField
            limits = {"min_value": field.min_value, "max_value": field.max_value}
            return kind(**about, **limits, allow_null=not field.required)
        case forms.DateField():
            return serializers.DateField(**about, allow_null=not field.required)
        case forms.DateTimeField():
            return serializers.DateTimeField(**about)
        case WordsField():
            names = serializers.CharField(max_length=LONGEST_NAME)
            return serializers.ListField(child=names, max_length=MOST_NAMES, allow_empty=not field.required, **about)
        case forms.CharField():
            return serializers.CharField(**about, max_length=field.max_length, allow_blank=not field.required)
    raise TypeError(f"The API has no type for {field}.")
