"""Every field that could hold personal data is declared, once, and what is declared is told in public."""

from fnmatch import fnmatchcase

from ratings.personal_data.purposes import WHOSE
from ratings.personal_data.table import NOT_PERSONAL, PERSONAL, is_not_personal, possible_fields, purpose_of

NAMES = {name for name, _ in possible_fields()}


def test_every_field_that_could_hold_personal_data_is_declared():
    undeclared = {name for name in NAMES if purpose_of(name) is None and not is_not_personal(name)}
    assert undeclared == set(), "add them to ratings/personal_data/table.py: personal for what, or not personal"


def test_what_could_hold_personal_data_is_found():
    """Names, days, addresses of mail and networks, bytes, documents, keys of persons, and former versions."""
    assert {
        "players.Player.last_name",
        "players.Player.birth_date",
        "players.Player.sex",
        "players.Player.email",
        "players.Player.fide_id",
        "axes.AccessAttempt.ip_address",
        "events.SubmittedFile.content",
        "events.Upload.report",
        "ratings.Rating.player",
        "players.Player.history_user",
        "sessions.Session.session_data",
    } <= NAMES


def test_no_line_of_the_table_speaks_of_a_field_that_is_gone():
    patterns = [*NOT_PERSONAL.split(), *(pattern for _, patterns in PERSONAL for pattern in patterns.split())]
    assert [pattern for pattern in patterns if not any(fnmatchcase(name, pattern) for name in NAMES)] == []


def test_a_model_of_persons_is_declared_field_by_field():
    """A new field of these is decided on, and not taken in by a pattern."""
    patterns = {pattern for _, patterns in PERSONAL for pattern in patterns.split()} | set(NOT_PERSONAL.split())
    assert not {"players.Player.*", "events.Event.*", "events.Section.*", "players.*", "events.*"} & patterns


def test_the_public_page_has_each_purpose_once():
    shown = [purpose for purposes in WHOSE.values() for purpose in purposes]
    assert sorted(purpose.code for purpose in shown) == sorted({purpose.code for purpose, _ in PERSONAL})
