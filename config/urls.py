"""Addresses of the site."""

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

from accounts.views import LogOut, admin_log_in
from config import brand_views, languages
from players.profile.more_views import compare
from ratings.desk.views import begin

# Not at start-up (SimpleAdminConfig): workers and commands show no page, and begin in half the time without them.
admin.autodiscover()

urlpatterns = [
    path("", include("ratings.urls")),
    path("players/", include("players.urls")),
    path("compare/", compare, name="compare"),
    path("events/", include("events.urls")),
    path("arbiters/", include("events.arbiters.urls")),
    path("", include("events.public.urls")),
    path("calculators/", include("ratings.calculators.urls")),
    path("how-it-works/", include("ratings.guide.urls")),
    path("downloads/", include("ratings.downloads.urls")),
    path("embed/", include("ratings.embeds.urls")),
    path("statistics/", include("ratings.statistics.urls")),
    path("api/", include("api.urls")),
    path("account/", include("accounts.urls")),
    path("brand/colours.css", brand_views.colours, name="brand-colours"),
    path("favicon.ico", brand_views.icon, name="icon"),
    path("brand/logo", brand_views.logo, name="brand-logo"),
    path("language/", languages.choose, name="language"),
    # The admin uses the site's own pages to log in, log out and change passwords.
    path("admin/login/", admin_log_in),
    path("admin/logout/", LogOut.as_view()),
    path("admin/password_change/", RedirectView.as_view(pattern_name="accounts:password")),
    path("admin/password_change/done/", RedirectView.as_view(pattern_name="accounts:account")),
    path("admin/tray/<slug:tray>/begin/", admin.site.admin_view(begin), name="begin-tray"),
    path("admin/", admin.site.urls),
]

handler400 = "api.handlers.bad_request"
handler404 = "api.handlers.not_found"
handler500 = "api.handlers.server_error"
