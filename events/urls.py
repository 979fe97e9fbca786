"""Addresses of events."""

from django.urls import path

from events import views

app_name = "events"
urlpatterns = [
    path("", views.events, name="events"),
    path("<int:event>/", views.event, name="event"),
]
