"""Forty players whom the register does not know, four near misses and three forfeits, by one paste and a few clicks."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests.builders import Line, round_robin, trf
from tests.faults.bureau import Bureau

DAY = timezone.localdate() - timedelta(days=3)
SURNAMES = ("Adebe", "Bhengu", "Cele", "Duma", "Fuze", "Gumede", "Hadebe", "Jali", "Khoza", "Langa", "Mbatha")
GIVEN = ("Zodwa", "Thabo", "Lindiwe", "Sipho")
NAMES = [f"{last}, {first}" for first in GIVEN for last in SURNAMES]  # 44, of whom the last four are near misses
KEYS_A_SECOND, MOST_CLICKS, MOST_SECONDS = 5, 15, 180
EVENT = f"""
from datetime import date
from accounts.models import User
from events.models import Section, Arbiter
from events.operations import add_section, register_event
from players.models import Region, RegionalAdministrator
from players.operations import NewPlayer, register_players
from django.utils import timezone
from tests.builders import CLOCK, details
by = User.objects.create_user("gau@example.org", "mopane-mopane", is_staff=True)
gauteng = Region.objects.get(code="GAU")
RegionalAdministrator.objects.create(user=by, region=gauteng, since=date(2023, 1, 1))
Arbiter.objects.create(name="Grace Tenza", title="IA", number="100000123")
register_players(
    [NewPlayer(last + "e", first, birth_date=date(2011, 2, 3), region=gauteng, sex="M")
     for last, first in (name.split(", ") for name in {NAMES[40:]!r})],
    at=timezone.now(),
)
day = date.fromisoformat("{DAY}")
event = register_event(details(day, day, name="Schools Open", organiser_number="199000009"), at=CLOCK)
add_section(event, Section(base_minutes=90, increment_seconds=30, starts=day, ends=day, name="A", planned_rounds=5))
print(event.pk)
"""


@pytest.fixture(scope="module")
def bureau(tmp_path_factory):
    """A bureau with web server and worker."""
    found = Bureau("embedded", tmp_path_factory.mktemp("newcomers"))
    found.worker()
    yield found
    found.close()


class Hand:
    """A practised person's hand: it counts clicks and keys; a paste is two keys."""

    def __init__(self, page):
        self.page, self.clicks, self.keys, self.pastes = page, 0, 0, 0

    def click(self, target):
        self.clicks += 1
        target.click()

    def press(self, key):
        self.keys += 1
        self.page.keyboard.press(key)

    def paste(self, text):
        self.keys += 2
        self.pastes += 1
        self.page.evaluate(
            """text => {
              const data = new DataTransfer();
              data.setData("text/plain", text);
              const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
              document.activeElement.dispatchEvent(event);
            }""",
            text,
        )


def test_forty_newcomers_are_mended_by_one_paste_and_the_keyboard(page, bureau, complaints, tmp_path):
    event = bureau.python(EVENT).strip()
    address = bureau.serve()
    page.goto(f"{address}/events/{event}/results/")
    page.fill("#id_username", "gau@example.org")
    page.fill("#id_password", "mopane-mopane")
    page.press("#id_password", "Enter")
    page.wait_for_load_state()
    rounds = round_robin(44)[:5]
    forfeited = [(white, black, "+" if place < 3 else result) for place, (white, black, result) in enumerate(rounds[2])]
    file = tmp_path / "schools.trf"
    people = [Line(name, sex="") for name in NAMES]
    file.write_bytes(trf(people, [*rounds[:2], forfeited, *rounds[3:]], starts=DAY, ends=DAY, dated=False))
    hand = Hand(page)
    hand.clicks += 1  # on the file
    page.set_input_files("#id_file", file)
    hand.click(page.get_by_role("link", name=re.compile("Say who the 44 players are")))
    # the near misses: the best candidate is marked and the button has the focus
    for left in range(44, 40, -1):
        expect(page.locator(".left-line [role=status]")).to_contain_text(f"{left} lines to be settled")
        expect(page.locator("button[id^=id_take-]").first).to_be_focused()
        hand.press("Enter")
    expect(page.locator(".left-line [role=status]")).to_contain_text("40 lines to be settled")
    hand.click(page.get_by_role("button", name="All 40 others are new players"))
    expect(page.locator("#id_birth-1")).to_be_focused()
    rows = [f"{2000 + place % 15}-03-{place % 28 + 1:02d}\t{'FM'[place % 2]}" for place in range(40)]
    rows[7] = "31/02/2010\tF"
    hand.paste("\n".join(rows))
    # what cannot be read stands in its cell, the rest is kept; a reload shows it all
    expect(page.locator("td.wrong")).to_have_count(1)
    page.reload()
    expect(page.locator("#id_birth-8")).to_have_value("31/02/2010")
    expect(page.locator("#id_birth-8")).to_be_focused()
    expect(page.locator("#id_birth-40")).to_have_value("2009-03-12")
    expect(page.locator("#id_sex-8")).to_have_value("F")
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.set_viewport_size({"width": 1280, "height": 720})
    page.locator("#id_birth-8").select_text()
    for key in "2010-02-28":
        hand.press(key)
    expect(page.locator("td.wrong")).to_have_count(0)
    expect(page.locator("#id_birth-8")).to_be_focused()
    hand.click(page.locator("#id_back"))
    expect(page.locator(".tally .good")).to_have_text("No errors")
    hand.click(page.get_by_role("button", name="Set these days"))
    expect(page.locator("form.control-days")).to_have_count(0)
    penalties = page.locator(".penalty form").filter(has=page.get_by_label("Without notice"))
    for left in range(3, 0, -1):
        expect(penalties).to_have_count(left)
        hand.click(penalties.first.get_by_label("Without notice"))
        hand.click(penalties.first.get_by_role("button", name="Keep answer"))
    expect(penalties).to_have_count(0)
    hand.click(page.locator("#id_reason"))
    for key in "They played all the same.":
        hand.press(key)
    hand.click(page.get_by_label(re.compile("complete and correct")))
    hand.click(page.get_by_role("button", name="Submit event"))
    expect(page.locator(".said")).to_contain_text("is submitted")
    print(f"clicks {hand.clicks}, pastes {hand.pastes}, keys {hand.keys}")
    assert [text for text in complaints if "422" not in text] == []
    assert (hand.pastes, hand.clicks <= MOST_CLICKS) == (1, True), hand.clicks
    assert hand.keys / KEYS_A_SECOND <= MOST_SECONDS
