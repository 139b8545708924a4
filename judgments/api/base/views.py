"""What every view for machines begins with."""

from datetime import UTC
from typing import Any

from django.http import HttpResponseBase
from django.utils import timezone, translation
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.views import APIView

from judgments.api.base.parsing import LengthRequired


class View(APIView):
    """Sentences in English, whatever the program that asks would like better, and times in UTC, wherever it is."""

    http_method_names = ["get", "head", "post", "patch", "delete"]

    def dispatch(self, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Answer with English words; what a verb says is not translated either."""
        with translation.override("en"), timezone.override(UTC):
            answer = super().dispatch(*args, **kwargs)
        answer.headers["Content-Language"] = "en"
        return answer

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Who asks, and whether they may; nothing that was said is passed over."""
        super().initial(request, *args, **kwargs)
        if "Transfer-Encoding" in request.headers:
            raise LengthRequired


class Nowhere(View):
    """Every address below /api/ that is none."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Say so, whatever the method."""
        super().initial(request, *args, **kwargs)
        raise NotFound("There is no such address; docs/api.md lists them. All but those of files end with a slash.")
