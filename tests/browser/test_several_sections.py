"""The files of an event's sections, in Chromium: a clean one is soon sent in, none is passed over, each question leads on."""

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.builders import Line, Pair, lines, round_robin, trf
from tests.faults.bureau import Bureau

DAY = timezone.localdate() - timedelta(days=3)
SECTIONS, ALONE, PAIR = "ABCDEF", "G", "HI"
PEOPLE = [replace(one, born=f"{1980 + place % 30}/05/17") for place, one in enumerate(lines(54))]
BORN = [(one.name, one.born.replace("/", "-")) for one in PEOPLE]
MISSED = {"B": 2, "E": 2}  # forfeits of the third round
EVENTS = f"""
from datetime import date
from accounts.models import User
from events.models import Round, Section
from events.operations import add_section, register_event
from players.models import Region, RegionalAdministrator
from players.operations import NewPlayer, register_players
from tests.builders import CLOCK, details, recognised
by = User.objects.create_user("gau@example.org", "mopane-mopane", is_staff=True)
RegionalAdministrator.objects.create(user=by, region=Region.objects.get(code="GAU"), since=date(2023, 1, 1))
day = date.fromisoformat("{DAY}")
recognised(year=day.year)
people = [[*name.split(", "), date.fromisoformat(born)] for name, born in {BORN!r}]
register_players([NewPlayer(last, first, birth_date=born, sex="M") for last, first, born in people], at=CLOCK)
for sections in ("{PAIR}", "{SECTIONS}", "{ALONE}"):
    event = register_event(details(day, day, name=f"Mopane Open {{sections}}"), at=CLOCK)
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

# In which part of the page it is: a field above the line that is not covered, or the line.
PLACE = f"""element => element.closest(".left-line") ? "line" : ({UNCOVERED})(element) ? "field" : element.outerHTML"""
# Presses of the mouse, counted over the pages of a walk.
COUNTED = """addEventListener("pointerdown", () => {
  sessionStorage.clicks = Number(sessionStorage.clicks ?? 0) + 1;
}, true)"""


@pytest.fixture(scope="module")
def events(tmp_path_factory):
    """The pages of the results of events that were played, of two, six and one section, in a bureau with a worker."""
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
    first = 6 * (SECTIONS + ALONE + PAIR).index(section)
    rounds = round_robin(6, results)
    rounds[2] = [
        (white, black, "+" if place < MISSED.get(section, 0) else result)
        for place, (white, black, result) in enumerate(rounds[2])
    ]
    return sent(f"{section.lower()}.trf", PEOPLE[first : first + 6], rounds, f"Mopane {section}")


def test_a_clean_file_is_sent_in_by_three_clicks_on_one_page(page, events, complaints):
    page.add_init_script(COUNTED)
    log_in(page, events[2])
    with page.expect_file_chooser() as chooser:
        page.locator("#id_file").click()
    chooser.value.set_files(of_section(ALONE))
    page.get_by_label(re.compile("complete and correct")).check()
    page.get_by_role("button", name="Submit event").click()
    expect(page.locator(".said")).to_contain_text("is submitted")
    assert page.evaluate("sessionStorage.clicks") == "3"
    assert page.url.partition("#")[0] == events[2]
    assert complaints == []


def test_a_file_without_a_section_keeps_the_event_back_until_it_is_placed_or_taken_away(page, events, complaints):
    log_in(page, events[0])
    page.set_input_files("#id_file", [of_section(name) for name in PAIR])
    expect(page.get_by_role("button", name="Submit event")).to_be_visible()
    again = {**of_section("H", results="0="), "name": "corrected.trf"}
    strangers = [Line(name) for name in ("Zulu, Anele", "Yende, Bets", "Xaba, Chris", "Wessels, Dumisani")]
    page.set_input_files("#id_file", [again, sent("other.trf", strangers, round_robin(4), "Winter league")])
    strays = page.locator(".stray")
    expect(strays).to_have_count(2)
    expect(strays.first).to_contain_text("It fits Section H, which has h.trf already")
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
    expect(page.locator(".block .file b")).to_have_text(["corrected.trf", "i.trf"])
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
    page.set_viewport_size({"width": 390, "height": 844})
    places = ["field"]
    while places[-1] == "field":
        page.keyboard.press("Tab")
        places.append(focused.evaluate(PLACE))
    assert places.count("field") > 20
    assert places[-1] == "line"
    page.set_viewport_size({"width": 1280, "height": 900})
    page.keyboard.press("Alt+n")
    expect(choices.nth(0)).to_be_focused()
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
