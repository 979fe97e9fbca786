"""A name with an accent in an address of a page, which browsers copy with that letter escaped."""

import unicodedata
from urllib.parse import quote

import pytest

from accounts.models import Decision
from accounts.trail.operations import record
from players.operations import NewPlayer, register_players
from ratings.personal_data.erasure.names import Names, spellings
from ratings.personal_data.erasure.operations import erase_player
from tests.builders import CLOCK, region
from tests.ratings.personal_data.test_erasure import is_found

PSEUDONYM = "Player 1234567"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("https://x.org/?q=Zo%C3%AB%20Nel", "https://x.org/?q=(erased)"),
        ("https://x.org/?q=Nel%2C%20Zo%C3%AB&page=2", "https://x.org/?q=(erased)&page=2"),
        ("https://x.org/?q=Zo%C3%AB+Nel", "https://x.org/?q=(erased)"),
        ("https://x.org/zo%c3%ab-nel", "https://x.org/(erased)"),
        (f"www.x.org/{quote(unicodedata.normalize('NFD', 'Zoë'))}-nel", "www.x.org/(erased)"),
        ("zo%C3%AB_nel.pdf", f"{PSEUDONYM}.pdf"),
        ("https://x.org/?q=Zo%C3%AB%C2%A0Nel", "https://x.org/?q=(erased)"),
        ("https://x.org/?q=Zo%C3%AB%20Nelson", "https://x.org/?q=Zo%C3%AB%20Nelson"),
        ("https://x.org/?q=Chlo%C3%A9%20Nel", "https://x.org/?q=Chlo%C3%A9%20Nel"),
        ("won 60%, 80% and 100%C", "won 60%, 80% and 100%C"),
        ("https://x.org/?q=%FF%C3", "https://x.org/?q=%FF%C3"),
    ],
)
def test_it_is_found_there(text, expected):
    assert Names(PSEUDONYM, sure=spellings("Zoë", "Nel")).replaced(text, tied=False) == expected


@pytest.mark.django_db
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_it_goes_from_texts_that_name_him_nowhere_else(form):
    (his,) = register_players([NewPlayer("Bézuidenhout", "Chloé")], at=CLOCK)
    written = quote(unicodedata.normalize(form, "Chloé Bézuidenhout"))
    record("waived", region(), at=CLOCK, by=None, reason=f"see https://x.org/?q={written}")
    erase_player(his, at=CLOCK, by=None, reason="asked for")
    assert Decision.objects.get(action="waived").reason == "see https://x.org/?q=(erased)"


@pytest.mark.parametrize(
    "text", ["?q=Stuart+O%27Rourke", "?q=Stuart%20O%27Rourke", "/stuart-o-rourke.pdf", "/stuart%2Dorourke"]
)
def test_a_name_with_an_apostrophe_is_found_in_a_copied_address(text):
    names = Names(PSEUDONYM, sure=spellings("Stuart", "O'Rourke"))
    assert "ourke" not in names.replaced(f"https://x.org{text}", tied=False)


@pytest.mark.parametrize("text", ["anne%2Bchess%40example.org", "anne%2Bchess@example.org", "anne+chess%40example.org"])
def test_a_mail_address_with_a_plus_sign_is_found_in_a_copied_link(text):
    names = Names(PSEUDONYM, sure=[*spellings("Zoë", "Nel"), "anne+chess@example.org"])
    assert names.replaced(f"https://x.org/?mail={text}", tied=False) == "https://x.org/?mail=(erased)"
    assert is_found(names, text)


@pytest.mark.parametrize("sign", ["@", "%40"])
def test_a_mail_address_is_found_in_a_copied_link(sign):
    names = Names(PSEUDONYM, sure=[*spellings("Zoë", "Nel"), "zoe.nel@example.org"])
    text = f"https://x.org/?q=zoe.nel{sign}example.org&page=2"
    assert "zoe" not in names.replaced(text, tied=False)
    assert is_found(names, text)
