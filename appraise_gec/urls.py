from django.contrib import admin
from django.contrib.auth import views as auth
from django.urls import include, path, re_path
from django.views.i18n import set_language

from appraise_gec.health.views import healthz, metrics, readyz
from judgments.api.base.views import UnknownAddress
from judgments.web.views.joining import SignIn, sign_in_by_openid

handler400 = "appraise_gec.server.errors.bad_request_or_redirect"
handler500 = "appraise_gec.server.errors.server_error"

urlpatterns = [
    path("admin/", admin.site.urls),
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
    path("metrics", metrics, name="prometheus"),
    path("sign-in/", SignIn.as_view(), name="sign_in"),
    path("sign-in/openid/", sign_in_by_openid, name="openid"),
    path("language/", set_language, name="set_language"),
    path("sign-out/", auth.LogoutView.as_view(), name="sign_out"),
    path("api/", include("judgments.api.urls")),
    path("api/", include("ranking.api.urls")),
    re_path("^api/", UnknownAddress.as_view()),
    path("", include("judgments.web.urls")),
    path("", include("ranking.web.urls")),
]
