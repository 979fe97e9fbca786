"""Addresses of the account pages."""

from django.urls import path

from accounts import views
from accounts.tokens import views as tokens
from events.dashboard import views as dashboard

app_name = "accounts"
urlpatterns = [
    path("", dashboard.account, name="account"),
    path("log-in/", views.LogIn.as_view(), name="log-in"),
    path("log-out/", views.LogOut.as_view(), name="log-out"),
    path("tokens/", tokens.tokens, name="tokens"),
    path("tokens/<int:pk>/withdraw/", tokens.withdraw, name="withdraw-token"),
    path("week/", views.week_mail, name="week-mail"),
    path("sent-in/", views.event_mail, name="event-mail"),
    path("password/", views.ChangePassword.as_view(), name="password"),
    path("reset/", views.ask_reset, name="reset"),
    path("reset/sent/", views.ResetSent.as_view(), name="reset-sent"),
    path("reset/<uidb64>/<token>/", views.SetPassword.as_view(), name="set-password"),
    path("invitation/<uidb64>/<token>/", views.SetPassword.as_view(first=True), name="invitation"),
]
