"""Addresses of the public pages of arbiters and regions."""

from django.urls import path, re_path

from events.public import directory_views as views

app_name = "public"
urlpatterns = [
    path("arbiters/<int:arbiter>/", views.arbiter, name="arbiter"),
    path("regions/", views.all_regions, name="regions"),
    re_path(r"^regions/(?P<code>[A-Z]{3})/$", views.region, name="region"),
]
