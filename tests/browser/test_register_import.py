"""A register from a file in Chromium: through the desk to a player's page, and undone; by a worker that the queue wakes."""

import pytest
from playwright.sync_api import expect

from tests.browser.test_arbiters import log_in
from tests.faults.bureau import Bureau

PEOPLE = """
from datetime import date
from accounts.models import User
from tests.builders import player, region
User.objects.create_user("officer@example.org", "mopane-mopane", is_staff=True, is_officer=True)
region("GAU")
player("Mokoena", "Naledi", national_id="100000001", birth_date=date(1990, 5, 17), sex="F")
"""
LIST = (
    "sep=;\r\nBond no;Van;Voorname;Geboortedatum;Geslag;Streek\r\n"
    "100000001;Mokoena;Naledi;17/05/1990;F;GAU\r\n"
    ";Mokoena;Nalede;17/05/1990;F;GAU\r\n"
    ";Cele;Zoë;2001-03-04;F;GAU\r\n"
)


@pytest.fixture(scope="module")
def bureau(tmp_path_factory):
    """A bureau with an officer, a player and a worker."""
    bureau = Bureau("embedded", tmp_path_factory.mktemp("register"))
    bureau.python(PEOPLE)
    bureau.site = bureau.serve()
    bureau.worker(clock=True)
    yield bureau
    bureau.close()


@pytest.mark.parametrize("width", [390, 1280])
def test_a_register_from_a_file_to_a_players_page_and_undone(page, bureau, complaints, width):
    page.set_viewport_size({"width": width, "height": 900})
    log_in(page, bureau.site, "officer", "/admin/ratings/importjob/")
    page.click("text=Bring in a register")
    page.set_input_files("#id_file", {"name": "players.csv", "mimeType": "text/csv", "buffer": LIST.encode("cp1252")})
    page.click("text=Read the list")
    lines = page.locator(".lines")
    expect(lines).to_contain_text("Zoë Cele")
    expect(page.locator(".notes")).to_contain_text("cp1252")
    expect(lines).to_contain_text("Region: – → GAU")
    page.click("summary:has-text('The columns')")
    page.select_option("#id_column_0", label="Chess SA id")
    page.click("text=Read the list with these columns")
    expect(page.locator(".messagelist")).to_contain_text("with these columns")
    expect(lines).to_contain_text("100000001")
    expect(page.locator("#job")).to_contain_text("1 doubtful line to answer")
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    page.check("text=A new player")
    page.click("text=Keep the answers of this page")
    expect(page.locator("#job")).to_contain_text("this puts 2 new players and 1 changed one on the register")
    page.click("text=Take it")
    expect(page.locator("#job")).to_contain_text("has written 2 new players and 1 changed one")
    page.click(".lines a:has-text('Zoë Cele')")
    number = page.input_value("#id_number")
    page.goto(f"{bureau.site}/players/{number}/")
    expect(page.locator("h1")).to_contain_text("Zoë Cele")
    page.goto(f"{bureau.site}/admin/ratings/importjob/")
    page.click("#result_list tbody tr:first-child a")
    page.click("text=Undo the whole import")
    expect(page.locator("#job")).to_contain_text("the register is as it was")
    assert page.goto(f"{bureau.site}/players/{number}/").status == 404
    assert [line for line in complaints if "404" not in line] == []


def test_progress_moves_without_script(browser, bureau):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    log_in(page, bureau.site, "officer", "/admin/ratings/importjob/bring/register/")
    page.set_input_files("#id_file", {"name": "one.csv", "mimeType": "text/csv", "buffer": b"Surname\nDube\n"})
    page.click("text=Read the list")
    expect(page.locator(".lines")).to_contain_text("Dube")
    page.click("text=Put this list away")
    expect(page.locator("#job")).to_contain_text("discarded")
    context.close()
