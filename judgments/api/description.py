"""The OpenAPI description of the API."""

from drf_spectacular.views import SpectacularJSONAPIView
from rest_framework.permissions import AllowAny

from judgments.api.base.views import View


class Description(View, SpectacularJSONAPIView):
    """The OpenAPI description, for everybody."""

    permission_classes = [AllowAny]
    authentication_classes: list = []
