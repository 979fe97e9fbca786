"""Addresses of the files of published months: those of the latest month, and by month."""

from django.urls import path, re_path

from ratings.downloads import views

_MONTH, _NAME = r"(?P<period>[0-9]{4}-[0-9]{2})", r"(?P<name>[-_.A-Za-z0-9]{1,80})"

app_name = "downloads"
urlpatterns = [
    path("", views.downloads, name="latest"),
    re_path(rf"^{_MONTH}/$", views.downloads, name="month"),
    re_path(rf"^{_MONTH}/{_NAME}$", views.download, name="file-of"),
    re_path(rf"^{_NAME}$", views.download, name="file"),
]
