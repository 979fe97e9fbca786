"""Rows that the admin's pages show beneath an event, a section or a submission."""

from django.contrib import admin

from events.admin_scope import ReadOnlyInline
from events.models import AbroadLink, Game


class SenderInline(ReadOnlyInline):
    """Who sent in an event abroad by a mailed link. Addresses are for officers alone."""

    model = AbroadLink
    verbose_name_plural = "sent in by mailed link"
    fields = ("at", "sender", "player", "address")
    readonly_fields = fields


class GameAbroadInline(ReadOnlyInline):
    """The games of an event abroad, to be compared with the official results."""

    model = Game
    fields = ("round", "white", "black", "opponent", "result")
    readonly_fields = fields

    @admin.display(description="opponent abroad")
    def opponent(self, row: Game) -> str:
        """His name, federation, FIDE id, and what he counts at before it is adjusted."""
        guest = row.guest
        if guest is None:
            return ""
        rated = f"FIDE {guest.fide_rating}" if guest.fide_rating is not None else f"performance {guest.performance}"
        number = f"id {guest.fide_id}" if guest.fide_id else "no FIDE id"
        known = f"on the register {guest.player.number}" if guest.player else ""
        return ", ".join(part for part in (guest.name, guest.federation, number, rated, known) if part)
