"""A file that is not sent in yet may be a zip of much: the page of an erasure looks whether it names the player."""

import io
import zipfile

import pytest
from django.utils import timezone

from events.submission.uploads import take_file
from players.operations import NewPlayer, register_players
from ratings.personal_data.erasure.hindrances import hindrance
from tests.events.files.swissperfect import sp_files
from tests.events.submission.world import played
from tests.fuzz.readers import least_seconds

pytestmark = pytest.mark.django_db


def test_a_zip_is_looked_through_in_little_time_and_found_by_what_is_in_it():
    """Nine files of a megabyte took five seconds of a request, and a hundred minutes."""
    (player,) = register_players([NewPlayer("Xylander", "Quentin")], at=timezone.now())
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sp_files().items():
            archive.writestr(name, content)
        for number in range(9):
            archive.writestr(f"{number}.txt", b"Naidoo, Priya 1990 1 2 3\n" * 40_000)
    event = played()
    take_file(event, name="open.zip", content=packed.getvalue(), at=timezone.now(), by=None)
    assert least_seconds(lambda: hindrance(player), 1.0) <= 1.0
    assert hindrance(player) == ""
    with zipfile.ZipFile(packed, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("last.txt", b"Xylander, Quentin\n")
    take_file(event, name="named.zip", content=packed.getvalue(), at=timezone.now(), by=None)
    assert least_seconds(lambda: hindrance(player), 2.0) <= 2.0  # what does not name him is not read in sixteen codes
    assert "named.zip" in hindrance(player)
