"""A result from abroad in Chromium: asked for, entered by the mailed link, and in the officers' admin."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests.faults.bureau import Bureau

PEOPLE = """
from datetime import date
from accounts.models import User
from players.models import Region
from players.operations import NewPlayer, register_players
from tests.builders import CLOCK, with_address
User.objects.create_superuser("chief@example.org", "correct horse 9", is_officer=True)
home = Region.objects.get(code="GAU")
(naledi,) = register_players([NewPlayer("Mokoena", "Naledi", region=home, fide_id=14300001)], at=CLOCK)
with_address(naledi)
"""
GAMES = (
    ("1", "w", "Varga, Tomas", "HUN", "995000001", "2104", ""),
    ("h", "b", "Rasmussen-Villaverde, Konstantin Augusto", "POR", "995000002", "", "1850"),
    ("0", "b", "Olsen, Per", "NOR", "995000003", "1990", ""),
    ("bye", "", "", "", "", "", ""),
    ("+", "w", "Ito, Ken", "JPN", "995000005", "2000", ""),
)


@pytest.fixture(scope="module")
def bureau(tmp_path_factory):
    """A bureau whose mail lies in a folder."""
    made = Bureau("embedded", tmp_path_factory.mktemp("abroad"))
    made.env |= {"EMAIL_URL": f"filemail:///{made.folder / 'mail'}"}
    made.python(PEOPLE)
    yield made
    made.close()


@pytest.fixture(scope="module")
def bureau_site(bureau):
    """Its address; a worker sends its mails."""
    address = bureau.serve()
    bureau.worker(clock=True)
    return address


def mails(bureau):
    """All that was mailed, the newest last, with soft line breaks undone, once nothing waits to be sent."""
    bureau.wait_until("SELECT count(*) FROM accounts_mail WHERE state = 'waiting'", {0})
    found = sorted((bureau.folder / "mail").glob("*"), key=lambda path: path.stat().st_mtime_ns)
    return [path.read_text().replace("=\n", "").replace("=3D", "=") for path in found]


def link_in(mail):
    return re.search(r"http://127[.0-9:]+/events/abroad/[^/\s]+/", mail)[0]


def enter(page):
    today = timezone.localdate()
    page.fill("#id_name", "Swakopmund International Open")
    page.fill("#id_federation", "nam")
    page.fill("#id_starts", (today - timedelta(days=5)).isoformat())
    page.fill("#id_ends", (today - timedelta(days=1)).isoformat())
    page.fill("#id_base", "90")
    page.fill("#id_increment", "30")
    page.fill("#id_rank", "12")
    page.fill("#id_results_url", "https://example.org/swakopmund")
    page.check("#id_fide_rated")
    for place, (result, colour, *texts) in enumerate(GAMES):
        page.select_option(f"#id_game-{place}-result", result)
        page.select_option(f"#id_game-{place}-colour", colour)
        for name, text in zip(("opponent", "federation", "fide_id", "fide_rating", "performance"), texts, strict=True):
            page.fill(f"#id_game-{place}-{name}", text)


@pytest.mark.rule("chessa 10", "chessa 45")
def test_from_asking_to_the_officer_s_desk_and_back(page, bureau, bureau_site, complaints):
    page.goto(f"{bureau_site}/events/abroad/")
    page.fill("#id_number", "100000001")
    page.fill("#id_email", "naledi@example.org")
    page.get_by_role("button", name="Send the link").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Check your mail")

    page.goto(link_in(mails(bureau)[-1]))
    enter(page)
    page.get_by_role("button", name="Preview the change").click()
    expect(page.locator("tr", has=page.locator('[value="Varga, Tomas"]'))).to_contain_text("counts 2\u202f166.1")
    expect(page.locator("#outcome")).to_contain_text("Main")
    expect(page.locator("#outcome")).to_contain_text("Standard")
    page.get_by_role("button", name="Send in results").click()
    expect(page.locator(".trail .now")).to_contain_text("With the ratings officer")
    assert complaints == []

    officer_page = page.context.browser.new_page()
    officer_page.goto(f"{bureau_site}/admin/login/?next=/admin/events/event/")
    officer_page.fill("#id_username", "chief@example.org")
    officer_page.fill("#id_password", "correct horse 9")
    officer_page.press("#id_password", "Enter")
    officer_page.get_by_role("link", name="Swakopmund International Open", exact=True).click()
    expect(officer_page.locator("#abroad_links-group")).to_contain_text("naledi@example.org")
    officer_page.goto(f"{bureau_site}/admin/events/event/")
    officer_page.check("input.action-select")
    officer_page.select_option("select[name=action]", "send_back")
    officer_page.select_option("select[name=ground]", index=1)
    officer_page.fill("input[name=reason]", "Round 3 was a draw.")
    officer_page.get_by_role("button", name="Go").click()
    expect(officer_page.locator(".messagelist")).to_contain_text("1 returned")
    officer_page.close()

    page.goto(link_in(mails(bureau)[-1]))
    expect(page.locator("main")).to_contain_text("Round 3 was a draw.")
    page.select_option("#id_game-2-result", "h")
    page.get_by_role("button", name="Send in results").click()
    expect(page.locator(".trail .now")).to_contain_text("With the ratings officer")
    assert bureau.value("SELECT count(*) FROM events_event") == 1


@pytest.mark.parametrize("width", [390, 700, 1280])
def test_nothing_is_wider_than_the_window(page, bureau, bureau_site, width):
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"{bureau_site}/events/abroad/")
    page.fill("#id_number", "100000001")
    page.fill("#id_email", "naledi@example.org")
    page.get_by_role("button", name="Send the link").click()
    page.goto(link_in(mails(bureau)[-1]))
    enter(page)
    page.fill("#id_name", "Another Open")
    page.fill("#id_results_url", "https://example.org/another")
    page.get_by_role("button", name="Preview the change").click()
    page.wait_for_selector("#outcome")
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
