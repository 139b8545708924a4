"""The base of all views of the API."""

from datetime import UTC
from typing import Any

from django.http import HttpResponseBase
from django.utils import timezone, translation
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.views import APIView

from judgments.api.base.parsing import LengthRequired


class View(APIView):
    """A view with messages in English and times in UTC, whatever the client's settings."""

    http_method_names = ["get", "head", "post", "patch", "delete"]

    def dispatch(self, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Answer in English, including messages raised by services."""
        with translation.override("en"), timezone.override(UTC):
            answer = super().dispatch(*args, **kwargs)
        answer.headers["Content-Language"] = "en"
        return answer

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Check the user, and refuse unknown query parameters."""
        super().initial(request, *args, **kwargs)
        if "Transfer-Encoding" in request.headers:
            raise LengthRequired


class Nowhere(View):
    """Any unknown address below /api/."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Answer 404, whatever the method."""
        super().initial(request, *args, **kwargs)
        raise NotFound("There is no such address; docs/api.md lists them. All but those of files end with a slash.")
