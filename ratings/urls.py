"""Addresses of the home page and the published lists."""

from django.urls import path, re_path

from ratings import views

app_name = "ratings"
urlpatterns = [
    path("", views.home, name="home"),
    path("lists/", views.months, name="months"),
    path("lists/<slug:code>/", views.rating_list, name="list"),
    re_path(r"^lists/(?P<code>[-\w]+)/(?P<period>[0-9]{4}-[0-9]{2})/$", views.rating_list, name="list-of"),
    path("robots.txt", views.robots, name="robots"),
]
