"""Assignments, for programs that judge and for organisers."""

from collections.abc import Sequence
from copy import deepcopy
from functools import cache
from typing import Any
from uuid import NAMESPACE_URL, uuid4, uuid5

from django.db import transaction
from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from judgments.api.base.inputs import Input, checked
from judgments.api.base.once import key_of
from judgments.api.base.schema import KEY
from judgments.api.base.views import View
from judgments.campaigns import access
from judgments.judges import programs
from judgments.judging import submission
from judgments.judging.context import texts_of
from judgments.models import Assignment, ProgramAnswer
from judgments.models.addresses import site_address
from judgments.models.judgments import LONGEST_COMMENT
from judgments.models.programs import LONGEST_RAW
from judgments.programs.storing import keep, stored_prompt
from judgments.protocols import PROTOCOLS, protocol_of
from judgments.protocols.base import Objects
from judgments.protocols.form import AnswerForm
from judgments.protocols.registry import categories_offered, specification_for, verdicts_offered

# More than any screen needs, yet quick to check.
MOST_ANSWERS = 1000
MOST = 2**31 - 1
EDIT = ("start", "end", "replacement")


class AssignmentSerializer(serializers.ModelSerializer):
    """An assignment, for organisers."""

    judge = serializers.CharField(source="judge.pseudonym", default=None, allow_null=True)
    is_program = serializers.BooleanField(source="judge.is_program", default=False, read_only=True)
    batch = serializers.IntegerField(source="batch.number", default=None, allow_null=True)

    class Meta:
        model = Assignment
        fields = (
            "id", "screen", "batch", "round", "position", "repeats", "judge", "is_program", "claimed_at",
            "submitted_at",
        )  # fmt: skip


class AssignmentsRequest(Input):
    """How many assignments a program wants, and after which one, to pass over some that it could not answer."""

    number = serializers.IntegerField(default=1, min_value=1, max_value=programs.MOST_AT_ONCE)
    after = serializers.IntegerField(default=0, min_value=0, max_value=MOST)


class ShownEdit(serializers.Serializer):
    """An edit to be judged, by characters of the source."""

    start = serializers.IntegerField()
    end = serializers.IntegerField()
    replacement = serializers.CharField(allow_blank=True)


class ShownCandidateSerializer(serializers.Serializer):
    """A candidate by its place on the screen, with its edits if they are judged; its systems are not shown."""

    place = serializers.IntegerField()
    text = serializers.CharField(allow_null=True)
    edits = ShownEdit(many=True)


class ShownUsageSerializer(serializers.Serializer):
    """The usage to judge, by characters of the source."""

    start = serializers.IntegerField()
    end = serializers.IntegerField()


class ShownPoint(serializers.Serializer):
    """A number on a scale and what it means."""

    value = serializers.IntegerField()
    words = serializers.CharField()


class ShownScale(serializers.Serializer):
    """A scale of the rubric; `other` is what null means, if it is allowed."""

    name = serializers.CharField()
    help = serializers.CharField()
    lowest = serializers.IntegerField()
    highest = serializers.IntegerField()
    points = ShownPoint(many=True)
    other = serializers.CharField()


class ShownAssignmentSerializer(serializers.Serializer):
    """An assignment, as its judge sees it."""

    url = serializers.CharField()
    id = serializers.IntegerField()
    protocol = serializers.CharField()
    answer_fields = serializers.ListField(child=serializers.CharField())
    before = serializers.ListField(child=serializers.CharField(allow_null=True))
    source = serializers.CharField(allow_null=True)
    after = serializers.ListField(child=serializers.CharField(allow_null=True))
    usage = ShownUsageSerializer(allow_null=True)
    categories = serializers.ListField(child=serializers.CharField())
    verdicts = serializers.ListField(child=serializers.CharField())
    scales = ShownScale(many=True)
    severities = serializers.ListField(child=serializers.CharField())
    candidates = ShownCandidateSerializer(many=True)
    is_submitted = serializers.BooleanField()


class GivenPrompt(serializers.Serializer):
    """The newest prompt of the campaign."""

    version = serializers.IntegerField()
    text = serializers.CharField()


class ClaimedAssignments(serializers.Serializer):
    """Assignments to answer; none if the program has seen every screen. Without a prompt, it is null."""

    prompt = GivenPrompt(allow_null=True)
    instructions = serializers.CharField()
    language = serializers.CharField()
    assignments = ShownAssignmentSerializer(many=True)


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
    seed = serializers.IntegerField(min_value=0, max_value=MOST, allow_null=True, default=None)
    tokens_in = serializers.IntegerField(min_value=0, max_value=MOST, allow_null=True, default=None)
    tokens_out = serializers.IntegerField(min_value=0, max_value=MOST, allow_null=True, default=None)
    cost = serializers.FloatField(min_value=0, allow_null=True, default=None)
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


class AssignmentList(View, ListAPIView):
    """All assignments, for organisers; assignments to answer, for programs."""

    serializer_class = AssignmentSerializer

    def get_queryset(self) -> QuerySet[Assignment]:
        return Assignment.objects.filter(campaign=self.campaign).select_related("judge", "batch")

    @extend_schema(request=AssignmentsRequest, responses=ClaimedAssignments)
    def post(self, request: Request, slug: str) -> Response:
        """Claim assignments; a repeated request returns the same ones until they are answered."""
        program = access.program_of(request.user, slug)
        claimed = programs.claim(program, **checked(AssignmentsRequest, request).validated_data)
        campaign, prompt = program.campaign, stored_prompt(program.campaign)
        about = {
            "prompt": prompt and {"version": prompt.version, "text": prompt.text},
            "instructions": campaign.instructions,
            "language": campaign.language,
        }
        return Response(about | {"assignments": _shown(request, claimed)})


class AssignmentDetail(View):
    @extend_schema(responses=ShownAssignmentSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """Return the source in context, and the candidates in the order shown."""
        return Response(_shown(request, [access.assignment_of_program(request.user, pk)])[0])


class NewJudgment(View):
    @extend_schema(request=JudgmentInput, responses={201: StoredJudgmentSerializer}, parameters=[KEY])
    def post(self, request: Request, pk: int) -> Response:
        """Store the answers; with another key, or none, they are a revision, and the newest counts."""
        assignment = access.assignment_of_program(request.user, pk)
        given = checked(JudgmentInput, request).validated_data
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
        assignment = access.assignment_of_program(request.user, pk)
        given = checked(KeptInput, request).validated_data
        if (answers := given["answers"]) is not None and given["purpose"] != ProgramAnswer.Purpose.IDENTICAL:
            _checked_form(assignment, {"answers": answers, "flagged": False, "key": uuid4()})
        keep(assignment, given["purpose"], given["sample"], given["said"], answers)
        return Response(status=status.HTTP_204_NO_CONTENT)


def _shown(request: Request, assignments: Sequence[Assignment]) -> list[dict[str, Any]]:
    return [
        {
            "url": site_address("api_assignment", assignment.pk),
            "id": assignment.pk,
            "protocol": assignment.campaign.protocol,
            **texts._asdict(),
            "categories": [category.name for category in categories_offered(assignment.campaign)],
            "verdicts": [verdict.name for verdict in verdicts_offered(assignment.campaign)],
            "scales": _scales(assignment),
            "severities": [severity.name for severity in specification_for(assignment).rubric.severities],
            "answer_fields": _fields(assignment),
            "candidates": _candidates(assignment, texts.candidates),
            "is_submitted": assignment.submitted_at is not None,
        }
        for assignment, texts in zip(assignments, texts_of(assignments), strict=True)
    ]


def _fields(assignment: Assignment) -> list[str]:
    protocol = protocol_of(assignment.campaign)
    form = protocol.form(specification=specification_for(assignment))
    return [name for name in protocol.inputs if f"{name}_1" in form.fields]


def _candidates(assignment: Assignment, texts: Sequence[str | None]) -> list[dict[str, Any]]:
    proposed = specification_for(assignment).proposed or ((),) * len(texts)
    return [
        {"place": place, "text": text, "edits": [dict(zip(EDIT, edit[:3], strict=True)) for edit in edits]}
        for place, (text, edits) in enumerate(zip(texts, proposed, strict=True), 1)
    ]


def _scales(assignment: Assignment) -> list[dict[str, Any]]:
    return [
        {
            "name": scale.name, "help": scale.help, "lowest": scale.lowest, "highest": scale.highest,
            "points": [{"value": value, "words": words} for value, words in scale.words], "other": scale.other,
        }
        for scale in specification_for(assignment).rubric.scales
    ]  # fmt: skip


def _checked_form(assignment: Assignment, given: dict[str, Any]) -> AnswerForm:
    protocol = protocol_of(assignment.campaign)
    form = protocol.form(_filled_in(given) | {"key": given["key"]}, specification=specification_for(assignment))
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
