"""Addresses of arbiters."""

from django.urls import path

from events.arbiters import views as arbiter_views

app_name = "arbiters"
urlpatterns = [
    path("me/", arbiter_views.me, name="me"),
    path("<int:arbiter>/record/", arbiter_views.arbiter, name="record"),
]
