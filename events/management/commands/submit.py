"""`manage.py submit`: register an event, submit its file, and, if asked, accept it."""

import argparse
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction
from django.utils import timezone

from config.lib import formatting
from config.lib.names import unseen
from events.management.options import minutes, start_and_id
from events.models import Event, Format, Section
from events.operations import EventError, accept_event
from events.rules.states import UnansweredError
from events.submission.recording import resubmit, submit_new_event
from events.submission.validation import SectionFile, ValidatedFile, validate_file
from players.models import Region


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"“{text}” is not a date: write it as 2024-03-29") from None


class Command(BaseCommand):
    """Print the findings; exit status 1, and nothing saved, when one of them blocks."""

    help = "Submit a tournament file as an event of one section."
    requires_system_checks: list[str] = []  # they load every page

    def add_arguments(self, parser: CommandParser) -> None:
        """The file, and what the file does not say."""
        parser.add_argument("file", type=Path)
        parser.add_argument("--region", help="code of the host region, as GAU")
        parser.add_argument(
            "--section", type=int, help="the returned section that this file corrects, instead of a region"
        )
        parser.add_argument("--base", required=True, type=minutes, help="base time in minutes")
        parser.add_argument("--increment", default=0, type=minutes, help="seconds a move")
        parser.add_argument(
            "--control-reason",
            default="",
            help="why this time control counts in all games, where the file states another (articles 21, 22)",
        )
        parser.add_argument("--organiser", default="", help="name of the Chief Organiser (article 13.5)")
        parser.add_argument("--organiser-id", default="", help="the Chief Organiser’s Chess SA id")
        parser.add_argument("--started", type=_day, help="first day; default: what the file says")
        parser.add_argument("--ended", type=_day, help="last day; default: what the file says")
        parser.add_argument("--name", default="", help="name of the event; default: what the file says")
        parser.add_argument("--format", choices=Format.values, default=Format.SWISS)
        parser.add_argument(
            "--match", type=start_and_id, action="append", default=[], metavar="START=ID", help="who a line is"
        )
        parser.add_argument(
            "--create-players", action="store_true", help="whoever is not certainly known is a new player"
        )
        parser.add_argument("--accept", action="store_true", help="accept it for rating, findings on hold included")
        parser.add_argument(
            "--late-reason",
            default="",
            help="why the bureau takes in an event that is registered after the last day (articles 12.2, 60)",
        )
        parser.add_argument("--reason", default="", help="why findings on hold are waived (article 12)")
        parser.add_argument(
            "--penalty-reason",
            default="",
            help="with --accept: why penalties without an answer are applied (articles 51, 52)",
        )
        parser.add_argument(
            "--namesakes", action="store_true", help="with --create-players: also who is like somebody on the register"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Submit one file."""
        section = self._section(options["section"])
        region = section.event.region if section else self._region(options["region"])
        path: Path = options["file"]
        try:
            content = path.read_bytes()
        except OSError as error:
            raise CommandError(f"{path} cannot be read: {error.strerror}") from None
        twice = [number for number, times in Counter(number for number, _ in options["match"]).items() if times > 1]
        if twice:
            raise CommandError(f"start number {twice[0]} is matched twice: say once who it is")
        for option in ("name", "organiser"):
            if problem := unseen(options[option]):
                raise CommandError(f"--{option}: {problem}")
        now = timezone.now()
        event = Event(
            name=options["name"],
            region=region,
            organiser_name=options["organiser"],
            organiser_number=options["organiser_id"],
        )
        file = SectionFile(
            event=event,
            control_reason=options["control_reason"],
            content=content,
            filename=path.name,
            base=options["base"],
            increment=options["increment"],
            starts=options["started"],
            ends=options["ended"],
            format=options["format"],
            chosen=dict(options["match"]),
            create_players=options["create_players"],
            section=section,
        )
        try:
            validated = validate_file(file, today=timezone.localdate(now))
            self._print(validated)
            alike = [finding for finding in validated.findings if finding.code == "player-alike"]
            if alike and not options["namesakes"]:
                raise CommandError(
                    f"{formatting.count(len(alike), 'new player is', 'new players are')} like somebody on the register, as"
                    " listed above: say who they are (--match START=ID), or that they are other people (--namesakes)"
                )
            event.starts = validated.starts or timezone.localdate(now)
            event.ends = validated.ends or timezone.localdate(now)
            with transaction.atomic():
                event = (
                    resubmit(validated, at=now)
                    if section
                    else submit_new_event(validated, event, at=now, late_reason=options["late_reason"])
                )
                lines = [f"event {event.pk}: {event.name}, submitted"]
                if options["accept"]:
                    period = accept_event(
                        event, at=now, reason=options["reason"], penalty_reason=options["penalty_reason"]
                    )
                    lines.append(f"event {event.pk}: accepted for {period}")
            self.stdout.write("\n".join(lines))
        except UnansweredError as error:
            raise CommandError(f"{error}; here the reason is given with --penalty-reason") from None
        except (EventError, ValueError) as error:
            raise CommandError(str(error)) from None

    def _section(self, number: int | None) -> Section | None:
        if number is None:
            return None
        section = Section.objects.select_related("event__region").filter(pk=number).first()
        if section is None:
            raise CommandError(f"there is no section {number}")
        return section

    def _region(self, code: str | None) -> Region:
        region = Region.objects.filter(code=code).first()
        if region is None:
            known = ", ".join(Region.objects.values_list("code", flat=True))
            problem = f"no region has the code {code}" if code else "give the host region (--region)"
            raise CommandError(f"{problem}; known are {known}")
        return region

    def _print(self, validated: ValidatedFile) -> None:
        known = sum(match.player is not None for match in validated.matches)
        self.stdout.write(
            f"{validated.file.filename}: {validated.tournament.format}, {len(validated.tournament.entrants)} players"
            f" ({known} known), {validated.tournament.rounds} rounds, {validated.tournament.played_games} played games"
        )
        for finding in validated.findings:
            place = f" line {finding.line}" if finding.line else ""
            place += f" column {finding.column}" if finding.column else ""
            article = f" (article {finding.article})" if finding.article else ""
            self.stdout.write(f"  {finding.severity}{place} {finding.code}: {finding.message}{article}")
