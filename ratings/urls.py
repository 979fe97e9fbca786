"""Addresses of the home page, the published lists and the explanations of their figures."""

from django.urls import path, re_path

from players.identity import CHESS_SA_ID
from ratings import views
from ratings.explanations import views as explanation_views
from ratings.health import views as health_views
from ratings.home import views as home_views
from ratings.lists import views as list_views
from ratings.live import views as live_views
from ratings.personal_data import views as personal_data_views

_PLAYER = rf"^players/(?P<number>{CHESS_SA_ID})/"
_LIST = r"^lists/(?P<code>[-\w]+)/(?P<period>[0-9]{4}-[0-9]{2})/"

app_name = "ratings"
urlpatterns = [
    path("", home_views.home, name="home"),
    path("lists/", list_views.months, name="months"),
    path("lists/other-systems/", home_views.other_systems, name="other-systems"),
    path("lists/<slug:code>/", list_views.rating_list, name="list"),
    path("lists/<slug:code>/live/", live_views.live_list, name="live"),
    re_path(_LIST + "$", list_views.rating_list, name="list-of"),
    re_path(_LIST + r"players\.csv$", list_views.players_csv, name="list-csv"),
    re_path(
        _PLAYER + r"(?P<month>[0-9]{4}-[0-9]{2})/(?P<code>[-\w]+)/$", explanation_views.explanation, name="explanation"
    ),
    re_path(_PLAYER + r"(?P<month>[0-9]{4}-[0-9]{2})/case\.json$", explanation_views.case_file, name="case"),
    re_path(
        _PLAYER + r"(?P<month>[0-9]{4}-[0-9]{2})/(?P<code>[-\w]+)/case\.json$",
        explanation_views.list_case_file,
        name="list-case",
    ),
    path("privacy/", personal_data_views.privacy, name="privacy"),
    path("privacy/my-data/", personal_data_views.own_data, name="own-data"),
    path("health/", health_views.health, name="health"),
    path("metrics/", health_views.metrics, name="metrics"),
    path("robots.txt", views.robots, name="robots"),
    path("sitemap.xml", views.sitemap_index, name="sitemap-index"),
    path("sitemap-<slug:section>.xml", views.sitemap_section, name="sitemap"),
]
