"""Reports for programs: ask for one, follow it, take it along."""

from django.db.models import QuerySet
from django.http import HttpResponse
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import UserRateThrottle

from judgments.access import campaign_to_organise
from judgments.api.views import View
from judgments.faults import Refused
from ranking import reports
from ranking.access import report_of
from ranking.api.serializers import BriefReport, WantedReport, WholeReport
from ranking.models import LONGEST_KEY, Report
from ranking.tasks import enqueue
from ranking.views.files import bundle_of, file_of, zip_of


class NewReportRate(UserRateThrottle):
    """How often one user may ask for a report; reading is not counted."""

    scope = "new_report"

    def allow_request(self, request: Request, view: View) -> bool:
        """Whether this one may be asked for."""
        return request.method != "POST" or super().allow_request(request, view)


class ReportList(View, ListAPIView):
    """All reports of a campaign; a new one."""

    serializer_class = BriefReport
    throttle_classes = (*View.throttle_classes, NewReportRate)

    def get_queryset(self) -> QuerySet[Report]:
        """Those of a campaign that the user runs."""
        campaign = campaign_to_organise(self.request.user, self.kwargs["slug"])
        return Report.objects.of(campaign).select_related("campaign")

    def post(self, request: Request, slug: str) -> Response:
        """Ask for a report; the same key again gives the same report."""
        campaign = campaign_to_organise(request.user, slug)
        wanted = WantedReport(data=request.data)
        wanted.is_valid(raise_exception=True)
        report, is_new = reports.request_once(campaign, request.user, _key(request), **wanted.validated_data)
        if is_new:
            enqueue(report)
        told = WholeReport(report, context={"request": request}).data
        code = status.HTTP_201_CREATED if is_new else status.HTTP_200_OK
        return Response(told, code, headers={"Location": told["url"]})


class ReportDetail(View):
    """One report, and how far it is."""

    def get(self, request: Request, pk: int) -> Response:
        """All there is to say about it."""
        return Response(WholeReport(report_of(request.user, pk), context={"request": request}).data)


class CancelReport(View):
    """The end of a report that is being made."""

    def post(self, request: Request, pk: int) -> Response:
        """Stop it."""
        report = report_of(request.user, pk)
        if not reports.cancel(report):
            raise Refused("The report was over already.")
        report.refresh_from_db()
        return Response(WholeReport(report, context={"request": request}).data)


class ReportFile(View):
    """One of the report's files."""

    def get(self, request: Request, pk: int, name: str) -> HttpResponse:
        """The same bytes as from its page."""
        return file_of(report_of(request.user, pk), name)


class ReportZip(View):
    """All of the report's files in one."""

    def get(self, request: Request, pk: int) -> HttpResponse:
        """The same bytes as from its page."""
        return zip_of(report_of(request.user, pk))


class ReportBundle(View):
    """All that makes the report's numbers again."""

    def get(self, request: Request, pk: int) -> HttpResponse:
        """The same bytes as from its page."""
        return bundle_of(report_of(request.user, pk))


def _key(request: Request) -> str:
    key = request.headers.get("Idempotency-Key", "")
    if len(key) > LONGEST_KEY:
        raise ValidationError(f"The Idempotency-Key is longer than {LONGEST_KEY} characters; choose a shorter one.")
    return key
