"""Results entered by hand, in Chromium: a round-robin with the keyboard alone, and the correction of an uploaded file."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests.browser.test_registration import reach
from tests.faults.bureau import Bureau

DAY = timezone.localdate() - timedelta(days=3)
EVENTS = f"""
from datetime import date
from accounts.models import User
from django.utils import timezone
from events.models import Section, Appointment, Arbiter, Membership, Round
from events.operations import add_section, register_event
from events.tasks import check_upload
from events.submission.uploads import take_file
from players.models import Region, RegionalAdministrator
from players.operations import NewPlayer, register_players
from tests.builders import CLOCK, details, lines, round_robin, trf
by = User.objects.create_user("gau@example.org", "mopane-mopane", is_staff=True)
RegionalAdministrator.objects.create(user=by, region=Region.objects.get(code="GAU"), since=date(2023, 1, 1))
arbiter = Arbiter.objects.create(name="Grace Tenza", title="IA", number="100000123")
from datetime import date, timedelta
from django.utils import timezone
today = timezone.localdate()
Membership.objects.bulk_create(
    Membership(arbiter=arbiter, year=year, paid_on=date(year - 1, 12, 1)) for year in (today.year - 1, today.year)
)
day = date.fromisoformat("{DAY}")
people = lines(5)
register_players(
    [NewPlayer(*one.name.split(", "), birth_date=date.fromisoformat(one.born.replace("/", "-")), sex="M") for one in people],
    at=CLOCK,
)
for name, format, rounds in (("Club championship", "round-robin", 5), ("Mopane Open", "swiss", 5)):
    event = register_event(details(day, day, name=name, organiser_number="199000009"), at=CLOCK)
    Appointment.objects.create(event=event, arbiter=arbiter, position=1)
    section = add_section(
        event, Section(base_minutes=90, increment_seconds=30, starts=day, ends=day, format=format, planned_rounds=rounds)
    )
    for number in range(1, rounds + 1):
        Round.objects.create(section=section, number=number, date=day)
content = trf(lines(6), round_robin(6), starts=day, ends=day)
check_upload(take_file(event, name="mopane.trf", content=content, at=timezone.now(), by=by).pk)
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """The address of a bureau with two events that were played."""
    found = Bureau("embedded", tmp_path_factory.mktemp("by-hand"))
    found.python(EVENTS)
    yield found.serve()
    found.close()


def log_in(page, address, event):
    page.goto(f"{address}/events/{event}/results/")
    page.fill("#id_username", "gau@example.org")
    page.fill("#id_password", "mopane-mopane")
    page.press("#id_password", "Enter")
    page.wait_for_load_state()


def enter(page, selector):
    reach(page, selector, most=200)
    page.keyboard.press("Enter")
    page.wait_for_load_state()


def test_a_round_robin_by_keyboard_alone(page, address, complaints):
    log_in(page, address, 1)
    enter(page, "a[href$='/by-hand/']")
    expect(page.locator("h1")).to_have_text("Club championship: results by hand")
    reach(page, "#id_p1-name")
    for start, name in (("adend", "Adendorff, Anele"), ("buth", "Buthelezi, Bets"), ("cele", "Cele, Chris")):
        page.keyboard.type(start)
        expect(page.locator(".suggestions:visible li")).to_have_count(1)
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        expect(page.locator(":focus")).to_have_value(name)
        page.keyboard.press("Enter")  # on to the next row
    page.keyboard.type("100000004")  # an id alone, which the bureau completes
    page.keyboard.press("Enter")
    page.keyboard.type("Erasmus, Elsabe")
    for selector, text in (("#id_p5-born", "1984-05-17"), ("#id_p5-sex", "M"), ("#id_p6-name", "Fourie, Fikile")):
        reach(page, selector)
        page.keyboard.type(text)
    for selector, text in (("#id_p6-born", "2008-03-24"), ("#id_p6-sex", "F")):
        reach(page, selector)
        page.keyboard.type(text)
    enter(page, "button[value=pair]")
    expect(page.locator("#id_p4-name")).to_have_value("Dlamini, Dumisani")
    expect(page.locator(":focus")).to_have_attribute("name", "c1-1")
    for number in range(15):
        page.keyboard.type("1=0"[number % 3])
        page.keyboard.press("Enter")
    expect(page.locator("[data-count]")).to_have_text("15 games")
    expect(page.locator("#id_c6-1")).to_have_value("1b0")
    expect(page.locator(":focus")).to_have_text("Keep these results")
    assert float(page.locator("[data-points]").first.inner_text().replace("½", ".5")) > 0
    page.keyboard.press("Enter")
    page.wait_for_selector(".said")
    assert "The results are kept and checked" in page.inner_text(".said")
    assert "6 players, 5 rounds, 15 games" in page.inner_text(".block")
    enter(page, "a[href$='/players/']:not([href='/players/'])")
    page.wait_for_url("**/players/")
    enter(page, "#id_others")  # nothing of them is lacking: back to the results
    expect(page.locator(".tally .good")).to_have_text("No errors")
    reach(page, "#id_declared")
    page.keyboard.press("Space")
    enter(page, ".finish form button")
    page.wait_for_selector("h2:has-text('Submitted')")
    assert complaints == []


def test_an_uploaded_file_is_corrected(page, address):
    log_in(page, address, 2)
    page.get_by_role("link", name="Correct by hand").click()
    page.wait_for_load_state()
    cell = page.locator("#id_c1-1")
    assert cell.input_value() == "6w1"
    cell.focus()
    page.keyboard.type("+")
    page.keyboard.press("ArrowDown")
    expect(page.locator("[data-count]")).to_have_text("14 games, 1 forfeit")
    cell.focus()
    page.keyboard.type("=")
    page.keyboard.press("ArrowDown")
    expect(cell).to_have_value("6w=")
    expect(page.locator("#id_c6-1")).to_have_value("1b½")
    expect(page.locator("[data-count]")).to_have_text("15 games")
    expect(page.locator("#id_c2-1")).to_be_focused()
    page.keyboard.type("9w1")  # the whole of a game, where only its result is selected
    page.keyboard.press("Tab")
    expect(page.locator("#id_c2-1")).to_have_value("9w1")
    page.get_by_role("button", name="Keep these results").click()
    link = page.locator(".problems a")
    expect(link).to_contain_text("There is no player 9")
    link.click()
    expect(page.locator("#id_c2-1")).to_be_focused()
    page.keyboard.press("Control+A")
    page.keyboard.type("5w1")
    page.fill("#id_p2-fide_id", "14300001")
    page.get_by_role("button", name="Keep these results").click()
    changes = page.locator(".changes")
    expect(changes).to_contain_text("14300001")
    assert "from mopane.trf" in page.inner_text(".block")


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_but_the_crosstable_is_wider_than_the_window(page, address, width):
    page.set_viewport_size({"width": width, "height": 900})
    log_in(page, address, 2)
    page.goto(f"{address}/events/2/results/2/by-hand/")
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_without_script_the_buttons_do_all_of_it(browser, address):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    log_in(page, address, 2)
    page.goto(f"{address}/events/2/results/2/by-hand/")
    page.fill("#id_p1-name", "Adendorff, Annelie")
    page.press("#id_p1-name", "Enter")  # checks, and keeps nothing
    expect(page.locator(".said")).to_contain_text("It is not kept yet")
    expect(page.locator("#id_p1-name")).to_have_value("Adendorff, Annelie")
    page.get_by_role("button", name="Add players").click()
    expect(page.locator("#id_p7-name")).to_be_focused()
    context.close()
