"""Addresses of players."""

from django.urls import path, re_path

from players.profile import views

app_name = "players"
urlpatterns = [
    path("", views.search, name="search"),
    path("suggest/", views.suggest, name="suggest"),
    re_path(r"^(?P<number>[0-9]{9})/$", views.player, name="player"),
    re_path(r"^(?P<number>[0-9]{9})/history\.csv$", views.history_csv, name="history"),
]
