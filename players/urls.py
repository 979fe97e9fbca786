"""Addresses of players."""

from django.urls import path, re_path

from players.identity import CHESS_SA_ID
from players.profile import views

app_name = "players"
urlpatterns = [
    path("", views.search, name="search"),
    path("suggest/", views.suggest, name="suggest"),
    re_path(rf"^(?P<number>{CHESS_SA_ID})/$", views.player, name="player"),
    re_path(rf"^(?P<number>{CHESS_SA_ID})/history\.csv$", views.history_csv, name="history"),
]
