"""Addresses of the guide."""

from django.urls import path

from ratings.guide import views

app_name = "guide"
urlpatterns = [
    path("", views.index, name="index"),
    path("systems/", views.systems, name="systems"),
    path("glossary/", views.glossary, name="glossary"),
    path("figures/", views.where_from, name="figures"),
]
