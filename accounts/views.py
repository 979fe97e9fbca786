"""Pages to log in, log out and set passwords."""

from typing import Any, Literal

from axes.utils import reset
from django.contrib import admin, messages
from django.contrib.auth import logout, views
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm, SetPasswordForm
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse, reverse_lazy
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.forms import FirstPasswordForm, LogInForm, NewPasswordForm, ResetForm
from accounts.login_throttle import origin
from accounts.mails import queue_reset
from accounts.models import User
from accounts.operations import AccountError, choose_mail, count_mail
from accounts.permissions import Role, acting_user, roles_of


class LogIn(views.LoginView):
    """Log in, then go to the page that asked for it, or to where the user works: the desk, My events or the account page."""

    template_name = "accounts/log_in.html"
    authentication_form = LogInForm

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        """Log in, and count no more the wrong passwords for this address from here."""
        reset(ip=origin(self.request), username=form.get_user().get_username())
        return _unless_disabled(self.request, form.get_user(), super().form_valid(form))

    def get_default_redirect_url(self) -> str:
        """Return where the user works."""
        user = acting_user(self.request)
        roles = roles_of(user)
        if Role.OFFICER in roles and user.is_staff:
            return reverse("admin:index")
        if roles & {Role.ADMINISTRATOR, Role.ARBITER}:
            return reverse("events:mine")
        return super().get_default_redirect_url()


class LogOut(views.LogoutView):
    """Log out, by POST only."""

    template_name = "accounts/logged_out.html"


@never_cache
def admin_log_in(request: HttpRequest) -> HttpResponse:
    """Answer a user whom the admin refuses: redirect to the log-in, or 403 for one who is logged in already."""
    going_to = request.GET.get("next", "")
    if not request.user.is_authenticated:
        return redirect_to_login(going_to or "/admin/")
    if not admin.site.has_permission(request):
        raise PermissionDenied
    return redirect("admin:index")


class ChangePassword(views.PasswordChangeView):
    """Change a password with the old one."""

    template_name = "accounts/password.html"
    form_class = NewPasswordForm
    success_url = reverse_lazy("accounts:account")

    def get_form_kwargs(self) -> dict[str, Any]:
        """Give the form the request, by whose origin wrong passwords are counted."""
        return {**super().get_form_kwargs(), "request": self.request}

    def form_valid(self, form: PasswordChangeForm) -> HttpResponse:
        """Store the password; the next page confirms it."""
        return _unless_overtaken(self.request, form, super().form_valid(form), gettext("Your password is changed."))


@login_required
@never_cache
@require_POST
def week_mail(request: HttpRequest) -> HttpResponse:
    """Have the week at a glance mailed with `wanted` as `yes`, or stop it with `no`, and lead back to the account page."""
    return _choice(
        request,
        "week_mail",
        gettext("The week at a glance will be mailed to you on Mondays."),
        gettext("The week at a glance is no longer mailed to you."),
    )


@login_required
@never_cache
@require_POST
def event_mail(request: HttpRequest) -> HttpResponse:
    """Have each event that is sent in told by mail with `wanted` as `yes`, or stop it with `no`, and lead back."""
    return _choice(
        request,
        "event_mail",
        gettext("You get a mail at each event that is sent in."),
        gettext("You no longer get a mail at each event that is sent in."),
    )


def _choice(request: HttpRequest, mail: Literal["week_mail", "event_mail"], begun: str, stopped: str) -> HttpResponse:
    wanted = {"yes": True, "no": False}.get(request.POST.get("wanted", ""))
    if wanted is None:
        messages.error(request, gettext("Press one of the buttons beside the mails: nothing was changed."))
        return redirect("accounts:account")
    try:
        choose_mail(acting_user(request), mail, wanted)
    except AccountError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, begun if wanted else stopped)
    return redirect("accounts:account")


@require_http_methods(["GET", "HEAD", "POST"])
def ask_reset(request: HttpRequest) -> HttpResponse:
    """Ask for a link by which to set a password. A worker looks up the account, so that the page's time tells nothing."""
    form = ResetForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        email = form.cleaned_data["email"]
        try:
            count_mail(email, origin(request), at=timezone.now(), purpose="reset")
            queue_reset(email)
            return redirect("accounts:reset-sent")
        except AccountError as error:
            form.add_error("email", str(error))
    return render(request, "accounts/reset.html", {"form": form})


class ResetSent(views.PasswordResetDoneView):
    """Confirm that a link is on its way if the account exists."""

    template_name = "accounts/reset_sent.html"


class SetPassword(views.PasswordResetConfirmView):
    """Set a password by a mailed link. This also lifts the lock that wrong passwords put on the address."""

    template_name = "accounts/set_password.html"
    form_class = FirstPasswordForm
    success_url = reverse_lazy("accounts:account")
    post_reset_login = True
    post_reset_login_backend = "accounts.backends.RoleBackend"
    first = False

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add `first`: whether it is the account's first password."""
        return {**super().get_context_data(**kwargs), "first": self.first}

    def form_valid(self, form: "SetPasswordForm[User]") -> HttpResponse:
        """Store the password, log in and confirm it."""
        answer = super().form_valid(form)
        reset(username=form.user.get_username())
        return _unless_overtaken(self.request, form, answer, gettext("Your password is set, and you are logged in."))


def _unless_overtaken(request: HttpRequest, form: Any, answer: HttpResponse, done: str) -> HttpResponse:
    """Return the answer to who has set a password, and tell him so; logged out if another one was set meanwhile."""
    if form.overtaken:
        logout(request)
        messages.error(request, gettext("Another password was set at this moment: log in with that one."))
        return redirect("accounts:log-in")
    messages.success(request, done)
    return _unless_disabled(request, form.user, answer)


def _unless_disabled(request: HttpRequest, user: AbstractBaseUser, answer: HttpResponse) -> HttpResponse:
    """Return the answer to who has logged in or set a password, logged out if the account was disabled meanwhile.

    The session is stored under the account's lock: whoever disables it then ends the sessions that are there (`end_sessions`).
    """
    with transaction.atomic():
        present = User.objects.select_for_update(no_key=True).filter(pk=user.pk, is_active=True).first()
        if present is not None:
            request.session.save()
    if present is None:
        logout(request)
    return answer
