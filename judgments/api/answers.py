"""Answers of programs that judge: judgments, answers to probes, and what the programs said."""

from copy import deepcopy
from functools import cache
from typing import Any
from uuid import NAMESPACE_URL, uuid4, uuid5

from django.db import transaction
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from judgments.api.base.inputs import Input, check_input
from judgments.api.base.once import key_of
from judgments.api.base.schema import KEY
from judgments.api.base.views import View
from judgments.campaigns import access
from judgments.judging import submission
from judgments.models import Assignment, ProgramAnswer
from judgments.models.judgments import LONGEST_COMMENT
from judgments.models.programs import LONGEST_RAW, MOST_COST
from judgments.programs.storing import keep
from judgments.protocols import PROTOCOLS, protocol_of
from judgments.protocols.base import Objects
from judgments.protocols.form import AnswerForm
from judgments.rules.files.values import LARGE

# More than any screen needs, yet quick to check.
MOST_ANSWERS = 1000


@cache
def _kind_of(objects: Objects) -> type[Input]:
    return type(objects.name, (Input,), {"__doc__": objects.about, **objects.fields})


class AnswerInput(Input):
    """The answer about one candidate, or about the whole sentence, in the fields of the campaign's protocol."""

    def get_fields(self) -> dict[str, serializers.Field]:
        """Return the fields of all protocols; the form refuses those of other protocols."""
        return {
            name: _kind_of(given)(many=True, required=False, max_length=given.most)
            if isinstance(given, Objects)
            else deepcopy(given)
            for protocol in PROTOCOLS.values()
            for name, given in protocol.inputs.items()
        }


class SkipReasonField(serializers.ChoiceField):
    """A reason of any protocol; the form refuses those of other protocols."""

    def __init__(self, **kwargs: Any):
        reasons = (name for protocol in PROTOCOLS.values() for name, _ in protocol.form.skip_reasons if name)
        super().__init__(list(dict.fromkeys(reasons)), **kwargs)


class SaidInput(Input):
    """How a program came to its answers: the version of the campaign's prompt, the model, and what it wrote."""

    prompt = serializers.IntegerField(min_value=1)
    model = serializers.CharField(max_length=200)
    answered_by = serializers.CharField(max_length=200, allow_blank=True, default="")
    temperature = serializers.FloatField(allow_null=True, default=None)
    seed = serializers.IntegerField(min_value=0, max_value=LARGE, allow_null=True, default=None)
    tokens_in = serializers.IntegerField(min_value=0, max_value=LARGE, allow_null=True, default=None)
    tokens_out = serializers.IntegerField(min_value=0, max_value=LARGE, allow_null=True, default=None)
    cost = serializers.FloatField(min_value=0, max_value=MOST_COST, allow_null=True, default=None)
    raw = serializers.CharField(max_length=LONGEST_RAW, allow_blank=True, trim_whitespace=False)


class JudgmentInput(Input):
    """An answer for each candidate in the order shown, or the reason for skipping the sentence."""

    answers = AnswerInput(many=True, required=False, max_length=MOST_ANSWERS)
    skip_reason = SkipReasonField(required=False)
    comment = serializers.CharField(required=False, allow_blank=True, max_length=LONGEST_COMMENT)
    flagged = serializers.BooleanField(default=False)
    active_seconds = serializers.FloatField(required=False, min_value=0)
    said = SaidInput(required=False)


class KeptInput(Input):
    """The answers to a probe, or what could not be read; null for answers that could not."""

    purpose = serializers.ChoiceField(ProgramAnswer.Purpose.choices)
    sample = serializers.IntegerField(min_value=0, max_value=1000, default=0)
    answers = AnswerInput(many=True, allow_null=True, max_length=MOST_ANSWERS)
    said = SaidInput()


class StoredJudgmentSerializer(serializers.Serializer):
    """The stored judgment."""

    id = serializers.IntegerField()
    key = serializers.UUIDField()
    revision = serializers.IntegerField()
    submitted_at = serializers.DateTimeField()


class NewJudgment(View):
    @extend_schema(request=JudgmentInput, responses={201: StoredJudgmentSerializer}, parameters=[KEY])
    def post(self, request: Request, pk: int) -> Response:
        """Store the answers; with another key, or none, they are a revision, and the newest counts."""
        assignment = access.get_program_assignment_or_404(request.user, pk)
        given = check_input(JudgmentInput, request).validated_data
        key = key_of(request)
        name = uuid5(NAMESPACE_URL, f"{assignment.pk}:{key}") if key else uuid4()
        form = _checked_form(assignment, given | {"key": name})
        with transaction.atomic():
            judgment = submission.submit(assignment, **form.submission())
            # Sent again, a judgment stays as it was, and so does what was said.
            if (said := given.get("said")) and not ProgramAnswer.objects.filter(judgment=judgment).exists():
                keep(assignment, ProgramAnswer.Purpose.JUDGMENT, 0, said, given.get("answers"), judgment)
        return Response(StoredJudgmentSerializer(judgment).data, status.HTTP_201_CREATED)


class NewProgramAnswer(View):
    @extend_schema(request=KeptInput, responses={204: None})
    def post(self, request: Request, pk: int) -> Response:
        """Keep what a program said to a probe, or what could not be read; sent again, it replaces what was kept."""
        assignment = access.get_program_assignment_or_404(request.user, pk)
        given = check_input(KeptInput, request).validated_data
        if (answers := given["answers"]) is not None and given["purpose"] != ProgramAnswer.Purpose.IDENTICAL:
            _checked_form(assignment, {"answers": answers, "flagged": False, "key": uuid4()})
        keep(assignment, given["purpose"], given["sample"], given["said"], answers)
        return Response(status=status.HTTP_204_NO_CONTENT)


def _checked_form(assignment: Assignment, given: dict[str, Any]) -> AnswerForm:
    protocol = protocol_of(assignment.campaign)
    form = protocol.form_for(assignment, _filled_in(given) | {"key": given["key"]})
    _check(form, given.get("answers", []), protocol.has_candidates)
    return form


def _filled_in(given: dict[str, Any]) -> dict[str, Any]:
    """Convert the input to the fields of the page's form."""
    fields = {"comment": given.get("comment", ""), "flagged": given["flagged"], "active": given.get("active_seconds")}
    if "skip_reason" in given:
        return fields | {"skip": True, "skip_reason": given["skip_reason"]}
    answers = enumerate(given.get("answers", []), 1)
    return fields | {f"{name}_{place}": value for place, answer in answers for name, value in answer.items()}


def _check(form: AnswerForm, answers: list[dict[str, Any]], has_candidates: bool) -> None:
    """Report the form's errors at their places in the request, and refuse fields of other protocols."""
    faults: dict[str, Any] = {}
    places, given = form.specification.places, len(answers)
    if form.data.get("skip") and answers:
        faults["answers"] = ["A sentence is either skipped or answered; remove one of the two."]
    elif not form.data.get("skip") and given != places:
        many = f"There are {places} candidates and {given} answers; give one for each."
        faults["answers"] = [many if has_candidates else f"This assignment needs one answer, and there are {given}."]
    elif unknown := {name for answer in answers for name in answer} - {name.split("_")[0] for name in form.fields}:
        faults["answers"] = [f"Answers in this campaign have no {', '.join(sorted(unknown))}."]
    elif not form.is_valid():
        for name, messages in form.errors.items():
            kind, _, place = name.partition("_")
            pointer = f"answers/{int(place) - 1}/{kind}" if place.isdigit() else name
            faults[pointer] = list(messages)
    if faults:
        raise ValidationError(faults)
