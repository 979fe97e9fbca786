"""Settings from the environment. Every variable has a safe default: the site runs with none set.

DATABASE_URL, REDIS_URL   servers instead of the embedded SQLite and queue folders
VAR_DIR                   folder of the embedded database, queue and collected static files (default: var/)
SECRET_KEY                at least 50 characters; default: made once and stored in VAR_DIR
ALLOWED_HOSTS, CSRF_TRUSTED_ORIGINS   comma-separated names under which the site answers
EMAIL_URL                 how mail is sent: consolemail:// (default), filemail:///folder, smtp+tls://user:password@host:587;
                          required where SITE_URL is
MAIL_FROM                 the sender of the bureau's mail
SITE_URL                  address of the site, for links in mails; required with HTTPS or names of a site in ALLOWED_HOSTS
HTTPS                     1 when the site is served over HTTPS: secure cookies, HSTS
DEBUG                     1 for Django's own error pages; never in public
FEDERATION, BUREAU        names in the head of each page and in mails: Chess South Africa, Ratings Bureau
ACCENT_COLOURS            colours of links and buttons in light and dark: #0b5566,#7cc4d4
LOGO                      an SVG, PNG or WebP file instead of the rook in the head of each page
API_REQUESTS_A_MINUTE     requests to the API that a network may make in a minute: default 60
API_TOKEN_REQUESTS_A_MINUTE   requests to the API that the programs with one token may make in a minute: default 600
METRICS_TOKEN             what Prometheus sends as bearer token to /metrics/; without one there are no metrics
LOG_LEVEL, LOG_FORMAT     WARNING by default, INFO with a line for each request; plain by default, or json
PROXIES                   proxies in front of the site that add to X-Forwarded-For: default 0, the header is not read
RUN_LEASE_SECONDS, RESCUE_SECONDS     silence after which a rating run is restarted, and the interval of the check
"""

import contextlib
import os
from email.utils import formataddr
from pathlib import Path

import environ
from celery.schedules import crontab
from django.core.management.utils import get_random_secret_key
from django_guid.integrations import CeleryIntegration

from config import branding, log_lines, security, services

env = environ.Env()
BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = Path(env.str("VAR_DIR", default=str(BASE_DIR / "var")))


def _secret_key() -> str:
    from_environment: str = env.str("SECRET_KEY", default="")
    if from_environment:
        return security.strong_key(from_environment)
    key_file = services.folder(VAR_DIR) / "secret_key"
    if not key_file.exists():
        # Written aside and linked, so that other processes that start now never read half a key.
        own_file = VAR_DIR / f"secret_key.{os.getpid()}"
        services.write_for_owner(own_file, get_random_secret_key().encode())
        with contextlib.suppress(FileExistsError):
            key_file.hardlink_to(own_file)
        own_file.unlink()
    return security.kept_key(key_file)


DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = _secret_key()
LOCAL_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=LOCAL_HOSTS)
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
HTTPS = env.bool("HTTPS", default=False)

INSTALLED_APPS = [
    "config",
    "accounts",
    "players",
    "events",
    "ratings",
    "api",
    "django.contrib.admin.apps.SimpleAdminConfig",  # config.urls loads the admin pages
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.sitemaps",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "simple_history",
    "csp",
    "axes",
    "rest_framework",
    "django_filters",
    "django_guid",
    "drf_spectacular",
]

MIDDLEWARE = [
    "config.middleware.refuse_unknown_methods",
    "django_guid.middleware.guid_middleware",
    "config.log_lines.log_requests",
    "django.middleware.security.SecurityMiddleware",
    "config.security.permissions_policy",
    "config.body_limits.answer_proxy",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "api.manners.middleware.manners",
    "config.languages.languages",
    "config.body_limits.refuse_large",
    "config.middleware.refuse_nul",
    "config.security.never_kept",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "accounts.sessions.end_idle",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "simple_history.middleware.HistoryRequestMiddleware",
    "axes.middleware.AxesMiddleware",
    "config.middleware.refuse_wrong_numbers",
    "config.middleware.plain_searches",
    "config.middleware.lead_on",
]
MESSAGE_STORAGE = "config.messages.ShownMessages"

# What is measured costs time with each request, so that only those pay who ask for it.
METRICS_TOKEN = env.str("METRICS_TOKEN", default="").strip()
if METRICS_TOKEN:
    INSTALLED_APPS.append("django_prometheus")
    MIDDLEWARE.insert(1, "django_prometheus.middleware.PrometheusBeforeMiddleware")
    MIDDLEWARE.append("django_prometheus.middleware.PrometheusAfterMiddleware")
PROMETHEUS_EXPORT_MIGRATIONS = False

# The id of a request stands in each line of the log that it causes, in those of a worker, too.
DJANGO_GUID = {
    "GUID_HEADER_NAME": "X-Request-ID",
    "EXPOSE_HEADER": False,
    "INTEGRATIONS": [CeleryIntegration(use_django_logging=True)],
}

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
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
                "ratings.context.site",
            ]
        },
    }
]

DATABASES = {"default": services.database(env, VAR_DIR)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "accounts.backends.RoleBackend",
]
LOGIN_URL = "accounts:log-in"
LOGIN_REDIRECT_URL = "accounts:account"
globals().update(security.login_throttle())
PASSWORD_HASHERS = [
    "accounts.hashers.Argon2",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]  # the second of old accounts
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]

_PUBLIC = HTTPS or bool(set(ALLOWED_HOSTS) - set(LOCAL_HOSTS))
SITE_URL = services.site_url(env, public=_PUBLIC)
globals().update(services.mail(env, VAR_DIR, public=_PUBLIC))
BRAND = branding.brand(env)
DEFAULT_FROM_EMAIL = env.str("MAIL_FROM", default=formataddr((BRAND.name, "ratings@localhost")))

LANGUAGE_CODE = "en-gb"
LOCALE_PATHS = [BASE_DIR / "locale"]
LANGUAGES = [(LANGUAGE_CODE, LANGUAGE_CODE)]
LANGUAGES += [(path.parts[-3], path.parts[-3]) for path in sorted(LOCALE_PATHS[0].glob("*/LC_MESSAGES/django.mo"))]
LANGUAGE_COOKIE_NAME = "language"
LANGUAGE_COOKIE_AGE = 365 * 86_400  # seconds
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = HTTPS
FORMAT_MODULE_PATH = "config.formats"
TIME_ZONE = "Africa/Johannesburg"
USE_TZ = True
USE_I18N = True

# Hides the button; `config.lib.admin.RecordedAdmin` refuses the request itself.
SIMPLE_HISTORY_REVERT_DISABLED = True

STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

globals().update(security.headers(https=HTTPS))

DATA_UPLOAD_MAX_NUMBER_FIELDS = 2000  # results entered by hand: 60 players with 5 fields and 15 rounds each

globals().update(services.broker(env, VAR_DIR))
CELERY_TIMEZONE = TIME_ZONE
CELERY_BEAT_SCHEDULER = "config.signs_of_life:Scheduler"
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR_DIR / "beat-schedule")
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
# Seconds, of a process that comes to no end, and is no worker's any more: real work takes minutes.
CELERY_TASK_TIME_LIMIT = 2 * 3600
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True

REDIS_URL = env.str("REDIS_URL", default="")
CACHES = {
    "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
    "pages": services.page_cache(REDIS_URL),
}
API_REQUESTS_A_MINUTE = services.positive_integer(env, "API_REQUESTS_A_MINUTE", 60)
API_TOKEN_REQUESTS_A_MINUTE = services.positive_integer(env, "API_TOKEN_REQUESTS_A_MINUTE", 600)
PROXIES = services.positive_integer(env, "PROXIES", 0)
REST_FRAMEWORK = {
    # No operation reads a cookie: pages of other sites may read the API, and never as the user of this one. What only a user
    # may do needs his token (`api.manners.tokens`).
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": [],
    "UNAUTHENTICATED_USER": None,
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "api.manners.negotiation.Negotiation",
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_SCHEMA_CLASS": "api.manners.schema.OperationSchema",
    "DEFAULT_METADATA_CLASS": None,
    "EXCEPTION_HANDLER": "api.manners.problems.handle",
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS = {
    "OAS_VERSION": "3.1.0",
    "TITLE": f"Ratings of {BRAND.federation}",
    "DESCRIPTION": "The published ratings, the events and games behind them, and the calculators: what the pages show.",
    "VERSION": "1.1.0",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_NO_READ_ONLY_REQUIRED": True,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "api.manners.schema.add_problems",
    ],
}

RUN_LEASE_SECONDS = services.positive_integer(env, "RUN_LEASE_SECONDS", 120)
RESCUE_SECONDS = services.positive_integer(env, "RESCUE_SECONDS", 30)
# What is to be done as often need not be done twice: while a worker is held, hundreds of messages an hour would pile up.
_OFTEN = {"schedule": float(RESCUE_SECONDS), "options": {"expires": 20.0 * RESCUE_SECONDS}}
CELERY_BEAT_SCHEDULE = {
    # Hourly, so that a beat that was down at midnight still starts the month. The task starts a month only once.
    "start-month": {"task": "ratings.tasks.start_month", "schedule": crontab(minute="5")},
    "rescue": {"task": "ratings.tasks.rescue_runs", **_OFTEN},
    "rescue-downloads": {"task": "ratings.downloads.tasks.rescue_downloads", **_OFTEN},
    "rescue-imports": {"task": "ratings.moving_in.tasks.rescue_imports", **_OFTEN},
    "discard-forgotten-imports": {
        "task": "ratings.moving_in.tasks.discard_forgotten_imports",
        "schedule": crontab(minute="45"),
    },
    "rescue-erasures": {"task": "ratings.personal_data.tasks.rescue_erasures", **_OFTEN},
    # Whatever accepts, returns or corrects an event: this sees it by the versions of the tables, with one query.
    "refresh-live": {"task": "ratings.tasks.refresh_live_list", **_OFTEN},
    # Seconds of work at 15,000 players, and none if nothing was written.
    "search-duplicates": {"task": "ratings.tasks.search_duplicates", "schedule": crontab(minute="*/15")},
    # Hourly by day, so that a beat that was down still sends them. Each is sent only once.
    "remind-regions": {"task": "events.tasks.remind_regions", "schedule": crontab(minute="20", hour="7-19")},
    # The days to appeal a refusal run from its notice; a new administrator has it within the hour.
    "notify-of-refusals": {"task": "events.tasks.notify_of_refusals", "schedule": crontab(minute="25")},
    # Hourly from six on, so that a beat that was down still sends them. Each is sent only once.
    "send-week-mails": {
        "task": "ratings.tasks.send_week_mails",
        "schedule": crontab(minute="5", hour="6-23", day_of_week="mon"),
    },
    # A mail wakes a worker itself; this sends what was to be tried again, or what no worker could be told of.
    "send-mails": {"task": "accounts.outbox.tasks.send_mails", **_OFTEN},
    "clear-mails": {"task": "accounts.outbox.tasks.clear_mails", "schedule": crontab(minute="40")},
    "clear-personal-data": {
        "task": "ratings.personal_data.tasks.clear_old_personal_data",
        "schedule": crontab(minute="10", hour="2-5"),
    },
    "clear-begun-registrations": {
        "task": "events.tasks.clear_begun_registrations",
        "schedule": crontab(minute="50", hour="3"),
    },
    "retry-failed": {"task": "config.tasks.retry_failed", "schedule": crontab(minute="55")},
    "rescue-uploads": {"task": "events.submission.tasks.rescue_uploads", **_OFTEN},
    "rescue-declarations": {
        "task": "events.submission.tasks.rescue_declarations",
        **_OFTEN,
    },
}

LOGGING = log_lines.settings(env)
