"""The least that an answer can cost: a bare Django project that loads a session and its user and inserts a row.

It runs on the platform's database and web server, as a reference for both: settings, addresses and application in one.
"""

from uuid import uuid4

from django.contrib.auth import get_user_model, login
from django.core.wsgi import get_wsgi_application
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.urls import path

from appraise_gec.settings import DATABASES, SECRET_KEY  # noqa: F401 (read by Django)

ROOT_URLCONF, ALLOWED_HOSTS, USE_TZ = __name__, ["127.0.0.1"], True
INSTALLED_APPS = ["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions"]
MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware", "django.contrib.auth.middleware.AuthenticationMiddleware",
]  # fmt: skip


def enter(request: HttpRequest) -> HttpResponse:
    login(request, get_user_model().objects.create_user(uuid4().hex))
    return HttpResponse()


def answer(request: HttpRequest) -> HttpResponse:
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO bare_answer (judge, body) VALUES (%s, %s)", [request.user.pk, request.body.decode()]
        )
    return HttpResponse()


urlpatterns = [
    path("healthz", lambda request: HttpResponse()), path("join/", enter), path("assignments/", answer),
]  # fmt: skip


def __getattr__(name: str) -> object:
    """The web server asks for the application, which needs these settings."""
    if name == "application":
        return get_wsgi_application()
    raise AttributeError(name)


if __name__ == "__main__":
    get_wsgi_application()
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE TABLE bare_answer (id bigserial PRIMARY KEY, judge integer NOT NULL, body text NOT NULL)"
        )
