"""The desk of players who are twice on the register, and of those who are two people."""

from collections.abc import Sequence
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone

from accounts.permissions import acting_user
from accounts.trail.admin_base import trail_address
from config.lib.admin import never
from config.lib.shown import is_shown, row_version
from config.lib.waking import say_kept
from events.periods import lock_periods
from events.rules.states import EventError
from players.models import Player
from players.operations import NewPlayer, hide_player, register_players
from ratings.duplicates.comparison import comparison, sections_of
from ratings.duplicates.forms import MergeForm, PairForm, ReasonOnlyForm, SplitForm
from ratings.duplicates.operations import tell_apart
from ratings.duplicates.queries import duplicates
from ratings.models import Amendment, Merge
from ratings.periods import RunError
from ratings.rerating.merges import first_month_of, merge_players, undo_merge
from ratings.rerating.operations import start_rerating
from ratings.rerating.splits import split_player
from ratings.rerating.tasks import wake_rerating


@admin.register(Merge)
class MergeAdmin(admin.ModelAdmin):
    """Merges of players: likely duplicates, two players side by side, undo; and the split of a player."""

    list_display = ("old", "new", "state", "reason", "by", "at")
    list_select_related = ("old", "new", "by")
    search_fields = ("old__number", "new__number", "old__folded_name", "new__folded_name")
    fields = ("old", "new", "state", "reason", "by", "at", "applied_at", "undone_at")
    readonly_fields = fields
    change_list_template = "admin/ratings/merge/change_list.html"
    change_form_template = "admin/ratings/merge/merge.html"
    has_delete_permission = has_change_permission = never

    def get_urls(self) -> list[URLPattern]:
        """Add the pages beside the list of merges."""
        pages = (
            ("duplicates/", self.duplicates_view, "duplicates"),
            ("split/<int:player>/", self.split_view, "split"),
            ("<int:merge>/decide/", self.decide_view, "decide"),
        )
        return [
            *(
                path(route, self.admin_site.admin_view(view), name=f"ratings_merge_{name}")
                for route, view, name in pages
            ),
            *super().get_urls(),
        ]

    def duplicates_view(self, request: HttpRequest) -> HttpResponse:
        """List who may be on the register twice; remember those who are two people."""
        self._require_right(request)
        if request.method == "POST":
            form = PairForm(request.POST)
            if form.is_valid():
                pair = tell_apart(**_pair(form), at=timezone.now(), by=acting_user(request))
                self.message_user(request, f"{pair} are two people; they are not listed again.", messages.SUCCESS)
            else:
                self.message_user(request, "One of the two is on the register no more.", messages.ERROR)
            return HttpResponseRedirect(request.path)
        context = {"title": "Likely duplicates", "duplicates": duplicates()}
        return self._page(request, "admin/ratings/merge/duplicates.html", context)

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """Choose two players; show them side by side; merge them."""
        self._require_right(request)
        asked = {"old", "new"} <= request.GET.keys()
        pair = PairForm(request.GET if asked else None, initial=request.GET.dict())
        context: dict[str, Any] = {"title": "Merge two players", "pair": pair}
        if not pair.is_bound or not pair.is_valid():
            return self._page(request, "admin/ratings/merge/choose.html", context)
        old, new = pair.cleaned_data["old"], pair.cleaned_data["new"]
        shown = comparison(old, new)
        form = MergeForm(request.POST if request.method == "POST" else None, fields=shown.fields, doubt=shown.doubt)
        versions = f"{row_version(old)}-{row_version(new)}"
        if not is_shown(request, versions):
            form.add_error(None, "One of the two was changed by another meanwhile: compare them again.")
        if form.is_bound and form.is_valid():
            try:
                merge = merge_players(
                    old,
                    new,
                    reason=form.cleaned_data["reason"],
                    at=timezone.now(),
                    by=acting_user(request),
                    taken=form.taken,
                    sure=form.cleaned_data.get("sure", False),
                )
            except EventError as error:
                form.add_error(None, str(error))
            else:
                text = "They are one player now." if merge.applied_at else "Proposed: calculate what it changes, below."
                self.message_user(request, text, messages.SUCCESS)
                return HttpResponseRedirect(reverse("admin:ratings_merge_change", args=[merge.pk]))
        context |= {
            "shown": shown,
            "versions": versions,
            "sides": (shown.old, shown.new),
            "ratings": zip(shown.lists, shown.old.ratings, shown.new.ratings, strict=True),
            "form": form,
            "choices": [(row, form[f"take-{row.code}"]) for row in form.rows],
            "others": [field for field in form if not field.name.startswith("take-")],
        }
        return self._page(request, "admin/ratings/merge/compare.html", context)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show a merge, and what can be decided about it."""
        merge = self.get_object(request, object_id)
        context = {**(extra_context or {}), **(self._decisions(merge) if merge else {})}
        return super().change_view(request, object_id, form_url, context)

    def decide_view(self, request: HttpRequest, merge: int) -> HttpResponse:
        """Undo a merge, or have what it changes calculated."""
        self._require_right(request)
        row = Merge.objects.select_related("old", "new").filter(pk=merge).first()
        if row is None:
            raise Http404("There is no such merge.")
        page = HttpResponseRedirect(reverse("admin:ratings_merge_change", args=[row.pk]))
        if request.method != "POST":
            return page
        form = ReasonOnlyForm(request.POST)
        reason = form.cleaned_data["reason"] if form.is_valid() else ""
        try:
            if "calculate" in request.POST:
                return self._calculate(request, row)
            undo_merge(row, reason=reason, at=timezone.now(), by=acting_user(request))
            text = "They are two players again." if row.applied_at else "The merge is given up; they stay two players."
            self.message_user(request, text, messages.SUCCESS)
        except (EventError, RunError) as error:
            self.message_user(request, f"Nothing was changed: {error}", messages.ERROR)
        return page

    def split_view(self, request: HttpRequest, player: int) -> HttpResponse:
        """Say which sections of a player are another person's."""
        self._require_right(request)
        row = Player.objects.filter(pk=player, merged_into=None).first()
        if row is None:
            raise Http404("There is no such player on the register.")
        data = request.POST if request.method == "POST" else None
        records = list(Player.objects.filter(merged_into=row, erased_at=None).order_by("pk"))
        form = SplitForm(data, player=row, sections=sections_of(row), records=records)
        if form.is_bound and form.is_valid():
            try:
                return self._split(request, row, form)
            except EventError as error:
                form.add_error(None, str(error))
        context = {"title": f"Split {row}", "player": row, "form": form}
        return self._page(request, "admin/ratings/merge/split.html", context)

    def _split(self, request: HttpRequest, player: Player, form: SplitForm) -> HttpResponse:
        cleaned, now, by = form.cleaned_data, timezone.now(), acting_user(request)
        with transaction.atomic():
            other = cleaned["other"]
            if other is None:
                lock_periods()  # before players, as `split_player` does
                person = _new_player(cleaned["last_name"], cleaned["first_name"], player, form.chosen_records)
                (other,) = register_players([person], at=now)
                if player.hidden_since is not None:
                    hide_player(other, since=player.hidden_since, at=now, by=by, reason=cleaned["reason"])
            split = split_player(
                player,
                other,
                form.chosen,
                reason=cleaned["reason"],
                at=now,
                by=by,
                records=form.chosen_records,
            )
        if form.chosen_records:
            names = ", ".join(map(str, form.chosen_records))
            self.message_user(request, f"{names}: leads to {other} now.", messages.SUCCESS)
        if split.moved:
            names = ", ".join(map(str, split.moved))
            self.message_user(request, f"{names}: played by {other} now.", messages.SUCCESS)
        if split.amendments:
            names = ", ".join(str(amendment.section) for amendment in split.amendments)
            text = f"{names}: published, and so amended; nothing changes there before a re-rating is published."
            self.message_user(request, text, messages.WARNING)
        return HttpResponseRedirect(reverse("admin:players_player_change", args=[other.pk]))

    def _decisions(self, merge: Merge) -> dict[str, Any]:
        waits = merge.applied_at is None and merge.undone_at is None
        first = first_month_of([merge]) if waits and merge.rerating_id is None else None
        return {
            "merge": merge,
            "waits": waits,
            "first": first,
            "can_undo": merge.undone_at is None and merge.rerating_id is None,
            "form": ReasonOnlyForm(),
            "trail": trail_address(merge.new),
        }

    def _calculate(self, request: HttpRequest, merge: Merge) -> HttpResponse:
        amendments = list(Amendment.objects.filter(Amendment.OPEN, section__in=merge.sections))
        rerating = start_rerating(None, amendments, reason=merge.reason, at=timezone.now(), by=acting_user(request))
        wake_rerating(rerating, say_kept(request))
        return HttpResponseRedirect(reverse("admin:ratings_rerating_change", args=[rerating.pk]))

    def _require_right(self, request: HttpRequest) -> None:
        if not self.has_add_permission(request):
            raise PermissionDenied

    def _page(self, request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
        context = {**self.admin_site.each_context(request), "opts": self.opts, **context}
        return TemplateResponse(request, template, context)


def _new_player(last_name: str, first_name: str, player: Player, records: Sequence[Player]) -> NewPlayer:
    """Return the data of who is split off a player: what a record of his says, or that he is of the player's region."""
    if not records:
        return NewPlayer(last_name, first_name, region=player.region)
    record = records[0]
    return NewPlayer(
        last_name,
        first_name,
        birth_date=record.birth_date,
        birth_year=record.birth_year,
        sex=record.sex,
        title=record.title.code if record.title else "",
        region=record.region,
        federation=record.federation,
        club=record.club,
    )


def _pair(form: PairForm) -> dict[str, Player]:
    return {"one": form.cleaned_data["old"], "other": form.cleaned_data["new"]}
