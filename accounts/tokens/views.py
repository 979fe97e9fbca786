"""The page of a user's tokens."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.models import Token
from accounts.permissions import acting_user
from accounts.tokens.forms import TokenForm
from accounts.tokens.operations import TokenError, make_token, withdraw_token


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def tokens(request: HttpRequest) -> HttpResponse:
    """Show the user's tokens, and make one: the answer to that shows its secret, once."""
    user, now, today, secret = acting_user(request), timezone.now(), timezone.localdate(), ""
    form = TokenForm(request.POST if request.method == "POST" else None, today=today)
    if form.is_valid():
        name, last_day = form.cleaned_data["name"], form.cleaned_data["last_day"]
        try:
            _, secret = make_token(user, name=name, scopes=form.chosen, last_day=last_day, at=now, today=today)
            form = TokenForm(today=today)
        except TokenError as error:
            form.add_error(None, str(error))
    context = {
        "here": "account",
        "problems": form.problems(),
        "form": form,
        "secret": secret,
        "today": today,
        "rows": Token.objects.filter(user=user, withdrawn_at=None),
    }
    status = 422 if form.is_bound else 200
    return render(request, "accounts/tokens/tokens.html", context, status=status)


@login_required
@never_cache
@require_POST
def withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    """Withdraw a token of the user's."""
    user = acting_user(request)
    token = get_object_or_404(Token, pk=pk, user=user)
    try:
        withdraw_token(token, at=timezone.now(), by=user)
        messages.success(
            request, gettext("The token “%(name)s” is withdrawn: it opens nothing any more.") % {"name": token.name}
        )
    except TokenError as error:
        messages.error(request, str(error))
    return redirect("accounts:tokens")
