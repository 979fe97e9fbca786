"""What is kept of a text that somebody wrote, and what counts as none."""

import pytest
from django.forms import ValidationError

from config.lib.forms import LineField, MailAddressField, PageAddressField, PlainTextField
from config.lib.texts import plain_text, shortened


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("  Sent by letter.\r\nTwice. ", "Sent by letter.\r\nTwice."),
        ("Café – “naïve”, 1½ 😀", "Café – “naïve”, 1½ 😀"),
        ("\u200b\u2060", ""),
        ("\u00ad \ufeff\u3164\u2800\u034f\u00a0", ""),
        ("a\u180bb\u180cc\u180dd\u180fe\ufe0f\U000e0100f\U000e01efg\U000e0041", "abcdefg"),
        ("abc\u202edef\u2066", "abcdef"),
        ("one\u2028two\x0bthree\x00", "one two three"),
    ],
)
def test_a_text_keeps_what_can_be_seen(text: str, kept: str) -> None:
    assert plain_text(text) == kept


def test_a_field_asks_for_a_text_that_can_be_seen() -> None:
    assert PlainTextField().clean("by\u202e letter") == "by letter"
    with pytest.raises(ValidationError):
        PlainTextField().clean("\u200b\u2060")


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("ten letter", "ten letter"),
        ("ten letters", "ten"),
        ("ten letter s", "ten letter"),
        ("nine lett  ers", "nine lett"),
        ("two  words were", "two  words"),
        ("oneverylongword", "oneverylon"),
        ("", ""),
    ],
)
def test_a_text_is_shortened_where_a_word_ends(text: str, kept: str) -> None:
    assert shortened(text, 10) == kept


@pytest.mark.parametrize("field", [LineField, PageAddressField, PlainTextField])
def test_the_length_of_a_text_is_that_which_is_kept(field):
    """Some letters become two when they are composed, which no column had room for."""
    start = "https://example.org/" if field is PageAddressField else ""
    with pytest.raises(ValidationError, match="120 characters"):
        field(max_length=120).clean(start + "\u0958" * 90)


def test_a_mail_address_is_not_longer_in_small_letters_than_its_column():
    """Of İ the small letter is two, which ended in an error of the database."""
    address = f"a@{'.'.join(['İ' * 60] * 4)}.com"
    assert len(address) < 254 < len(address.lower())
    with pytest.raises(ValidationError, match="254 characters"):
        MailAddressField(max_length=254).clean(address)
    assert MailAddressField(max_length=254).clean("Info@İzmir.example") == "Info@İzmir.example"
