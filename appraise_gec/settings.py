"""Settings of the platform, all from the environment; .env.example lists every variable.

With nothing set it runs on one machine without any service, with SQLite and a queue in a folder. DATABASE_URL and
CELERY_BROKER_URL select PostgreSQL and Redis.
"""

import os
from pathlib import Path
from urllib.parse import urlsplit

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from kombu import Exchange, Queue
from platformdirs import user_data_path

from appraise_gec import environment, logs

BASE_DIR = Path(__file__).resolve().parent.parent
# Files beside the packages in a checkout, inside one of them where the package is installed.
IS_CHECKOUT = (BASE_DIR / "manage.py").is_file()
ASSETS = BASE_DIR if IS_CHECKOUT else BASE_DIR / "appraise_gec" / "assets"
DATA_DIR = environment.folder("DATA_DIR", BASE_DIR / "var" if IS_CHECKOUT else user_data_path("appraise-gec"))

# --- the site ---------------------------------------------------------------------------------------------------------

# Where the platform on this machine ran last, so that commands print addresses that lead there.
LAST_ADDRESS = DATA_DIR / "address"
SITE_URL = environment.address(
    "SITE_URL", LAST_ADDRESS.read_text() if LAST_ADDRESS.is_file() else "http://127.0.0.1:8000"
)
EMBEDDED = not environment.text("DATABASE_URL")
ON_TLS = SITE_URL.startswith("https://")
# Only this machine reaches it: whoever can read its terminal may come in without a password.
IS_LOCAL = EMBEDDED and urlsplit(SITE_URL).hostname in ("127.0.0.1", "localhost", "::1")

DEBUG = environment.flag("DEBUG", False)
if DEBUG and ON_TLS:
    raise ImproperlyConfigured("DEBUG shows settings and code to everybody; unset it, or use an http SITE_URL at home.")
SECRET_KEY = environment.secret("SECRET_KEY", DATA_DIR / "secret_key", may_be_made=EMBEDDED or DEBUG)
ALLOWED_HOSTS = environment.hosts(
    "ALLOWED_HOSTS", sorted({"127.0.0.1", "localhost", "[::1]", str(urlsplit(SITE_URL).hostname)})
)
CSRF_TRUSTED_ORIGINS = [SITE_URL]

# --- apps and middleware ----------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "csp",
    # Without rest_framework itself, whose browsable pages and translations are not used.
    "rest_framework.authtoken",
    "appraise_gec",
    "judgments",
    "ranking",
]

MIDDLEWARE = [
    "appraise_gec.server.middleware.log_requests",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "appraise_gec.server.middleware.forbid_caching",
    "appraise_gec.server.middleware.drop_nul_cookies",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "appraise_gec.server.middleware.limit_request_size",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "appraise_gec.server.middleware.attribute_actions",
    "django.contrib.messages.middleware.MessageMiddleware",
    "appraise_gec.server.middleware.explain_wrong_methods",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "appraise_gec.server.errors.Outages",
]

ROOT_URLCONF = "appraise_gec.urls"
WSGI_APPLICATION = "appraise_gec.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [ASSETS / "templates", BASE_DIR / "judgments"],  # judgments/protocols/NAME/answer.html
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "libraries": {"pages": "judgments.web.templatetags.pages", "reports": "ranking.web.tags"},
        },
    },
]

# --- database and files -----------------------------------------------------------------------------------------------

DATABASES = {"default": environment.database("DATABASE_URL", DATA_DIR / "appraise.sqlite3")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

STATIC_URL = "static/"
STATIC_ROOT = Path(environment.text("STATIC_ROOT", str(DATA_DIR / "static"))).resolve()
STATICFILES_DIRS = [
    ASSETS / "static",
    ("images", ASSETS / "docs" / "images"),
    *((f"protocols/{folder.parent.name}", folder) for folder in sorted(BASE_DIR.glob("judgments/protocols/*/static"))),
]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

# --- authentication and security --------------------------------------------------------------------------------------

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
SECURE_REDIRECT_EXEMPT = ["^(healthz|readyz|metrics)$"]  # requested locally, behind the proxy
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if ON_TLS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = ON_TLS
SECURE_REFERRER_POLICY = "same-origin"
# Trust the headers of a proxy only if there is one.
BEHIND_PROXY = environment.flag("BEHIND_PROXY", False)
if BEHIND_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# An institution's proxy asks for the password and names the user, at the page to sign in alone; no other is believed.
REMOTE_USER_HEADER = environment.text("REMOTE_USER_HEADER")
REMOTE_GROUPS_HEADER = environment.text("REMOTE_GROUPS_HEADER")
REMOTE_USER_PROXIES = environment.networks("REMOTE_USER_PROXIES")
if REMOTE_USER_HEADER and not REMOTE_USER_PROXIES:
    raise ImproperlyConfigured("REMOTE_USER_HEADER needs REMOTE_USER_PROXIES, the addresses of the proxies to believe.")
# Or its provider of OpenID Connect does, in a signed token.
OIDC_ISSUER = environment.issuer("OIDC_ISSUER")
OIDC_CLIENT_ID = environment.text("OIDC_CLIENT_ID")
OIDC_CLIENT_SECRET = environment.text("OIDC_CLIENT_SECRET")
OIDC_SCOPE = environment.text("OIDC_SCOPE", "openid profile")
# Of the claims, the standard promises of sub alone that nobody else ever has the same.
OIDC_NAME_CLAIM = environment.text("OIDC_NAME_CLAIM", "sub")
OIDC_GROUPS_CLAIM = environment.text("OIDC_GROUPS_CLAIM", "groups")
if 0 < sum(map(bool, (OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET))) < 3:
    raise ImproperlyConfigured("OIDC_ISSUER needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, and these need it; set all.")
if OIDC_ISSUER and REMOTE_USER_HEADER:
    raise ImproperlyConfigured("OIDC_ISSUER and REMOTE_USER_HEADER name the same accounts; choose one.")
# Who of them may make campaigns; without groups everybody.
ORGANISER_GROUPS = environment.names("ORGANISER_GROUPS", [])
if ORGANISER_GROUPS and not (REMOTE_GROUPS_HEADER or OIDC_ISSUER):
    raise ImproperlyConfigured("ORGANISER_GROUPS needs REMOTE_GROUPS_HEADER, the header that names a user's groups.")

# --- operation --------------------------------------------------------------------------------------------------------

# Without a token there are no metrics for Prometheus.
METRICS_TOKEN = environment.text("METRICS_TOKEN")
if 0 < len(METRICS_TOKEN) < 20:
    raise ImproperlyConfigured("METRICS_TOKEN is too easy to guess; make one with: openssl rand -hex 20")
# Concurrent requests per web process.
WEB_THREADS = environment.number("WEB_THREADS", 4, 1, 64)
# Seconds after which PostgreSQL cancels a statement of a web process; 0 for never. Workers and commands have no limit.
WEB_STATEMENT_TIMEOUT = environment.number("WEB_STATEMENT_TIMEOUT", 30, 0, 3600)

# --- mail ------------------------------------------------------------------------------------------------------------

# Without a server, pages do not offer to send mail.
EMAIL_BACKEND = "appraise_gec.mail.EmailBackend"
EMAIL_HOST = environment.text("EMAIL_HOST")
EMAIL_PORT = environment.number("EMAIL_PORT", 587, 1, 65535)
EMAIL_HOST_USER = environment.text("EMAIL_USER")
EMAIL_HOST_PASSWORD = environment.text("EMAIL_PASSWORD")
EMAIL_USE_TLS = environment.flag("EMAIL_TLS", True)
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = environment.text("EMAIL_FROM")
if EMAIL_HOST and "@" not in DEFAULT_FROM_EMAIL:
    raise ImproperlyConfigured("EMAIL_HOST needs EMAIL_FROM, the address from which mail comes: judge@example.org.")

# --- Prolific ---------------------------------------------------------------------------------------------------------

# The secret of the workspace's webhooks; without one no event is accepted. The token lets workers approve submissions.
PROLIFIC_SECRET = environment.text("PROLIFIC_SECRET")
PROLIFIC_TOKEN = environment.text("PROLIFIC_TOKEN")
PROLIFIC_API = environment.address("PROLIFIC_API", "https://api.prolific.com")

# --- programs that judge ----------------------------------------------------------------------------------------------

# The endpoints of language models that organisers can choose; keys are in PROGRAM_KEY_NAME, which only workers read.
PROGRAM_ENDPOINTS = environment.endpoints("PROGRAM_ENDPOINTS")
# Where workers reach this site.
PROGRAM_SITE = environment.address("PROGRAM_SITE", SITE_URL)

# --- releases of data -------------------------------------------------------------------------------------------------

# Hosts to which the command release_data sends drafts, and the tokens of the account that gets them.
ZENODO_URL = environment.address("ZENODO_URL", "https://zenodo.org")
ZENODO_TOKEN = environment.text("ZENODO_TOKEN")
HF_ENDPOINT = environment.address("HF_ENDPOINT", "https://huggingface.co")
HF_TOKEN = environment.text("HF_TOKEN")

# --- API --------------------------------------------------------------------------------------------------------------

REST_FRAMEWORK = {
    # The first one determines the WWW-Authenticate header.
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "rest_framework.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_PARSER_CLASSES": ["judgments.api.base.parsing.JsonParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "judgments.api.base.parsing.OnlyJson",
    "DEFAULT_PAGINATION_CLASS": "judgments.api.base.paging.Pages",
    "DEFAULT_THROTTLE_CLASSES": ["judgments.api.base.rates.Rate"],
    "DEFAULT_THROTTLE_RATES": {"user": environment.rate("API_RATE", "600/minute")},
    "EXCEPTION_HANDLER": "judgments.api.base.problems.answer_with_problem",
    "DEFAULT_SCHEMA_CLASS": "judgments.api.base.schema.Schema",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Appraise GEC",
    "DESCRIPTION": "Human evaluation of grammatical error correction, for programs; see docs/api.md.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/",
    "POSTPROCESSING_HOOKS": ["judgments.api.base.schema.with_problems"],
}

# --- uploads ----------------------------------------------------------------------------------------------------------

# More than forms accept, so that a form can explain its limit before Django refuses the request.
DATA_UPLOAD_MAX_NUMBER_FILES = 1000
# The table of 500 files has a name, a kind and a box for each.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2000
MOST_BYTES_OF_A_REQUEST = 101 * 2**20

# --- background work --------------------------------------------------------------------------------------------------

CELERY_BROKER_URL = environment.broker("CELERY_BROKER_URL", "filesystem://")
if CELERY_BROKER_URL == "filesystem://":
    _queue = DATA_DIR / "queue"
    _control = _queue / "control"
    if environment.purpose is not environment.ProcessPurpose.HELP:
        _control.mkdir(parents=True, exist_ok=True)
    CELERY_BROKER_TRANSPORT = "appraise_gec.queue_of_files:WholeTransport"
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(_queue),
        "data_folder_out": str(_queue),
        "control_folder": str(_control),
        "polling_interval": 0.2,
    }
else:
    # If Redis does not answer in time, the job stays in the database instead of blocking a thread for ever. Redis hands
    # out a dead worker's messages again after half a day, long after the sweeper requeued its jobs.
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "socket_connect_timeout": 5, "socket_timeout": 5, "visibility_timeout": 12 * 3600,
    }  # fmt: skip
# MB of memory that one process of a worker may use; a job that needs more fails with a message.
HALF_THE_MEMORY = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**21
WORKER_MEMORY = environment.number("WORKER_MEMORY", max(HALF_THE_MEMORY, 400), 400, 1_000_000)
# The number of workers that share the replicates of a report; they wait for each other, which needs Redis.
REPORT_WORKERS = environment.number("REPORT_WORKERS", 1, 1, 256)
if REPORT_WORKERS > 1:
    if CELERY_BROKER_URL == "filesystem://":
        raise ImproperlyConfigured("REPORT_WORKERS above 1 needs Redis; set CELERY_BROKER_URL, or leave it at 1.")
    CELERY_RESULT_BACKEND = CELERY_BROKER_URL
    CELERY_RESULT_EXPIRES = 3600
# The row of a job holds its outcome; a result backend would only duplicate it.
CELERY_TASK_IGNORE_RESULT = True
# The sweeper finds jobs that could not be queued.
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# Two queues with a worker each: jobs of minutes must not delay those that people wait for.
CELERY_TASK_DEFAULT_QUEUE = "short"
CELERY_TASK_QUEUES = [Queue(name, Exchange(name), routing_key=name) for name in ("short", "long")]
# Each kind of job names its queue; these are parts of reports.
CELERY_TASK_ROUTES = {name: {"queue": "long"} for name in ("ranking.draw_part", "ranking.conclude_report")}
CELERY_BEAT_SCHEDULE_FILENAME = str(DATA_DIR / "beat")
CELERY_BEAT_SCHEDULE = {
    "sweep stale jobs": {"task": "judgments.sweep_jobs", "schedule": 60.0, "options": {"expires": 55}},
    "note that the scheduler runs": {"task": "judgments.note_beat", "schedule": 30.0, "options": {"expires": 25}},
    "draw the next screens": {"task": "ranking.continue_campaigns", "schedule": 60.0, "options": {"expires": 55}},
    "approve submissions": {"task": "judgments.approve_submissions", "schedule": 60.0, "options": {"expires": 55}},
    "reassign screens": {"task": "judgments.reassign_screens", "schedule": 60.0, "options": {"expires": 55}},
    "delete old rows": {"task": "judgments.forget_old", "schedule": 3600.0, "options": {"expires": 3500}},
}
# What `appraise-gec demo` sets.
if environment.flag("DEMO_JUDGES", False):
    CELERY_BEAT_SCHEDULE["let simulated judges go on"] = {
        "task": "ranking.judge_demo", "schedule": 15.0, "options": {"expires": 14},
    }  # fmt: skip

# --- languages, time and logs -----------------------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("pl", "Polish")]
LOCALE_PATHS = [ASSETS / "locale"]
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_SECURE = ON_TLS
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
TIME_ZONE = environment.zone("TIME_ZONE", "UTC")
USE_I18N = True
USE_TZ = True

LOGGING = logs.configuration(
    environment.choice("LOG_LEVEL", environment.LOG_LEVELS, "INFO"),
    environment.choice("LOG_FORMAT", list(logs.FORMATS), "plain"),
)
