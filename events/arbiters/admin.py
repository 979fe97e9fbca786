"""Admin pages for arbiters, their fees and accounts, and for import and export of the AOC's list."""

from collections.abc import Iterator
from datetime import date
from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.core import signing
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Prefetch, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.shortcuts import render
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html

from accounts.forms import AppointForm
from accounts.mails import invite
from accounts.models import User
from accounts.operations import AccountError
from accounts.permissions import acting_user
from accounts.trail.admin_base import ChangeReasonForm, TrailAdmin
from config.lib import formatting
from config.lib.admin import RecordedAdmin, waiting_filter
from config.lib.forms import PersonNameField, ShownErrors
from config.lib.shown import is_shown
from events.arbiters.operations import link_arbiter, unlink_arbiter
from events.files.aoc_list import LIST_COLUMNS, MAX_LIST_BYTES, AocList, read_aoc_list
from events.files.arbiters import ARBITER_TITLES
from events.models import Arbiter, Event, Fee, Membership
from events.readings.queries import reading, readings
from events.rules.fees import LICENCE_YEAR_BEGINS, asks_fee, fee_year, fee_year_label, is_covered, payment_errors
from events.rules.findings import Finding, Severity
from events.waiting import COMING, UNPAID_WITHIN, unpaid_appointments, unpaid_arbiters, unpaid_in_a_year
from players.identity import fide_id_problem
from players.merged import lock_bearers
from players.models import Player
from players.pseudonyms import is_pseudonym

# The import of lists is loaded where it is used: its libraries would take a sixth of the time in which each process starts.
if TYPE_CHECKING:
    from events.arbiters.import_list import ImportPreview

_SALT, _ONE_DAY = "events.arbiters.queries.list", 86_400


class ListForm(ShownErrors, forms.Form):
    """The upload of the AOC's list."""

    file = forms.FileField(
        label="List", allow_empty_file=True, widget=forms.ClearableFileInput(attrs={"accept": ".csv,.txt,text/csv"})
    )

    def clean_file(self) -> Any:
        """Refuse a file that is larger than a list can be."""
        file = self.cleaned_data["file"]
        if file.size > MAX_LIST_BYTES:
            raise forms.ValidationError(
                f"The file has {file.size:,} bytes; a list has at most {MAX_LIST_BYTES:,}. Is it the list?"
            )
        return file


class ArbiterForm(ChangeReasonForm):
    """An arbiter. His ids and fees decide articles 7 and 8, so a change needs a reason."""

    class Meta:
        field_classes: ClassVar = {"name": PersonNameField}

    def clean(self) -> dict[str, Any]:
        """Refuse a name for whose data was erased, by his Chess SA id, as the player, or as the arbiter that he was."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if is_pseudonym(self.initial.get("name", "")) and "name" in self.changed_data:
            raise forms.ValidationError(
                "The data of this arbiter was erased at his wish, and his events would be under the name again. If he asks to"
                " be an arbiter, add a new one without the Chess SA id and the player."
            )
        if problem := fide_id_problem(cleaned.get("fide_id")):
            self.add_error("fide_id", problem)
        player, number = cleaned.get("player"), cleaned.get("number")
        lock_bearers([number or "", player.number if player else ""])
        erased = Player.objects.exclude(erased_at=None).filter(Q(number=number or None) | Q(pk=player and player.pk))
        if cleaned.get("name") and not is_pseudonym(cleaned["name"]) and erased.exists():
            raise forms.ValidationError(
                "This is a player whose data was erased at his wish. If he asks to be an arbiter, add a new one without the"
                " Chess SA id and the player."
            )
        return cleaned


class MembershipForm(ShownErrors, forms.ModelForm):
    """A paid fee."""

    class Meta:
        model = Membership
        fields = ("fee", "year", "paid_on")

    def clean_paid_on(self) -> date:
        """Refuse an implausible day or one in the future."""
        day: date = self.cleaned_data["paid_on"]
        for error in payment_errors(day, today=timezone.localdate()):
            raise forms.ValidationError(error.message)
        return day

    def clean(self) -> dict[str, Any]:
        """Refuse a fee that is on record by now; one of that moment is found when the page looks again (`TrailAdmin`)."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        fee: dict[str, Any] = {name: cleaned[name] for name in ("fee", "year") if name in cleaned}
        paid = Membership.objects.filter(arbiter=self.instance.arbiter_id, **fee).exclude(pk=self.instance.pk)
        if len(fee) == 2 and paid.exists():
            raise forms.ValidationError("This fee is on record for the year already: look at the page as it is.")
        return cleaned


class MembershipInline(admin.TabularInline):
    """An arbiter's paid fees."""

    model = Membership
    form = MembershipForm
    extra = 0


@admin.register(Arbiter)
class ArbiterAdmin(TrailAdmin, RecordedAdmin):
    """Arbiters, with pages for the account and for the AOC's list."""

    form = ArbiterForm
    list_display: Any = (
        "name",
        "short_title",
        "number",
        "fide_id",
        "membership",
        "licence",
        "unpaid_before",
        "account",
    )
    list_filter = (
        waiting_filter(
            arbiters=(f"unpaid before an event of the next {UNPAID_WITHIN.days} days", unpaid_arbiters),
            year=("unpaid before an event of the coming year", unpaid_in_a_year),
        ),
        "title",
        "federation",
    )
    search_fields = ("name", "number", "=fide_id")
    autocomplete_fields = ("player",)
    fields: ClassVar[Any] = ("name", "title", "number", "fide_id", "federation", "player", "user")
    readonly_fields = ("user",)
    inlines = (MembershipInline,)
    change_list_template = "admin/events/arbiter/change_list.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Arbiter]:
        """Return the arbiters with fees, accounts, the AOC's year, and appointments at coming events with a fee unpaid."""
        rows: QuerySet[Arbiter] = super().get_queryset(request)
        rows = rows.select_related("user").annotate(aoc_year_begins=reading("aoc_year_begins"))
        if not self.has_change_permission(request):
            return rows
        unpaid = unpaid_appointments(timezone.localdate(), within=COMING).select_related("event")
        coming = Prefetch("appointments", unpaid.order_by("event__starts", "event"), to_attr="unpaid")
        return rows.prefetch_related("memberships", coming)

    def get_list_display(self, request: HttpRequest) -> Any:
        """Hide payments and accounts from users who may not change arbiters."""
        return self.list_display if self.has_change_permission(request) else self.list_display[:-4]

    def get_list_filter(self, request: HttpRequest) -> Any:
        """Hide the filter by payments from users who may not change arbiters."""
        return self.list_filter if self.has_change_permission(request) else self.list_filter[1:]

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Refuse, from users who may not change arbiters, an address that asks for accounts or payments."""
        hidden = lookup.partition("__")[0] in ("user", "memberships") and not self.has_change_permission(request)
        return not hidden and super().lookup_allowed(lookup, value, request)

    def get_fields(self, request: HttpRequest, obj: Arbiter | None = None) -> Any:
        """Hide the account from users who may not change arbiters."""
        fields = super().get_fields(request, obj)
        return fields if self.has_change_permission(request) else [name for name in fields if name != "user"]

    @admin.display(description="title", ordering="title")
    def short_title(self, arbiter: Arbiter) -> str:
        """Return the title's code."""
        return arbiter.title

    @admin.display(description="AOC fee")
    def membership(self, arbiter: Any) -> str:
        """Return whether the AOC's fee of the current fee year is paid."""
        return _fee_text(arbiter, Fee.AOC, begins=arbiter.aoc_year_begins)

    @admin.display(description="FIDE licence")
    def licence(self, arbiter: Arbiter) -> str:
        """Return whether FIDE's licence fee of the current calendar year is paid."""
        return _fee_text(arbiter, Fee.FIDE, begins=LICENCE_YEAR_BEGINS)

    @admin.display(description="unpaid before")
    def unpaid_before(self, arbiter: Any) -> str:
        """Return the next event of the coming year at which the arbiter serves and that asks for a fee he has not paid."""
        if not arbiter.unpaid:
            return "–"
        event = arbiter.unpaid[0].event
        address = reverse("admin:events_event_review", args=[event.pk])
        missing = " and ".join(_missing_fees(arbiter, event))
        return format_html('<a href="{}">{}</a>, {}: {}', address, event.name, formatting.day(event.starts), missing)

    @admin.display(description="account")
    def account(self, arbiter: Arbiter) -> str:
        """Return whether the arbiter has an account."""
        return "yes" if arbiter.user_id else "–"

    def get_urls(self) -> list[URLPattern]:
        """Add the pages of the account and of the list."""
        pages = (
            ("import/", self.import_view, "import"),
            ("export/", self.export_view, "export"),
            ("<path:object_id>/account/", self.account_view, "account"),
        )
        own = [
            path(route, self.admin_site.admin_view(view), name=f"events_arbiter_{name}") for route, view, name in pages
        ]
        return [*own, *super().get_urls()]

    def account_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Link an arbiter to an account and send the invitation, unlink it, or send the invitation again."""
        by = acting_user(request)
        if not by.has_perm("events.invite_arbiter"):
            raise PermissionDenied
        arbiter = self.get_object(request, object_id)
        if arbiter is None:
            raise Http404("There is no such arbiter.")
        form = AppointForm(request.POST if "link" in request.POST else None)
        arbiter_page = HttpResponseRedirect(reverse("admin:events_arbiter_change", args=[arbiter.pk]))
        shown = str(arbiter.user_id or "")
        try:
            if not is_shown(request, shown):
                raise AccountError(
                    "Another has linked an account meanwhile, or taken it away: this is how it stands now."
                )
            if "unlink" in request.POST:
                user = unlink_arbiter(arbiter, at=timezone.now(), by=by)
                self.log_change(request, arbiter, f"Took the account {user.email} away.")
                self.message_user(
                    request, f"{user.email} is no longer the account of {arbiter.name}.", messages.SUCCESS
                )
                return arbiter_page
            if "invite" in request.POST and arbiter.user:
                self._invite(request, arbiter, arbiter.user)
                return arbiter_page
            if form.is_bound and form.is_valid():
                with transaction.atomic():
                    user = link_arbiter(arbiter, **form.cleaned_data, at=timezone.now(), by=by)
                    arbiter.refresh_from_db(fields=["name"])
                    self.log_change(request, arbiter, f"Gave him the account {user.email}.")
                    self.message_user(request, f"{user.email} is the account of {arbiter.name}.", messages.SUCCESS)
                    self._invite(request, arbiter, user)
                return arbiter_page
        except AccountError as error:
            if form.is_bound:
                form.add_error("email", str(error))
            else:
                self.message_user(request, str(error), messages.ERROR)
        context = {"title": f"Account of {arbiter.name}", "arbiter": arbiter, "form": form, "shown": shown}
        return self._page(request, "account", context)

    def _invite(self, request: HttpRequest, arbiter: Arbiter, user: User) -> None:
        if not user.is_active:
            raise AccountError(f"The account {user.email} is disabled. Enable it first, under Users.")
        invite(request, user, arbiter=arbiter)

    def import_view(self, request: HttpRequest) -> HttpResponse:
        """Import the AOC's list: upload it, show the differences, write them after confirmation."""
        if not (self.has_add_permission(request) and self.has_change_permission(request)):
            raise PermissionDenied
        if "confirm" in request.POST:
            return self._write_list(request)
        form = ListForm(request.POST, request.FILES) if request.method == "POST" else ListForm()
        if not form.is_valid():
            return self._list_page(request, form, status=422 if form.errors else 200)
        return self._preview(request, form.cleaned_data["file"].read())

    def export_view(self, request: HttpRequest) -> HttpResponse:
        """Answer with all arbiters and their fees as CSV."""
        if not self.has_change_permission(request):
            raise PermissionDenied
        if request.method not in ("GET", "HEAD"):
            return HttpResponseNotAllowed(["GET", "HEAD"])
        from events.arbiters.import_list import export_arbiters

        answer = HttpResponse(
            export_arbiters(self.get_queryset(request).order_by("name", "pk")), content_type="text/csv; charset=utf-8"
        )
        answer["Content-Disposition"] = f'attachment; filename="arbiters-{timezone.localdate():%Y-%m-%d}.csv"'
        return answer

    def _preview(self, request: HttpRequest, content: bytes, *, stale: bool = False) -> HttpResponse:
        from events.arbiters.import_list import preview_import

        listed = _read(content)
        if listed.errors:
            return self._list_page(request, ListForm(), errors=listed.errors, status=422)
        preview = preview_import(listed, at=timezone.now(), by=acting_user(request))
        if preview.errors:
            return self._list_page(request, ListForm(), errors=preview.errors, status=422)
        context: dict[str, Any] = {
            "preview": preview,
            "notes": [finding for finding in listed.findings if finding.severity is Severity.NOTE],
            # The page carries the list, signed, so that no file is stored and any server process can import it.
            "content": signing.dumps(content.decode("latin-1"), salt=_salt(request), compress=True),
            "stale": stale,
        }
        return self._list_page(request, ListForm(), **context)

    def _write_list(self, request: HttpRequest) -> HttpResponse:
        from events.arbiters.import_list import write_list

        try:
            signed_text = signing.loads(request.POST.get("content", ""), salt=_salt(request), max_age=_ONE_DAY)
        except signing.BadSignature:
            message = "The list that was shown is more than a day old, or not whole. Choose it again."
            expired = Finding(Severity.ERROR, "list-expired", message)
            return self._list_page(request, ListForm(), errors=[expired], status=422)
        content = signed_text.encode("latin-1")
        listed, seen = _read(content), request.POST.get("seen", "")
        done = None if listed.errors else write_list(listed, seen, at=timezone.now(), by=acting_user(request))
        if done is None:
            return self._preview(request, content, stale=True)
        for arbiter in {arbiter.pk: arbiter for arbiter in done.written}.values():
            self.log_change(request, arbiter, "Taken from the AOC’s list.")
        self.message_user(request, f"The list is taken: {_counted(done)}.", messages.SUCCESS)
        return HttpResponseRedirect(reverse("admin:events_arbiter_changelist"))

    def _list_page(self, request: HttpRequest, form: ListForm, *, status: int = 200, **more: Any) -> HttpResponse:
        begins = readings().aoc_year_begins
        context = {
            "title": "Import the AOC’s list of arbiters",
            "form": form,
            "columns": LIST_COLUMNS,
            "titles": ARBITER_TITLES.items(),
            "year": fee_year_label(fee_year(timezone.localdate(), begins=begins), begins=begins),
            **more,
        }
        return self._page(request, "import", context, status=status)

    def _page(self, request: HttpRequest, name: str, context: dict[str, Any], status: int = 200) -> HttpResponse:
        page_context = {**self.admin_site.each_context(request), "opts": self.opts, **context}
        return render(request, f"admin/events/arbiter/{name}.html", page_context, status=status)


def _fee_text(arbiter: Arbiter, fee: Fee, *, begins: int) -> str:
    """Return the current year of a fee, and whether it is paid."""
    if not asks_fee(arbiter.federation):
        return "not asked"
    year = fee_year(timezone.localdate(), begins=begins)
    paid = any(row.year == year and row.fee == fee for row in arbiter.memberships.all())
    return f"{fee.upper()} {fee_year_label(year, begins=begins)} {'paid' if paid else 'not paid'}"


def _missing_fees(arbiter: Any, event: Event) -> Iterator[str]:
    """Yield the fees that an event asks for and that the arbiter has not paid before it, with their years."""
    for fee, begins in ((Fee.AOC, arbiter.aoc_year_begins), (Fee.FIDE, LICENCE_YEAR_BEGINS)):
        paid = [(row.year, row.paid_on) for row in arbiter.memberships.all() if row.fee == fee]
        asked = fee == Fee.AOC or event.fide_rated
        if asked and not is_covered(arbiter.federation, paid, event.starts, begins=begins):
            yield f"{fee.label} {fee_year_label(fee_year(event.starts, begins=begins), begins=begins)}"


def _read(content: bytes) -> AocList:
    return read_aoc_list(content, begins=readings().aoc_year_begins, today=timezone.localdate())


def _salt(request: HttpRequest) -> str:
    return f"{_SALT}.{acting_user(request).pk}"


def _counted(done: "ImportPreview") -> str:
    new = sum(difference.new for difference in done.differences)
    alike = formatting.count(done.unchanged, "line")
    return f"{new} new, {len(done.differences) - new} changed, {alike} without a difference"
