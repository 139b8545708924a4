"""All addresses of the platform."""

from django.contrib import admin
from django.contrib.auth import views as auth
from django.http import HttpResponse
from django.urls import include, path, re_path
from django.views.i18n import set_language

from judgments.api.base.views import Nowhere
from judgments.forms.signing_in import SignInForm


def healthz(request) -> HttpResponse:
    """Whether the web process answers, for whoever starts or watches it."""
    return HttpResponse("ok", content_type="text/plain")


handler500 = "judgments.api.base.problems.answer_to_fault"

_sign_in = auth.LoginView.as_view(template_name="sign_in.html", authentication_form=SignInForm)
urlpatterns = [
    path("admin/", admin.site.urls),
    path("healthz", healthz, name="healthz"),
    path(
        "sign-in/", auth.LoginView.as_view(template_name="sign_in.html", authentication_form=SignInForm), name="sign_in"
    ),
    path("language/", set_language, name="set_language"),
    path("sign-out/", auth.LogoutView.as_view(), name="sign_out"),
    path("api/", include("judgments.api.urls")),
    path("api/", include("ranking.api.urls")),
    re_path("^api/", Nowhere.as_view()),
    path("", include("judgments.urls")),
    path("", include("ranking.urls")),
]
