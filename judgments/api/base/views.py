"""The base of all views of the API."""

from collections.abc import Callable
from datetime import UTC
from functools import cached_property
from typing import Any

from django.http import HttpResponseBase
from django.utils import timezone, translation
from drf_spectacular.renderers import OpenApiJsonRenderer
from rest_framework.exceptions import NotFound
from rest_framework.generics import ListAPIView
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from judgments.api.base.paging import InOrder
from judgments.api.base.parsing import LengthRequired, TooLarge
from judgments.campaigns import access
from judgments.material.uploads import MOST_BYTES
from judgments.models import Campaign
from judgments.rules.request_sizes import is_too_much


class View(APIView):
    """A view with messages in English and times in UTC, whatever the client's settings."""

    # For views that accept files: the message that refuses large ones.
    refusal: Callable[[], str] | None = None
    http_method_names = ["get", "head", "post", "patch"]

    @cached_property
    def campaign(self) -> Campaign:
        """The campaign in the address, which the user must run."""
        return access.get_campaign_to_organise_or_404(self.request.user, self.kwargs["slug"])

    def dispatch(self, *args: Any, **kwargs: Any) -> HttpResponseBase:
        with translation.override("en"), timezone.override(UTC):
            response = super().dispatch(*args, **kwargs)
        response.headers["Content-Language"] = "en"
        return response

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Check the user, and refuse a body that is too large or has no length before reading it."""
        super().initial(request, *args, **kwargs)
        if "Transfer-Encoding" in request.headers:
            raise LengthRequired
        if self.refusal and is_too_much(request.META, MOST_BYTES):
            raise TooLarge(self.refusal())


class ListInOrder(View, ListAPIView):
    """A list in the order of creation."""

    pagination_class = InOrder


class Description(View):
    """The OpenAPI description, open to everybody."""

    permission_classes = [AllowAny]
    authentication_classes: list = []
    renderer_classes = [OpenApiJsonRenderer]
    schema = None

    def get(self, request: Request) -> Response:
        from drf_spectacular.generators import SchemaGenerator

        return Response(SchemaGenerator().get_schema(request=request, public=True))


class UnknownAddress(View):
    """Any unknown address below /api/."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        raise NotFound("There is no such address; docs/api.md lists all. All except those of files end with a slash.")
