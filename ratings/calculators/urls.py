"""Addresses of the calculators."""

from django.urls import path

from ratings.calculators import views

app_name = "calculators"
urlpatterns = [
    path("", views.index, name="index"),
    path("players.json", views.players, name="players"),
    path("<slug:system>/", views.calculator, name="calculator"),
    path("<slug:system>/case.json", views.case_file, name="case"),
]
