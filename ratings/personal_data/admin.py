"""The desk of a person's data: everything that is kept, to take away; its erasure; and whose data was erased or is to be."""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone

from accounts.models import User
from accounts.permissions import acting_user
from accounts.trail.operations import key_of
from config.lib.admin import never
from config.lib.waking import say_kept
from events.rules.states import EventError
from players.models import Player
from ratings.models import Erasure
from ratings.personal_data.erasure.hindrances import busy, hindrance
from ratings.personal_data.erasure.jobs import ask_for_erasure, withdraw_erasure
from ratings.personal_data.erasure.names_of_person import namesakes
from ratings.personal_data.export import export, of_player, record_export, zip_answer
from ratings.personal_data.forms import ErasureForm
from ratings.personal_data.person import evidence_beside, person_of
from ratings.personal_data.tasks import wake_eraser


@admin.register(Erasure)
class ErasureAdmin(admin.ModelAdmin):
    """Whose data was erased or is to be; a player's data as a zip, and its erasure."""

    list_display = ("person", "state", "asked_at", "at", "by", "reason")
    list_select_related = ("player", "by")
    list_filter = ("state",)
    search_fields = ("pseudonym", "player__number")
    search_help_text = "Pseudonym, or the Chess SA id that he had."
    fields = ("player", "pseudonym", "state", "error", "asked_at", "at", "by", "reason")
    readonly_fields = fields
    has_add_permission = has_change_permission = has_delete_permission = never

    def get_urls(self) -> list[URLPattern]:
        """Add the pages of a player's data."""
        pages = (
            ("players/<int:player>/", self.person_view, "person"),
            ("players/<int:player>/export/", self.export_view, "export"),
        )
        return [
            *(
                path(route, self.admin_site.admin_view(view), name=f"ratings_erasure_{name}")
                for route, view, name in pages
            ),
            *super().get_urls(),
        ]

    @admin.display(description="player", ordering="pseudonym")
    def person(self, erasure: Erasure) -> str:
        """Show by the pseudonym who was erased, by his name who is to be."""
        return erasure.pseudonym or str(erasure.player)

    def person_view(self, request: HttpRequest, player: int) -> HttpResponse:
        """Show what is kept of a player, and what an erasure takes and leaves; ask for it, and show how far it is.

        Raises PermissionDenied, Http404.
        """
        by = acting_user(request)
        if not by.has_perm("ratings.erase_player"):
            raise PermissionDenied
        row = _player(player)
        if request.POST.get("do") == "withdraw":
            return self._withdraw(request, row, by)
        form = ErasureForm(row, request.POST if request.method == "POST" else None)
        if form.is_bound and form.is_valid():
            try:
                shown = request.POST.get("shown", "").split(",")
                asked = ask_for_erasure(
                    row, at=timezone.now(), by=by, reason=form.cleaned_data["reason"], shown=list(filter(None, shown))
                )
            except EventError as error:
                form.add_error(None, f"{error}.")
            else:
                wake_eraser(asked, say_kept(request))
                return HttpResponseRedirect(request.path)
        erasure = Erasure.objects.filter(player=row).select_related("by").first()
        context = {
            **self.admin_site.each_context(request),
            "title": f"Personal data of {row}",
            "opts": self.opts,
            "player": row,
            "erasure": erasure,
            "form": form,
        }
        if erasure is not None and erasure.state == Erasure.State.WAITING:
            context["busy"] = busy()
        else:
            if "HX-Request" in request.headers:  # the page that waited for it
                return HttpResponse(headers={"HX-Refresh": "true"})
            person = person_of(row)
            context |= {
                "merged": person.players[1:],
                "arbiters": person.arbiters,
                "users": person.users,
                "sections": len(person.named_in),
                "evidence": evidence_beside(person),
                "namesakes": [f"{row._meta.verbose_name} {row}" for row in namesakes(person)],
                "kept": of_player(row),
                "refused": hindrance(row),
                "shown": ",".join(map(key_of, person.rows)),
            }
        status = 422 if form.is_bound else 200
        return TemplateResponse(request, "admin/ratings/erasure/person.html", context, status=status)

    def _withdraw(self, request: HttpRequest, player: Player, by: User) -> HttpResponse:
        try:
            withdraw_erasure(player, at=timezone.now(), by=by)
        except EventError as error:
            self.message_user(request, f"{error}.", messages.ERROR)
        else:
            self.message_user(request, "The erasure is taken back: nothing was erased.", messages.SUCCESS)
        return HttpResponseRedirect(request.path)

    def export_view(self, request: HttpRequest, player: int) -> HttpResponse:
        """Answer with everything that is kept of a player, as a zip. Raises PermissionDenied, Http404."""
        by = acting_user(request)
        if not by.has_perm("ratings.export_person"):
            raise PermissionDenied
        row = _player(player)
        if request.method != "POST":
            return HttpResponseRedirect(reverse("admin:ratings_erasure_person", args=[row.pk]))
        now, kept = timezone.now(), of_player(row)
        record_export(row, kept, at=now, by=by)
        return zip_answer(export(kept, str(row), at=now), f"personal-data-{row.number}.zip")

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show an erasure under the pseudonym."""
        return super().change_view(request, object_id, form_url, {"title": "Erasure", **(extra_context or {})})


def _player(key: int) -> Player:
    player = Player.objects.filter(pk=key).first()
    if player is None:
        raise Http404("There is no such player.")
    return player
