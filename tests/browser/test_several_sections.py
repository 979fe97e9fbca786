"""The files of an event of several sections, in Chromium: none is passed over, and one question leads to the next."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.builders import Line, Pair, lines, round_robin, trf
from tests.faults.bureau import Bureau

DAY = timezone.localdate() - timedelta(days=3)
SECTIONS = "ABCDEF"
MISSED = {"B": 2, "E": 2}  # forfeits of the third round
EVENTS = f"""
from datetime import date
from accounts.models import User
from events.models import Round, Section
from events.operations import add_section, register_event
from players.models import Region, RegionalAdministrator
from players.operations import NewPlayer, register_players
from tests.builders import CLOCK, details, lines, recognised
by = User.objects.create_user("gau@example.org", "mopane-mopane", is_staff=True)
RegionalAdministrator.objects.create(user=by, region=Region.objects.get(code="GAU"), since=date(2023, 1, 1))
day = date.fromisoformat("{DAY}")
recognised(year=day.year)
people = [[*one.name.split(", "), date.fromisoformat(one.born.replace("/", "-"))] for one in lines(36)]
register_players([NewPlayer(last, first, birth_date=born, sex="M") for last, first, born in people], at=CLOCK)
for sections in ("AB", "{SECTIONS}"):
    event = register_event(details(day, day, name=f"Mopane Open, {{len(sections)}} sections"), at=CLOCK)
    for name in sections:
        section = add_section(
            event, Section(base_minutes=90, increment_seconds=30, starts=day, ends=day, planned_rounds=5, name=name)
        )
        Round.objects.bulk_create(Round(section=section, number=number, date=day) for number in range(1, 6))
    print(event.pk)
"""
# Of what has the focus: whether it is wholly between the window's top and the line at its foot.
UNCOVERED = """element => {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= document.querySelector(".left-line").getBoundingClientRect().top;
}"""


@pytest.fixture(scope="module")
def events(tmp_path_factory):
    """The pages of the results of two events that were played, of two and of six sections, in a bureau with a worker."""
    bureau = Bureau("embedded", tmp_path_factory.mktemp("sections"))
    numbers = bureau.python(EVENTS).split()
    bureau.worker()
    address = bureau.serve()
    yield [f"{address}/events/{number}/results/" for number in numbers]
    bureau.close()


def log_in(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(address)
    page.fill("#id_username", "gau@example.org")
    page.fill("#id_password", "mopane-mopane")
    page.press("#id_password", "Enter")
    page.wait_for_load_state()


def sent(name: str, people: list[Line], rounds: list[list[Pair]], event: str = "Mopane") -> dict[str, str | bytes]:
    """A file as a browser sends it."""
    content = trf(people, rounds, starts=DAY, ends=DAY, name=event)
    return {"name": name, "mimeType": "text/plain", "buffer": content}


def of_section(section: str, results: str = "1=01") -> dict[str, str | bytes]:
    """A file of a section, which it names: six players of its own, who are all known."""
    first = 6 * SECTIONS.index(section)
    rounds = round_robin(6, results)
    rounds[2] = [
        (white, black, "+" if place < MISSED.get(section, 0) else result)
        for place, (white, black, result) in enumerate(rounds[2])
    ]
    return sent(f"{section.lower()}.trf", lines(36)[first : first + 6], rounds, f"Mopane {section}")


def test_a_file_without_a_section_keeps_the_event_back_until_it_is_placed_or_taken_away(page, events, complaints):
    log_in(page, events[0])
    page.set_input_files("#id_file", [of_section("A"), {**of_section("C"), "name": "b.trf"}])
    expect(page.get_by_role("button", name="Submit event")).to_be_visible()
    again = {**of_section("A", results="0="), "name": "corrected.trf"}
    strangers = [Line(name) for name in ("Zulu, Anele", "Yende, Bets", "Xaba, Chris", "Wessels, Dumisani")]
    page.set_input_files("#id_file", [again, sent("other.trf", strangers, round_robin(4), "Winter league")])
    strays = page.locator(".stray")
    expect(strays).to_have_count(2)
    expect(strays.first).to_contain_text("It fits Section A, which has a.trf already")
    expect(strays.nth(1)).to_contain_text("which section is it for?")
    expect(page.get_by_role("button", name="Submit event")).to_have_count(0)
    expect(page.locator("#declaration li")).to_have_text(
        [re.compile(f"{name} is for no section yet") for name in ("corrected.trf", "other.trf")]
    )
    expect(page.locator(".left-line [role=status]")).to_have_text("2 questions are open")
    page.locator("#declaration a").first.click()
    expect(strays.first).to_be_in_viewport()
    strays.first.get_by_role("button", name="Take for this section").click()
    expect(strays).to_have_count(1)
    expect(strays.locator("select")).to_be_focused()
    expect(page.get_by_role("button", name="Submit event")).to_have_count(0)
    strays.get_by_role("button", name="Take away").click()
    expect(strays).to_have_count(0)
    page.get_by_label(re.compile("complete and correct")).check()
    page.get_by_role("button", name="Submit event").click()
    expect(page.locator(".said")).to_contain_text("is submitted")
    expect(page.locator(".block .file b")).to_have_text(["corrected.trf", "b.trf"])
    assert complaints == []


def test_each_answer_leads_to_the_next_open_question_and_what_is_settled_is_folded(page, events, complaints):
    log_in(page, events[1])
    page.set_input_files("#id_file", [of_section(name) for name in SECTIONS])
    sections, asked = page.locator("details.section"), page.locator(".penalty form[data-open]")
    expect(asked).to_have_count(4)
    expect(page.locator("details.section[open]")).to_have_count(len(MISSED))
    choices, focused = asked.get_by_label("Without notice"), page.locator(":focus")
    page.keyboard.press("Alt+n")
    expect(choices.nth(0)).to_be_focused()
    page.keyboard.press("Alt+n")
    expect(choices.nth(1)).to_be_focused()
    for place in (2, 3, 0):
        page.get_by_role("link", name="Next open").click()
        expect(choices.nth(place)).to_be_focused()
        assert focused.evaluate(UNCOVERED)
    for size in ({"width": 390, "height": 844}, {"width": 1280, "height": 900}):
        page.set_viewport_size(size)
        page.locator("#id_file").focus()
        while not focused.evaluate("element => Boolean(element.closest('#declaration, .left-line, footer'))"):
            page.keyboard.press("Tab")
            assert focused.evaluate(f"element => element.closest('.left-line') || ({UNCOVERED})(element)"), (
                focused.inner_html()
            )
    page.keyboard.press("Alt+n")
    for left in range(4, 0, -1):
        expect(asked).to_have_count(left)
        expect(choices.first).to_be_focused()
        assert focused.evaluate(UNCOVERED)
        page.keyboard.press("Space")
        page.keyboard.press("Enter")
    expect(asked).to_have_count(0)
    expect(page.locator("#declaration :focus")).to_have_count(1)
    expect(sections).to_have_count(len(SECTIONS))
    expect(page.locator("details.section[open]")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollHeight") <= 3 * 900
    assert complaints == []
