"""Addresses of the pictures for other sites."""

from django.urls import path, re_path

from players.identity import CHESS_SA_ID
from ratings.embeds import views

app_name = "embeds"
urlpatterns = [
    path("", views.guide, name="guide"),
    re_path(rf"^players/(?P<number>{CHESS_SA_ID})\.svg$", views.player_card, name="player"),
    re_path(rf"^players/(?P<number>{CHESS_SA_ID})\.png$", views.player_picture, name="picture"),
    path("lists/<slug:code>.svg", views.list_card, name="list"),
]
