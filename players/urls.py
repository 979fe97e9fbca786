"""Addresses of players."""

from django.urls import path, re_path

from players.identity import CHESS_SA_ID
from players.profile import more_views, views
from players.profile.feed import PlayerFeed

app_name = "players"
urlpatterns = [
    path("", views.search, name="search"),
    path("suggest/", views.suggest, name="suggest"),
    re_path(rf"^(?P<number>{CHESS_SA_ID})/$", views.player, name="player"),
    re_path(rf"^(?P<number>{CHESS_SA_ID})/statistics/$", more_views.player_statistics, name="statistics"),
    re_path(rf"^(?P<number>{CHESS_SA_ID})/against/(?P<other>{CHESS_SA_ID})/$", more_views.against, name="against"),
    re_path(rf"^(?P<number>{CHESS_SA_ID})/feed\.xml$", PlayerFeed(), name="feed"),
    re_path(rf"^(?P<number>{CHESS_SA_ID})/history\.csv$", views.history_csv, name="history"),
]
