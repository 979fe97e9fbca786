"""Random walks with more of what a month brings: files of results, lists of the register and of FIDE, results from abroad,
reports of errors, further first names, and FIDE ids that are exchanged and put right."""

from io import StringIO
from pathlib import Path
from random import Random

import pytest
from django.core.management import call_command

from events.abroad.operations import Channel, submit_abroad
from events.error_reports.operations import ReportedError, report_error
from events.models import Section
from events.operations import accept_event
from players.models import Player
from players.operations import save_player
from tests.builders import CLOCK, MARCH, Line, officer, submitted, trf
from tests.events.abroad.entries import WIN, results
from tests.events.files.fide_lists import text
from tests.ratings.moving_in.test_import_register import HEAD
from tests.ratings.personal_data.test_walks import LONG, SHORT, Walk

pytestmark = pytest.mark.django_db
STEPS = 18


class WalkWithFiles(Walk):
    """`folder`: where the lists are written that are brought in."""

    folder: Path

    def steps(self):
        more = [self.send, self.bring_in, self.take_fide, self.exchange, self.call_further, self.go_abroad, self.report]
        return [*super().steps(), *more * 3]

    def send(self) -> str:
        """Have a file with somebody's line submitted and accepted."""
        row, event = (
            self.on_register(),
            self.random.choice([*(f"{one.first_name} {one.last_name} Open" for one in self.known), "Open"]),
        )
        name = self.random.choice([f"{row.last_name},{row.first_name}", f"{row.last_name}, {row.first_name}".title()])
        his = Line(name, fide=str(row.fide_id or ""), national=row.number)
        content = trf([his, Line(f"Filler{Section.objects.count()},Anele")], [[(1, 2, "1")]], name=event)
        accept_event(submitted(content), at=self.at, reason=f"{row.name} it is", penalty_reason="no answer")
        return f"{event}, {name}"

    def bring_in(self) -> str:
        """Bring in a line of a list: what is his own, or another's over his id."""
        row = self.on_register()
        one = self.random.choice([self.whose[row.pk], self.whose[row.pk], *self.known])
        line = f"{row.number},{one.last_name},{one.first_name},{one.birth_date},,,,{self.random.choice(['', 'Rooks'])}"
        file = self.folder / "register.csv"
        file.write_text(f"{HEAD}{line}\n")
        call_command("import_register", str(file), confirm=True, stdout=StringIO(), stderr=StringIO())
        if one != self.whose[row.pk]:
            self.typed.add(row.pk)
        return line

    def take_fide(self) -> str:
        """Take FIDE's list of a month, on which some are."""
        listed = [
            {"fide_id": one.fide_id, "name": f"{one.last_name}, {one.first_name}".title(), "born": one.birth_date.year}
            for one in self.known
            if self.random.random() < 0.7
        ]
        file, month = self.folder / "players.txt", f"2024-0{self.random.randrange(3, 7)}"
        file.write_bytes(text(*listed))
        options = "--month", month, "--fewer", "--confirm"
        call_command("import_fide", str(file), *options, stdout=StringIO(), stderr=StringIO())
        return f"{month}: {len(listed)}"

    def exchange(self) -> str:
        """Exchange two FIDE ids by mistake, do something, and put them right."""
        rows = list(Player.objects.filter(pk__in=self.whose, merged_into=None, erased_at=None).exclude(fide_id=None))
        if len(rows) < 2:
            return "none"
        one, other = self.random.sample(rows, 2)
        own = {one.pk: one.fide_id, other.pk: other.fide_id}
        for ids in ({one.pk: own[other.pk], other.pk: own[one.pk]}, own):
            for fide_ids in (dict.fromkeys(ids), ids):
                for row in (one, other):
                    row.fide_id = fide_ids[row.pk]
                    save_player(row)
        return f"{one}, {other}"

    def call_further(self) -> str:
        """Give somebody a further first name, or take it off."""
        row = self.on_register()
        row.first_name = row.first_name.removesuffix(" Karl") if " Karl" in row.first_name else f"{row.first_name} Karl"
        save_player(row)
        return str(row)

    def go_abroad(self) -> str:
        """Have somebody's results from abroad sent in and accepted."""
        row, by = self.on_register(), officer(f"officer{len(self.log)}@example.org")
        event = submit_abroad(
            row, results(games=(WIN,)), at=CLOCK, channel=Channel(by=by), reason=f"{row.name} was ill"
        )
        accept_event(event, at=self.at, reason=f"{row.name} proved it")
        return str(row)

    def report(self) -> str:
        """Report an error about somebody, by his name or another's, and from his address or another's."""
        row, one = self.on_register(), self.random.choice(self.known)
        error = ReportedError(
            section=self.random.choice(list(Section.objects.order_by("pk"))),
            player=self.random.choice([row, None]),
            round=1,
            month=MARCH,
            wrong=f"{row.name} won",
            right="0-1",
            proof_url="",
            role="player",
            name=self.random.choice([row.name, f"{one.first_name} {one.last_name}"]),
            email=self.random.choice([row.email, one.email]) or "x@example.org",
        )
        report_error(error, at=CLOCK, by=None)
        return f"{row}, {one.first_name}"


@pytest.mark.parametrize("seed", range(6))
def test_nothing_of_an_erased_person_is_left_of_what_a_month_brings(seed, tmp_path):
    walk = WalkWithFiles([LONG, SHORT][seed % 2], Random(seed))
    walk.folder = tmp_path
    walk.go(STEPS)
