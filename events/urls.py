"""Addresses of events."""

from django.urls import path

from events import by_hand_views, registration_views, results_views, views

app_name = "events"
urlpatterns = [
    path("", views.events, name="events"),
    path("<int:event>/", views.event, name="event"),
    path("calendar/", views.calendar, name="calendar"),
    path("calendar.ics", views.calendar_feed, name="feed"),
    path("register/", registration_views.register, name="register"),
    path("mine/", registration_views.mine, name="mine"),
    path("<int:event>/edit/", registration_views.edit, name="edit"),
    path("<int:event>/withdraw/", registration_views.withdraw_event, name="withdraw"),
    path("<int:event>/copy/", registration_views.copy, name="copy"),
    path("<int:event>/results/", results_views.results, name="results"),
    path("<int:event>/results/<int:upload>/", results_views.original, name="original"),
    path("<int:event>/results/<int:section>/by-hand/", by_hand_views.by_hand, name="by-hand"),
    path("<int:event>/results/submitted/<int:submission>/", results_views.submitted, name="submitted"),
]
