"""What pure code writes is said in the reader's language."""

import ast
import inspect
import re
from collections.abc import Iterator
from itertools import zip_longest
from types import ModuleType

import pytest
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from config.lib import forms
from config.lib.names import unseen
from config.lib.pure_texts import PureTexts, _Pattern
from events.abroad.words import FINDINGS
from events.arbiters.queries import OBSTACLES
from events.attachments.forms import REFUSED
from events.forms import DAYS
from events.registration import words as registration_words
from events.rules import (
    abroad,
    activity,
    arbiters,
    attachments,
    days,
    fide_list,
    player_details,
    registered,
    registration,
    section_file,
)
from events.submission import duplicates, match_findings, validation
from events.submission.finding_words import FINDINGS as CHECKS
from events.submission.finding_words import finding_said
from tests.fuzz.readers import least_seconds

ROOMS = [
    (attachments, REFUSED, ["EventError"], {"called": "form.pdf", "TAKEN": attachments.TAKEN}),
    (activity, OBSTACLES, ["Finding"], {}),
    (abroad, FINDINGS, ["Finding", "field_error"], {"rounds": "rounds 3 and 4"}),
    (registration, registration_words.FINDINGS, ["Finding", "field_error"], {}),
    (days, DAYS, ["Finding", "field_error"], {}),
]

_TEXT_AT = {"EventError": 0, "field_error": 2, "Finding": 2}  # places among the arguments


def _texts(module: ModuleType, calls: list[str], values: dict[str, str]) -> Iterator[str]:
    """Yield each text that a module gives to `calls`, or calls a message, with `values` for its values, 7 for others."""
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.Assign) and any(
            isinstance(name, ast.Name) and name.id == "message" for name in node.targets
        ):
            places: list[ast.expr] = [node.value]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in calls:
            places = node.args[_TEXT_AT[node.func.id] :][:1]
        else:
            continue
        for place in places:
            if isinstance(place, ast.Constant):
                yield str(place.value)
            elif isinstance(place, ast.JoinedStr):
                yield "".join(_part(part, values) for part in place.values)


def _part(part: ast.expr, values: dict[str, str]) -> str:
    if isinstance(part, ast.Constant):
        return str(part.value)
    return values.get(
        ast.unparse(part)[1:-1] if not isinstance(part, ast.FormattedValue) else ast.unparse(part.value), "7"
    )


@pytest.mark.parametrize(("room", "texts", "calls", "values"), ROOMS)
def test_every_text_of_a_pure_room_is_known(room, texts, calls, values):
    found = list(_texts(room, calls, values))
    assert found
    assert [text for text in found if not texts.knows(text)] == []


@pytest.mark.parametrize(
    "module", [section_file, registered, arbiters, player_details, fide_list, match_findings, duplicates, validation]
)
def test_every_text_of_a_check_is_in_the_catalogue(module):
    """Its constant parts, in their order, begin a text that is: some end in what another place adds."""
    known = [re.sub(r"%\(\w+\)s", "7", text) for text in CHECKS.templates + FINDINGS.templates]
    messages = [
        node.value
        for node in ast.walk(ast.parse(inspect.getsource(module)))
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "message"
    ]
    assert messages
    assert [ast.unparse(text) for text in messages if not any(_shape(text).match(line) for line in known)] == []


def _shape(text: ast.expr) -> re.Pattern[str]:
    parts = text.values if isinstance(text, ast.JoinedStr) else [text]
    return re.compile("".join(re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".*" for part in parts))


def test_a_value_that_is_english_itself_is_said_too():
    texts = PureTexts("No arbiter is appointed for %(rounds)s.", values={"rounds": str.upper})
    assert texts.said("No arbiter is appointed for round 3.") == "No arbiter is appointed for ROUND 3."


@pytest.mark.parametrize(
    ("message", "said"),
    [
        (
            "No date is given for rounds 1, 2 and 3 more. Give the day on which each round was played.",
            "Geen datum word vir rondes 1, 2 en nog 3 gegee nie. Gee die dag waarop elke ronde gespeel is.",
        ),
        (
            "Not played on the registered day: round 3 on 17 May 2026 instead of 18 May 2026 and 2 more.",
            "Nie op die geregistreerde dag gespeel nie: ronde 3 op 17 May 2026 in plaas van 18 May 2026 en nog 2.",
        ),
        (
            "Player 3 has no name. Found 5 times; this is the first.",
            "Speler 3 het geen naam nie. 5 keer gevind; dit is die eerste.",
        ),
        (
            "The file does not say, or leaves blank: 022 (city), 052 (end).",
            "Die lêer sê nie, of laat leeg: 022 (stad), 052 (einde).",
        ),
        (
            "1 round with a game; a Swiss section needs at least 5. Ask permission.",
            "1 ronde met ’n spel; ’n afdeling van die formaat Swiss het minstens 5 nodig. Vra toestemming.",
        ),
        (
            "4 players with a game; a Swiss section needs at least 6. Permission for 4 players and 1 round was declined on"
            " 2 Mar 2024; an officer decides.",
            "4 spelers met ’n spel; ’n afdeling van die formaat Swiss het minstens 6 nodig. Toestemming vir 4 spelers en"
            " 1 ronde is op 2 Mar 2024 geweier; ’n beampte besluit.",
        ),
        ("What no list knows.", "What no list knows."),
    ],
)
def test_a_finding_of_a_check_is_said_with_what_its_values_say(message, said):
    with override("af"):
        assert finding_said(message) == said


@pytest.mark.parametrize(
    "of_one",
    [
        "1 round with a game; a Swiss section needs at least 5. Ask permission.",
        "1 player with a game; a Swiss section needs at least 6. It was permitted on 2 Mar 2024.",
        "1 player in the smallest team; a team section needs at least 4. Ask permission, or merge sections.",
    ],
)
def test_a_report_that_was_kept_with_one_in_the_plural_is_said_in_the_singular(of_one):
    kept = of_one.replace("1 round", "1 rounds").replace("1 player", "1 players")
    assert finding_said(kept) == finding_said(of_one) == of_one


def test_a_value_stays_as_it_is_and_a_text_that_is_not_known_too():
    texts = PureTexts("%(file)s is empty: choose the file again")
    with override("af"):
        assert (
            texts.said("100 % a+b.pdf is empty: choose the file again") == "100 % a+b.pdf is leeg: kies die lêer weer"
        )
        assert texts.said("100 % is full") == "100 % is full"
    assert texts.said("a.pdf is empty: choose the file again") == "a.pdf is empty: choose the file again"


def test_a_value_that_stands_twice_is_one():
    texts = PureTexts("%(round)s and %(round)s")
    assert texts.knows("3 and 3")
    assert not texts.knows("3 and 4")


def test_a_character_that_cannot_be_seen_is_named():
    with override("af"):
        assert forms._UNSEEN.said(unseen("a\u200b")).startswith(
            "Daar is ’n karakter wat nie gesien kan word nie, U+200B"
        )


_PARTS = st.sampled_from(["%(a)s", "%(b)s", "%(c)s", "x", "y", " "])
_VALUES = st.text("xyz ", min_size=1, max_size=4)


@given(
    st.lists(_PARTS, min_size=1, max_size=7).map("".join),
    st.fixed_dictionaries(dict.fromkeys("abc", _VALUES)),
    st.text("xyz "),
)
def test_values_are_found_where_a_pattern_finds_them(template, values, other):
    """But for names that stand twice, where a pattern may go back to a longer value."""
    names = re.findall(r"%\((\w)\)s", template)
    for text in (template % values, other):
        parts = [re.escape(part) for part in re.split(r"%\(\w\)s", template)]
        signs = [f"(?P={name})" if name in names[:place] else f"(?P<{name}>.+?)" for place, name in enumerate(names)]
        pattern = "".join(part for pair in zip_longest(parts, signs, fillvalue="") for part in pair)
        expected = re.fullmatch(pattern, text, re.DOTALL)
        found = _Pattern(template).values_in(text)
        if found is not None or len(set(names)) == len(names):
            assert found == (expected and expected.groupdict())


def test_a_value_that_is_made_of_the_texts_own_words_takes_no_time():
    """Of five values each could end at every place: with 44 repeats a page stood still for minutes."""
    words = (" (start number ", " is ", ", who died in ", ", before the section ended on ")
    text = "".join(f"a{word}" * 4000 for word in words) + "b"

    def say():
        for texts in (CHECKS, FINDINGS):
            texts.said(text)

    assert least_seconds(say, 0.5) <= 0.5
