"""Jobs of every kind: progress and cancelling."""

from typing import Any, ClassVar

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from judgments.api.base.views import View
from judgments.campaigns import access
from judgments.jobs.control import cancel_or_refuse
from judgments.models import Job
from judgments.models.members import site_address


class JobSerializer(serializers.ModelSerializer):
    """The progress of a job; each kind adds its outcome. The last serializer defined for a kind shows single jobs."""

    FIELDS = ("url", "id", "state", "progress", "step", "error", "created_at", "finished_at")
    of_kind: ClassVar[dict[str, type["JobSerializer"]]] = {}

    url = serializers.SerializerMethodField()

    def __init_subclass__(cls, **given: Any) -> None:
        super().__init_subclass__(**given)
        cls.of_kind[cls.Meta.model.KIND] = cls

    class Meta:
        model: type[Any] = Job
        fields: tuple[str, ...] = ()

    def get_url(self, job: Any) -> str:
        return site_address("api_job", job.kind, job.pk)


ANY_JOB = PolymorphicProxySerializer(
    component_name="AnyJob", serializers=lambda: list(JobSerializer.of_kind.values()), resource_type_field_name=None
)


class JobDetail(View):
    @extend_schema(responses=ANY_JOB)
    def get(self, request: Request, kind: str, pk: int) -> Response:
        """Return the progress and outcome of a job."""
        return answer(request, access.get_job_or_404(request.user, kind, pk))


class CancelJob(View):
    @extend_schema(request=None, responses=ANY_JOB)
    def post(self, request: Request, kind: str, pk: int) -> Response:
        """Cancel the job; nothing is stored."""
        job = access.get_job_to_cancel_or_404(request.user, kind, pk)
        cancel_or_refuse(job)
        job.refresh_from_db()
        return answer(request, job)


def answer(request: Request, job: Job) -> Response:
    return Response(JobSerializer.of_kind[job.kind](job, context={"request": request}).data)


def accepted_response(request: Request, job: Job, code: int = status.HTTP_202_ACCEPTED) -> Response:
    data = JobSerializer.of_kind[job.kind](job, context={"request": request}).data
    return Response(data, code, headers={"Location": data["url"]})
