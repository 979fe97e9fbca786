"""The AOC's list in Chromium, from the file to the register, and an arbiter's page at both widths."""

import pytest
from playwright.sync_api import expect

from tests.faults.bureau import Bureau

PEOPLE = """
from datetime import date
from accounts.models import User
from events.models import Appointment, Arbiter, Membership
from events.operations import register_event
from tests.builders import CLOCK, details
User.objects.create_user("officer@example.org", "mopane-mopane", is_staff=True, is_officer=True)
user = User.objects.create_user("grace@example.org", "mopane-mopane")
name = "Grace Maximiliaana Tenza van Nieuwenhuizen-Bezuidenhout"
grace = Arbiter.objects.create(name=name, title="CPA", number="100000001", user=user)
for year in (2023, 2024):
    Membership.objects.create(arbiter=grace, year=year, paid_on=date(year, 1, 5))
    day = date(year, 5, 1)
    event = register_event(details(day, day, name=f"The Championship of the Northern and Eastern Districts {year}"), at=CLOCK)
    Appointment.objects.create(event=event, arbiter=grace, position=1)
ahead = date(2099, 5, 1)
event = register_event(details(ahead, ahead, name="The last Open"), at=CLOCK)
Appointment.objects.create(event=event, arbiter=grace, position=4, first_round=2, last_round=3)
"""
LIST = (
    "sep=;\r\nNumber;Name;Title;Fee year;Paid on\r\n"
    "100000001;Tenza van Nieuwenhuizen-Bezuidenhout, Grace Maximiliaana;Provincial Arbiter;2025;31/01/2025\r\n"
    ";Zoë Cele;NA;2025;05/02/2025\r\n"
)


@pytest.fixture(scope="module")
def arbiters_site(tmp_path_factory):
    """The address of a bureau with an officer and an arbiter."""
    bureau = Bureau("embedded", tmp_path_factory.mktemp("arbiters"))
    bureau.python(PEOPLE)
    yield bureau.serve()
    bureau.close()


def log_in(page, site, who, going_to):
    page.goto(f"{site}/account/log-in/?next={going_to}")
    page.fill("#id_username", f"{who}@example.org")
    page.fill("#id_password", "mopane-mopane")
    page.press("#id_password", "Enter")
    page.wait_for_url(f"**{going_to}")


def choose(page, content):
    page.set_input_files("#id_file", {"name": "aoc.csv", "mimeType": "text/csv", "buffer": content})
    page.click("text=Show the differences")


def test_the_aocs_list_is_shown_before_it_is_taken(page, arbiters_site, complaints):
    log_in(page, arbiters_site, "officer", "/admin/events/arbiter/")
    page.click("text=Import the AOC’s list")
    choose(page, LIST.encode("cp1252"))
    table = page.locator(".differences")
    expect(table).to_contain_text("found by Chess SA id")
    expect(table).to_contain_text("Candidate Provincial Arbiter")
    expect(table).to_contain_text("paid on 31 Jan 2025")
    expect(table).to_contain_text("Zoë Cele")
    expect(page.locator(".notes")).to_contain_text("cp1252")
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    page.click("text=Take these differences")
    expect(page.locator(".messagelist")).to_contain_text("The list is taken: 1 new, 1 changed")
    expect(page.locator("#result_list")).to_contain_text("Zoë Cele")
    with page.expect_download() as download:
        page.click("text=Export as CSV")
    assert "Zoë Cele,NA,RSA,2025,2025-02-05" in download.value.path().read_text("utf-8-sig")
    assert complaints == []


def test_an_error_is_said_with_its_line_by_keyboard_alone(page, arbiters_site):
    log_in(page, arbiters_site, "officer", "/admin/events/arbiter/import/")
    page.set_input_files(
        "#id_file", {"name": "aoc.csv", "mimeType": "text/csv", "buffer": b"name,title\nPiet Ndlovu,QQ\n"}
    )
    page.focus("text=Show the differences")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Line 2, cell 2: “QQ” is no title of an arbiter.")
    assert page.locator(".differences").count() == 0


@pytest.mark.parametrize("width", [390, 1280])
def test_an_arbiters_own_page(page, arbiters_site, complaints, width):
    page.set_viewport_size({"width": width, "height": 900})
    log_in(page, arbiters_site, "grace", "/account/")
    page.get_by_role("navigation", name="Main").get_by_text("Arbiter").click()
    expect(page.locator("h1")).to_contain_text("Grace Maximiliaana")
    expect(page.locator("main")).to_contain_text("The last Open")
    expect(page.locator("#past")).to_have_text("Past appointments of 2024")
    page.click(".activity >> text=2023")
    expect(page.locator("#past")).to_have_text("Past appointments of 2023")
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert complaints == []
