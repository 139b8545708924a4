"""Settings of the platform, all from the environment; .env.example names every variable.

With nothing set it runs on one machine without any service: SQLite and a queue in a folder. DATABASE_URL and
CELERY_BROKER_URL bring PostgreSQL and Redis.
"""

from pathlib import Path
from urllib.parse import urlsplit

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from appraise_gec import environment

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(environment.text("DATA_DIR", str(BASE_DIR / "var"))).resolve()
DATA_DIR.mkdir(parents=True, exist_ok=True)

# --- the site ---------------------------------------------------------------------------------------------------------

SITE_URL = environment.address("SITE_URL", "http://127.0.0.1:8000")
EMBEDDED = not environment.text("DATABASE_URL")
ON_TLS = SITE_URL.startswith("https://")

DEBUG = environment.flag("DEBUG", False)
SECRET_KEY = environment.secret("SECRET_KEY", DATA_DIR / "secret_key", may_be_made=EMBEDDED or DEBUG)
ALLOWED_HOSTS = environment.names(
    "ALLOWED_HOSTS", sorted({"127.0.0.1", "localhost", "[::1]", str(urlsplit(SITE_URL).hostname)})
)
CSRF_TRUSTED_ORIGINS = [SITE_URL]

# --- the parts --------------------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "csp",
    # Without rest_framework itself: it brings pages and translations, and machines here get neither.
    "rest_framework.authtoken",
    "appraise_gec",
    "judgments",
    "ranking",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "appraise_gec.middleware.never_kept",
    "appraise_gec.middleware.legible",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "appraise_gec.middleware.acted",
    "django.contrib.messages.middleware.MessageMiddleware",
    "appraise_gec.middleware.explained",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "appraise_gec.urls"
WSGI_APPLICATION = "appraise_gec.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# --- what is kept -----------------------------------------------------------------------------------------------------

DATABASES = {"default": environment.database("DATABASE_URL", DATA_DIR / "appraise.sqlite3")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

STATIC_URL = "static/"
STATIC_ROOT = Path(environment.text("STATIC_ROOT", str(DATA_DIR / "static"))).resolve()
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

# --- who may ----------------------------------------------------------------------------------------------------------

LOGIN_URL = "sign_in"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}

SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = ON_TLS
SECURE_SSL_REDIRECT = ON_TLS
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if ON_TLS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = ON_TLS
SECURE_REFERRER_POLICY = "same-origin"
# What a proxy says of a visitor is believed only where there is one.
BEHIND_PROXY = environment.flag("BEHIND_PROXY", False)
if BEHIND_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# --- mail ------------------------------------------------------------------------------------------------------------

# Without a server nothing is sent, and pages offer nothing of the kind.
EMAIL_HOST = environment.text("EMAIL_HOST")
EMAIL_PORT = environment.number("EMAIL_PORT", 587, 1, 65535)
EMAIL_HOST_USER = environment.text("EMAIL_USER")
EMAIL_HOST_PASSWORD = environment.text("EMAIL_PASSWORD")
EMAIL_USE_TLS = environment.flag("EMAIL_TLS", True)
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = environment.text("EMAIL_FROM")
if EMAIL_HOST and not DEFAULT_FROM_EMAIL:
    raise ImproperlyConfigured("EMAIL_HOST needs EMAIL_FROM, the address from which mail comes; set both or neither.")

# --- machines ---------------------------------------------------------------------------------------------------------

REST_FRAMEWORK = {
    # The first one says how to sign in.
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "rest_framework.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_PARSER_CLASSES": ["judgments.api.base.parsing.Json"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "judgments.api.base.negotiation.OnlyOne",
    "DEFAULT_PAGINATION_CLASS": "judgments.api.base.paging.Pages",
    "DEFAULT_THROTTLE_CLASSES": ["judgments.api.base.rates.Rate"],
    "DEFAULT_THROTTLE_RATES": {
        "user": environment.rate("API_RATE", "600/minute"),
        "new_report": environment.rate("API_REPORT_RATE", "60/hour"),
    },
    "EXCEPTION_HANDLER": "judgments.api.base.problems.answer_with_problem",
    "DEFAULT_SCHEMA_CLASS": "judgments.api.base.schema.Schema",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Appraise GEC",
    "DESCRIPTION": "Human evaluation of grammatical error correction, for programs; docs/api.md tells how to use it.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/",
    "POSTPROCESSING_HOOKS": ["judgments.api.base.schema.with_problems"],
}

# --- what is handed in ------------------------------------------------------------------------------------------------

# More than forms take, so that a form can say what is too much before Django cuts it off.
DATA_UPLOAD_MAX_NUMBER_FILES = 1000
MOST_BYTES_OF_A_REQUEST = 101 * 2**20
FILE_UPLOAD_HANDLERS = [
    "appraise_gec.bounds.BoundedUpload",
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]

# --- background work --------------------------------------------------------------------------------------------------

CELERY_BROKER_URL = environment.broker("CELERY_BROKER_URL", "filesystem://")
if CELERY_BROKER_URL == "filesystem://":
    _queue = DATA_DIR / "queue"
    _control = _queue / "control"
    _control.mkdir(parents=True, exist_ok=True)
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(_queue),
        "data_folder_out": str(_queue),
        "control_folder": str(_control),
        "polling_interval": 0.2,
    }
# Over how many workers the replicates of a report are split; they wait for each other, for which Redis is needed.
REPORT_WORKERS = environment.number("REPORT_WORKERS", 1, 1, 256)
if REPORT_WORKERS > 1:
    if CELERY_BROKER_URL == "filesystem://":
        raise ImproperlyConfigured("REPORT_WORKERS above 1 needs Redis; set CELERY_BROKER_URL, or leave it at 1.")
    CELERY_RESULT_BACKEND = CELERY_BROKER_URL
    CELERY_RESULT_EXPIRES = 3600
# The row of a work says what became of it; a second place for results would only disagree.
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BEAT_SCHEDULE_FILENAME = str(DATA_DIR / "beat")
CELERY_BEAT_SCHEDULE = {
    "sweep stale reports": {"task": "ranking.sweep_reports", "schedule": 60.0, "options": {"expires": 55}},
    "sweep stale scorings": {"task": "ranking.sweep_scorings", "schedule": 60.0, "options": {"expires": 55}},
    "sweep stale uploads": {"task": "judgments.sweep_uploads", "schedule": 60.0, "options": {"expires": 55}},
    "sweep stale mailings": {"task": "judgments.sweep_mailings", "schedule": 60.0, "options": {"expires": 55}},
    "sweep stale deals": {"task": "judgments.sweep_deals", "schedule": 60.0, "options": {"expires": 55}},
    "sweep stale rulings": {"task": "judgments.sweep_rulings", "schedule": 60.0, "options": {"expires": 55}},
    "forget old uploads": {"task": "judgments.forget_old", "schedule": 3600.0, "options": {"expires": 3500}},
    "sweep stale imports": {"task": "judgments.sweep_imports", "schedule": 60.0, "options": {"expires": 55}},
}

# --- the rest ---------------------------------------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("pl", "Polish")]
LOCALE_PATHS = [BASE_DIR / "locale"]
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_SECURE = ON_TLS
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
TIME_ZONE = environment.text("TIME_ZONE", "UTC")
USE_I18N = True
USE_TZ = True

LOG_LEVEL = environment.choice("LOG_LEVEL", ["DEBUG", "INFO", "WARNING", "ERROR"], "INFO")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "plain"}},
    # kombu warns at every connection that a queue in a folder has no host name.
    # A refused request is no news for a log; Django would add a stack trace to each.
    "loggers": {
        "kombu.connection": {"level": "ERROR"},
        "django.request": {"level": "ERROR"},
        **{
            f"django.security.{fault}": {"level": "CRITICAL"}
            for fault in ("DisallowedHost", "RequestDataTooBig", "TooManyFieldsSent", "TooManyFilesSent")
        },
    },
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
}
