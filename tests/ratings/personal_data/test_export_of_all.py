"""What an erasure takes for somebody's stands in the export of his data, too."""

from datetime import date
from uuid import uuid4

import pytest

from events.attachments.operations import take
from events.models import Entry, ErrorReport, Guest, UnsavedAnswer, UnsavedRegistration
from players.models import Player
from players.operations import save_player
from ratings.personal_data.export import of_player, of_user
from tests.builders import CLOCK, event_of, officer, people
from tests.events.attachments.files import PDF

pytestmark = pytest.mark.django_db
FIDE_ID = 14312345


@pytest.fixture
def section():
    return event_of([(*people(2), "1-0")]).sections.get()


@pytest.fixture
def his(section):
    player = Player.objects.get(pk=section.games.get().white_id)
    player.fide_id, player.email = FIDE_ID, "me@example.org"
    save_player(player)
    return player


def rows(kept, table):
    return [row for part in kept if part.title == table for row in part.rows]


def report_of(section, player, **fields):
    return ErrorReport.objects.create(
        section=section, player=player, month=date(2024, 3, 1), wrong="1-0", right="0-1", role="player", at=CLOCK, **fields
    )  # fmt: skip


def test_whom_others_met_abroad_is_he_by_his_fide_id(section, his):
    Guest.objects.create(section=section, name="Qz Abroad", federation="RSA", fide_id=FIDE_ID, fide_rating=1999)
    Guest.objects.create(section=section, name="Qz Stranger", federation="RSA", fide_id=FIDE_ID + 1, fide_rating=1999)
    assert [row["name"] for row in rows(of_player(his), "Guest")] == ["Qz Abroad"]


def test_where_his_ids_stand_on_the_line_of_another(section, his):
    played = section.games.get().black
    other = Entry.objects.create(
        section=section, player=played, number=2, name_in_file=played.name, points=0, rank=2, match_reason="x"
    )
    own_line = {"chess_sa_id_in_file": other.player.number, "fide_id_in_file": FIDE_ID + 1}
    for mistaken in ({"chess_sa_id_in_file": his.number}, {"fide_id_in_file": FIDE_ID}):
        Entry.objects.filter(pk=other.pk).update(**own_line | mistaken)
        (row,) = rows(of_player(his), "Entry: with his id, on the line of another")
        assert str(section) in str(row["section"])
        told = [value for name, value in row.items() if name != "section"]
        assert told == [*mistaken.values()]
    Entry.objects.filter(pk=other.pk).update(**own_line)
    assert not rows(of_player(his), "Entry: with his id, on the line of another")


def test_the_proof_with_his_own_report_is_his_and_that_of_another_is_not(section, his):
    own = report_of(section, his, reporter_name=his.name, reporter_email="me@example.org")
    others = report_of(section, his, reporter_name="Ann Uncle", reporter_email="uncle@example.org")
    take("my-proof.pdf", PDF, at=CLOCK, by=None, report=own)
    take("proof-of-uncle.pdf", PDF, at=CLOCK, by=None, report=others)
    assert [row["name"] for row in rows(of_player(his), "Attachment")] == ["my-proof.pdf"]


def test_what_a_user_typed_into_a_registration_is_his_and_what_he_typed_of_others_is_not(section):
    by = officer()
    UnsavedRegistration.objects.create(by=by, page=uuid4(), at=CLOCK, fields={"name": ["Typed words of mine"]})
    UnsavedAnswer.objects.create(event=section.event, form="x", by=by, at=CLOCK, fields={"born": ["2011-05-17"]})
    told = str(of_user(by))
    assert "Typed words of mine" in told
    assert "2011-05-17" not in told
