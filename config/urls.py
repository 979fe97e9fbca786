"""Addresses."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("", include("ratings.urls")),
    path("players/", include("players.urls")),
    path("events/", include("events.urls")),
    path("calculators/", include("ratings.calculators.urls")),
    path("admin/", admin.site.urls),
]
