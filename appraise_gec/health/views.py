"""What those who watch the platform from outside ask: does it live, is it ready, what does it do."""

from secrets import compare_digest

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4

from appraise_gec.health import prometheus, readiness


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Whether the web process answers; nothing else is asked."""
    return HttpResponse("ok", content_type="text/plain")


@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """Whether it can do its work, with a sentence for each part that cannot."""
    faults = readiness.faults()
    told = {"ready": not faults, "parts": {name: faults.get(name, "ok") for name in readiness.CHECKS}}
    return JsonResponse(told, status=503 if faults else 200)


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Figures for Prometheus, for whoever shows the token; without one there is no such page."""
    if not settings.METRICS_TOKEN:
        raise Http404("There are no figures here; METRICS_TOKEN turns them on.")
    if not compare_digest(
        request.headers.get("Authorization", "").encode(), f"Bearer {settings.METRICS_TOKEN}".encode()
    ):
        answer = HttpResponse("Show the token of METRICS_TOKEN: Authorization: Bearer ...", "text/plain", 401)
        answer["WWW-Authenticate"] = "Bearer"
        return answer
    return HttpResponse(prometheus.written(), content_type=CONTENT_TYPE_PLAIN_0_0_4)
