"""What the files of an event's other sections, still to be sent in, say of its arbiters: who plays there, who served (6, 8)."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Q, QuerySet

from events.arbiters.lookup import entered_as_players, is_player, players_are
from events.models import Arbiter, Correction, Event, Section, Upload
from events.operations import sections_to_rate
from events.rules.corrections import ARBITER
from events.submission.persons import usable_ids
from events.submission.uploads import not_submitted
from players.merged import on_register, players_of
from players.models import Player


def playing_elsewhere(event: Event | None, section: Section | None, arbiters: Iterable[Arbiter]) -> set[int]:
    """Return the keys of arbiters who play in another section of an event than `section` (article 8).

    A section's checked file counts in place of the games that are on record. Five queries at most.
    """
    if event is None or event.pk is None:
        return set()
    arbiters = list(arbiters)
    # Hazard: a whole report may have a megabyte, and each file of an event asks for those of all others.
    parts = _other_files(event, section).filter(report__has_key="matched")
    reports = {
        of_section: {"matched": matched or (), "new": new or ()}
        for of_section, matched, new in parts.values_list("section_id", "report__matched", "report__new")
    }
    besides = [*filter(None, reports), *([section.pk] if section else [])]
    playing = entered_as_players(event, arbiters, besides=besides)
    numbers, ids = set[str](), set[tuple[str, int | None]]()
    for report in reports.values():
        numbers |= _numbers(report)
        ids |= _ids_on_lines(report)
    people = players_of(Player.objects.filter(players_are(arbiters)), numbers).values()
    players = [(player.pk, player.number, player.fide_id) for player in people]
    return playing | {
        arbiter.pk
        for arbiter in arbiters
        if any(is_player(arbiter, *player) for player in players)
        or any(is_player(arbiter, None, number, fide_id) for number, fide_id in ids)
    }


def arbiters_added(event: Event | None, section: Section | None) -> set[int]:
    """Return the keys of arbiters who, by the answers to the files of other sections, served without being appointed."""
    if event is None or event.pk is None:
        return set()
    answers = Correction.objects.filter(upload__in=_other_files(event, section), kind=ARBITER.code)
    return set(map(int, answers.values_list("key", flat=True)))


def arbiters_among(before: dict[str, Any], after: dict[str, Any]) -> bool:
    """Return whether an arbiter on the register is a player of only one of two reports on the file of a section."""
    numbers = _numbers(before) ^ _numbers(after)
    ids = _ids_on_lines(before) ^ _ids_on_lines(after)
    fide_ids = [fide_id for _, fide_id in ids if fide_id]
    people = players_of(on_register(), numbers).values()
    players = [(player.pk, player.fide_id) for player in people]
    numbers |= {player.number for player in people}
    fide_ids += [fide_id for _, fide_id in players if fide_id]
    numbers |= {number for number, _ in ids if number}
    condition = Q(player__in=[key for key, _ in players]) | Q(number__in=numbers) | Q(fide_id__in=fide_ids)
    return bool(numbers or fide_ids) and Arbiter.objects.filter(condition).exists()


def _other_files(event: Event, section: Section | None) -> QuerySet[Upload]:
    files = not_submitted(event.uploads.filter(section__in=sections_to_rate(event)))
    return files if section is None else files.exclude(section=section)


def _numbers(report: Mapping[str, Any]) -> set[str]:
    return {line["number"] for line in report.get("matched", ())}


def _ids_on_lines(report: Mapping[str, Any]) -> set[tuple[str, int | None]]:
    """Return the Chess SA ids and the FIDE ids of the lines of a report, of players matched and new."""
    return {
        *(tuple(line.get("ids", ("", None))) for line in report.get("matched", ())),
        *(usable_ids(line["national_id"], line["fide_id"]) for line in report.get("new", ())),
    } - {("", None)}
