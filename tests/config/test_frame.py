"""The parts of a page that are kept are those of its language, brand and words."""

import pytest
from django.template import Context, Template
from django.utils import translation

from config.branding import Brand

MENU = Template('{% load frame %}{% kept_part "shared/frame/menu.html" here=here %}')
BRAND = Template('{% load frame %}{% kept_part "shared/frame/brand.html" %}')


def menu(here: str, language: str = "en-gb") -> str:
    with translation.override(language):
        return MENU.render(Context({"here": here}))


def test_a_kept_part_is_of_its_words_and_of_the_language():
    for _ in range(2):
        lists, events, plain = menu("lists"), menu("events"), menu("")
        assert (lists.count("aria-current"), events.count("aria-current"), plain.count("aria-current")) == (1, 1, 0)
        assert lists != events
        assert (">Players<" in lists, ">Spelers<" in menu("lists", "af")) == (True, True)


def test_a_kept_part_is_of_the_brand_and_escapes_it(settings):
    for name in ("Namibia Chess", "<Chess & Co>"):
        settings.BRAND = Brand(name, "Rating Office")
        assert name.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") in BRAND.render(Context({}))


@pytest.mark.django_db
def test_a_page_names_its_own_address_without_what_cannot_be_seen(client):
    page = client.get("/players/%E2%80%AE%E2%80%8B/").content.decode()
    assert "/players/%E2%80%AE%E2%80%8B/" in page
    assert not {"\u202e", "\u200b"} & set(page)
