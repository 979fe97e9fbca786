"""Addresses of the statistics: of the latest month, of a list, of a list and month."""

from django.urls import path, re_path

from ratings.statistics import views

app_name = "statistics"
urlpatterns = [
    path("", views.statistics, name="latest"),
    path("<slug:code>/", views.statistics, name="of-list"),
    re_path(r"^(?P<code>[-\w]+)/(?P<period>[0-9]{4}-[0-9]{2})/$", views.statistics, name="of-month"),
]
