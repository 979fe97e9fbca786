"""The calculators' pages. An entry is part of the address, so that it can be sent; nothing is stored."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from config.http_cache import versioned
from config.lib.parsing import whole_number
from players.merged import present_number
from ratings.calculators.base_form import CalculatorForm
from ratings.calculators.chessa_form import ChessaForm
from ratings.calculators.fields import FIRST_ROWS, MOST_GAMES
from ratings.calculators.parts import Part
from ratings.calculators.players import games_entry, is_published, players_of, public_section
from ratings.calculators.replay_form import make_replay_form
from ratings.calculators.suggestions import suggestions
from ratings.calculators.system_forms import CfcForm, IcuForm, UscfForm
from ratings.cases.fields import CaseError
from ratings.systems.base import RatingError


@dataclass(frozen=True, slots=True)
class Calculator:
    """A calculator: its word in addresses, the federation, its purpose, its form."""

    code: str
    name: Promise
    purpose: Promise
    form: type[CalculatorForm]


CALCULATORS = (
    Calculator(
        "chessa",
        _("Chess South Africa"),
        _(
            "What an event would do to a rating on the lists of this bureau: of yourself, or of any player on the register."
        ),
        ChessaForm,
    ),
    Calculator(
        "icu",
        _("Irish Chess Union"),
        _("A tournament with full, provisional or no rating, K-factor and bonus points."),
        IcuForm,
    ),
    Calculator(
        "uscf",
        _("US Chess"),
        _("An event by the rules of any year since 2001, with bonus, floors and the special formula for newcomers."),
        UscfForm,
    ),
    Calculator(
        "cfc",
        _("Chess Federation of Canada"),
        _("An event or a match, with bonus points for a lifetime high and for a jump."),
        CfcForm,
    ),
)
_BY_CODE = {calculator.code: calculator for calculator in CALCULATORS}
_VIEW_ONLY = ("full",)


@require_safe
@versioned
def index(request: HttpRequest) -> HttpResponse:
    """Show the list of calculators."""
    return render(request, "ratings/calculators/calculators.html", {"calculators": CALCULATORS, "here": "calculators"})


@require_safe
@versioned
def calculator(request: HttpRequest, system: str) -> HttpResponse:
    """Show a calculator, with the answer if the address has a valid entry."""
    chosen = _chosen(system)
    if request.GET.get("section") and not any(name[1:].isdigit() for name in request.GET):
        answer = _from_section(chosen, request)
        if answer is not None:
            return answer
    form = _form(chosen, request)
    link = form.link()
    if taken_away := whole_number(request.GET.get("without", ""), digits=2):
        return _to(chosen, link if form.ROWS_FIXED else form.link_without(taken_away), request, part="#games")
    if any(not value.strip() for name in request.GET if name in form.fields for value in request.GET.getlist(name)):
        return _to(chosen, link, request)
    entered = form.entered
    if not entered:
        form.leave_unchecked()
    full = request.GET.get("full") == "1"
    parts = _answer(form, full) if entered else []
    context = {
        "here": "calculators",
        "calculator": chosen,
        "calculators": CALCULATORS,
        "form": form,
        "entered": entered,
        "problems": form.problems if entered else [],
        "parts": parts,
        "full": full,
        "first_rows": FIRST_ROWS,
        "most_rows": MOST_GAMES,
        "link": link,
        "address": request.build_absolute_uri(f"{request.path}?{link}") if link else "",
    }
    return render(request, "ratings/calculators/calculator.html", context)


@require_safe
@versioned
def case_file(request: HttpRequest, system: str) -> HttpResponse:
    """Answer with the entry as a rating case."""
    form = _form(_chosen(system), request)
    if not _answer(form, False):
        raise Http404("There is nothing to calculate.")
    document = json.dumps(form.case(), ensure_ascii=False, indent=1)
    response = HttpResponse(document, content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="{system}-case.json"'
    return response


@require_safe
@versioned
def players(request: HttpRequest) -> HttpResponse:
    """Answer with JSON of the players whose name or number begins with a text, and their ratings."""
    text, period, list_code = (request.GET.get(name, "") for name in ("q", "at", "list"))
    return JsonResponse(suggestions(text, period, list_code))


def _chosen(system: str) -> Calculator:
    if system not in _BY_CODE:
        raise Http404(f"There is no calculator “{system}”.")
    return _BY_CODE[system]


def _form(chosen: Calculator, request: HttpRequest) -> CalculatorForm:
    if chosen.form is not ChessaForm and request.GET.get("section"):
        return make_replay_form(chosen.code, {name: request.GET[name] for name in request.GET})
    return chosen.form(request.GET)


def _answer(form: CalculatorForm, full: bool) -> Sequence[Part]:
    if not form.is_valid():
        return []
    try:
        return form.answer(full=full)
    except (CaseError, RatingError) as error:
        form.refuse(error)
        return []


def _from_section(chosen: Calculator, request: HttpRequest) -> HttpResponse | None:
    """Lead from a section to the entry with a player's games in it; None if it is played again as a whole.

    For a section that is on no list yet, ask whose games. Raises Http404 for a section whose results are not public, and for
    players without games in it.
    """
    section = public_section(request.GET["section"])
    if section is None:
        raise Http404("There is no section of this number with public results.")
    number = present_number(request.GET.get("player", "").strip())
    if not number and not is_published(section):
        context = {
            "here": "calculators",
            "calculator": chosen,
            "calculators": CALCULATORS,
            "section": section,
            "players": players_of(section),
        }
        return render(request, "ratings/calculators/section.html", context)
    if chosen.form is not ChessaForm and is_published(section):
        return None
    entry = games_entry(number, section, chosen.code)
    if entry is None:
        raise Http404("This player has no games in a section of this number.")
    return redirect(f"{reverse('calculators:calculator', args=[chosen.code])}?{urlencode(entry)}")


def _to(chosen: Calculator, link: str, request: HttpRequest, part: str = "") -> HttpResponse:
    kept: dict[str, Any] = {name: request.GET[name] for name in _VIEW_ONLY if request.GET.get(name)}
    query = "&".join(part for part in (link, urlencode(kept)) if part)
    address = reverse("calculators:calculator", args=[chosen.code])
    return redirect((f"{address}?{query}" if query else address) + part)
