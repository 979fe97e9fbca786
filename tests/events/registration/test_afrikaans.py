"""The registration of an event in Afrikaans: the form, what is wrong with it and the hints beside it."""

import pytest

from tests.events.registration.entries import NEW, entry

AFRIKAANS = {"accept-language": "af"}


@pytest.mark.parametrize(
    ("fields", "texts"),
    [
        ({"do": "look"}, ["Nog nie gestoor nie.", "oor die bord", " Junie 2027", "Switsers: minstens 6 spelers"]),
        ({"starts": ""}, ["Dit moet reggestel word", "Eerste dag: Dié veld is verpligtend."]),
        ({"organiser_name": ""}, ["Gee die naam en van van die hooforganiseerder (artikel 13.5)."]),
        ({"section-0-base": ""}, ["Afdeling 1, basistyd, minute: Gee die basistyd in minute"]),
        ({"ends": "2027-06-01"}, ["Die laaste dag kom voor die eerste. Stel een van hulle reg."]),
    ],
)
def test_the_form_and_its_hints_are_in_the_reader_s_language(browser_of, fields, texts):
    page = browser_of.post(NEW, entry("2027-06-20") | fields, headers=AFRIKAANS).content.decode()
    assert [text for text in texts if text not in page] == []
