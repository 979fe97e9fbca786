"""Days of birth are found as people and programs write them."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.personal_data.erasure.names import Names


def left_of(text: str, *days: str) -> str:
    return Names("Player 1234567", sure=["Zoë Nel"], private={"14398765", *(days or ["1983-03-04"])}).replaced(
        text, tied=True
    )


@pytest.mark.parametrize(
    "text",
    [
        "4 Mar 1983", "4 March 1983", "March 4, 1983", "1983-03-04", "04/03/1983", "4/3/1983", "3/4/1983", "4.3.1983",
        "1983-3-4", "4 Mar 83", "4th March 1983", "4 Maart 1983", "04-03-83", "04-Mar-1983", "4-Mar-83", "4Mar1983",
        "4th of March 1983", "4 Mar. 1983", "4de Maart 1983", "4 March, 1983", "1983-Mar-04", "04031983", "19830304",
        "1983 03 04", "4. 3. 1983", "4–3–1983", "March 4th, 1983", "4 van Maart 1983", "Mar. 4 ’83", "830304", "040383",
        "8303045800085", "830304 5800 08 5", "830304-5800-085", "83 03 04 5800 08 5", "83-03-04", "83/3/4", "1983 4 March",
        "1983 March 4th", "4 March of 1983", "March the 4th, 1983", "1983_03_04", "04,03,1983", "04|03|1983", "4/III/83",
        "4/3/'83", "04-03-’83", "4_3_83", "04%2F03%2F1983", "1983%2D03%2D04", "4%20March%201983", '04","03","1983',
        "04;03;1983", "4th day of March 1983", "4 March (1983", "8303 0458 0008 5",
    ],
)  # fmt: skip
def test_a_day_is_found_as_people_write_it(text):
    assert left_of(f"born {text}.") == "born (erased)."
    assert left_of(f"born {text.upper()},") == "born (erased),"


def test_a_day_with_a_time_is_found():
    assert left_of("born 1983-03-04T00:00:00") == "born (erased)T00:00:00"
    assert left_of("born 19830304000000.") == "born (erased)000000."


@pytest.mark.parametrize(
    "text",
    [
        "14 March 1983", "4 March 1984", "4 May 1983", "1983-03-041", "4/13/1983", "119830304", "in March 1983", "4 March",
        "18303045800085", "4 Marchs 1983", "1983", "rounds 4 3 83", "4,3,83", "dob830304",
    ],
)  # fmt: skip
def test_other_figures_stay(text):
    assert left_of(f"born {text}.") == f"born {text}."


@pytest.mark.parametrize("text", ["dob19830304", "04031983M", "RSA8303045800085"])
def test_a_day_is_found_that_is_written_to_a_word(text):
    assert "83" not in left_of(text)


@given(st.dates(date(1901, 1, 1), date(2030, 12, 31)))
def test_every_day_is_found(day):
    for text in (
        f"{day:%Y/%m/%d}",
        f"{day:%d %b %Y}",
        f"{day:%B} {day.day}, {day.year}",
        f"{day.day}-{day.month}-{day:%y}",
    ):
        assert left_of(f"({text})", day.isoformat()) == "((erased))", text
