"""The desk of a person's data: everything that is kept, to take away; its erasure; and whose data was erased."""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone

from accounts.permissions import acting_user
from config.lib.admin import never
from events.rules.states import EventError
from players.models import Player
from ratings.models import Erasure
from ratings.personal_data.erasure.hindrances import hindrance
from ratings.personal_data.erasure.operations import erase_player
from ratings.personal_data.erasure.person import evidence_beside, person_of
from ratings.personal_data.export import export, of_player, record_export, zip_answer
from ratings.personal_data.forms import ErasureForm


@admin.register(Erasure)
class ErasureAdmin(admin.ModelAdmin):
    """Whose data was erased; a player's data as a zip, and its erasure."""

    list_display = ("pseudonym", "at", "by", "reason")
    search_fields = ("pseudonym", "player__number")
    search_help_text = "Pseudonym, or the Chess SA id that he had."
    fields = ("player", "pseudonym", "at", "by", "reason")
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

    def person_view(self, request: HttpRequest, player: int) -> HttpResponse:
        """Show what is kept of a player, and what an erasure takes and leaves; erase it. Raises PermissionDenied, Http404."""
        by = acting_user(request)
        if not by.has_perm("ratings.erase_player"):
            raise PermissionDenied
        row = _player(player)
        form = ErasureForm(row, request.POST if request.method == "POST" else None)
        if form.is_bound and form.is_valid():
            try:
                erasure = erase_player(row, at=timezone.now(), by=by, reason=form.cleaned_data["reason"])
            except EventError as error:
                form.add_error(None, f"{error}.")
            else:
                text = f"The data is erased. He is {erasure.pseudonym} from now on; the files of his months are made again."
                self.message_user(request, text, messages.SUCCESS)
                return HttpResponseRedirect(reverse("admin:ratings_erasure_change", args=[erasure.pk]))
        person = person_of(row)
        context = {
            **self.admin_site.each_context(request),
            "title": f"Personal data of {row}",
            "opts": self.opts,
            "player": row,
            "merged": person.players[1:],
            "arbiters": person.arbiters,
            "users": person.users,
            "sections": len(person.named_in),
            "evidence": evidence_beside(person),
            "kept": of_player(row),
            "refused": hindrance(row),
            "form": form,
        }
        status = 422 if form.is_bound else 200
        return TemplateResponse(request, "admin/ratings/erasure/person.html", context, status=status)

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
