"""Sending results in, in Chromium: a dirty file is corrected on the page and submitted; then it is returned and corrected."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from config.lib import formatting
from tests.builders import Line, round_robin, trf
from tests.conftest import ROOT
from tests.faults.bureau import Bureau

DAY = timezone.localdate() - timedelta(days=3)
DIRTY = ROOT / "tests/events/files/data/user-names.trf"  # a real file: no ids, no days of rounds, names with no comma
EVENT = f"""
from datetime import date
from accounts.models import User
from events.models import Section, Arbiter, Round
from events.operations import add_section, register_event
from players.models import Region, RegionalAdministrator
from players.operations import NewPlayer, register_players
from tests.builders import CLOCK, details
by = User.objects.create_user("gau@example.org", "mopane-mopane", is_staff=True)
RegionalAdministrator.objects.create(user=by, region=Region.objects.get(code="GAU"), since=date(2023, 1, 1))
Arbiter.objects.create(name="Grace Tenza", title="IA", number="100000123")
day = date.fromisoformat("{DAY}")
event = register_event(details(day, day, name="Mopane Open", organiser_number="199000009"), at=CLOCK)
add_section(event, Section(base_minutes=90, increment_seconds=30, starts=day, ends=day, name="A", planned_rounds=7))
"""


@pytest.fixture(scope="module")
def bureau(tmp_path_factory):
    """A bureau with web server and worker, and an event that was played."""
    found = Bureau("embedded", tmp_path_factory.mktemp("results"))
    found.python(EVENT)
    found.worker()
    yield found
    found.close()


@pytest.fixture(scope="module")
def address(bureau):
    """The address of the bureau."""
    return bureau.serve()


def log_in(page, address):
    page.goto(f"{address}/events/mine/")
    page.fill("#id_username", "gau@example.org")
    page.fill("#id_password", "mopane-mopane")
    page.press("#id_password", "Enter")
    page.get_by_role("link", name=re.compile("Upload results")).click()


def confirm_all(page):
    """Say in the table of players that all whom nobody resembles are new, and come back."""
    results = page.url.partition("?")[0]
    page.get_by_role("link", name=re.compile("Say who the .* players are")).click()
    page.get_by_role("button", name=re.compile("others are new players")).click()
    expect(page.locator(".group.unknown")).to_have_count(0)
    page.goto(results)


def test_a_dirty_file_is_mended_and_submitted_then_returned_and_corrected(page, address, bureau, complaints, tmp_path):
    page.set_viewport_size({"width": 390, "height": 844})
    log_in(page, address)
    expect(page.get_by_role("heading", name="Results of Mopane Open")).to_be_visible()
    page.wait_for_load_state()
    page.set_input_files("#id_file", DIRTY)
    expect(page.locator(".tally")).to_be_visible(timeout=60_000)
    expect(page.locator(".tally .error")).to_be_visible()
    confirm_all(page)
    expect(page.locator(".tally .good")).to_have_text("No errors")
    for name, button in (
        ("days", "Set these days"),
        ("dates", "Take these days"),
        ("control", "Take this time control"),
    ):
        form = page.locator(f"form.control-{name}")
        if not form.count():
            continue
        for field in form.locator("input[type=date]").all():
            field.fill(DAY.isoformat())
        for radio in form.get_by_label(re.compile("registration is right")).all():
            radio.check()
        form.get_by_role("button", name=button).click()
        expect(page.locator(f"form.control-{name}")).to_have_count(0)
    arbiters = page.locator("form.control-arbiters")
    if arbiters.count():
        arbiters.locator("select").select_option(label="International Arbiter Grace Tenza")
        arbiters.get_by_role("button", name="Add arbiter").click()
        expect(page.locator("form.control-arbiters")).to_have_count(0)
    penalties = page.locator(".penalty form").filter(has=page.get_by_label("Without notice"))
    for left in range(penalties.count(), 0, -1):
        penalties.first.get_by_label("Without notice").check()
        penalties.first.get_by_role("button", name="Keep answer").click()
        expect(penalties).to_have_count(left - 1)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    reason = page.locator("#id_reason")
    reason.fill("The pairing program wrote no dates of birth.")
    page.get_by_role("button", name=re.compile("Undo all .* new players")).click()
    expect(reason).to_have_count(0)
    confirm_all(page)
    expect(reason).to_have_value("The pairing program wrote no dates of birth.")
    page.get_by_label(re.compile("complete and correct")).check()
    page.get_by_role("button", name="Submit event").click()
    expect(page.locator(".said")).to_have_text("Mopane Open is submitted. The ratings officer has it now.")
    assert bureau.value("SELECT state FROM events_event") == "submitted"
    bureau.python(
        "from django.utils import timezone; from events.models import Event; from events.operations import return_event;"
        "return_event(Event.objects.get(), at=timezone.now(), reason='Round 1 is wrong.')"
    )
    page.goto(f"{address}/events/mine/")
    page.get_by_role("link", name=re.compile("Correct results")).click()
    text = DIRTY.read_bytes()
    line = next(one for one in text.split(b"\n") if one.startswith(b"001") and b" w 1" in one)
    corrected = tmp_path / "corrected.trf"
    corrected.write_bytes(text.replace(b"Swiss", b"swiss", 1).replace(line[14:30], line[14:30].upper(), 1))
    page.wait_for_load_state()
    page.set_input_files("#id_file", corrected)
    page.locator("details.section > summary").filter(has_text="nothing is open").click(timeout=60_000)
    expect(page.locator("details details summary").filter(has_text="user-names.trf")).to_be_visible(timeout=60_000)
    assert complaints == []


def test_without_script_the_page_does_the_same(browser, address, bureau):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}/events/mine/")
    page.fill("#id_username", "gau@example.org")
    page.fill("#id_password", "mopane-mopane")
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("link", name=re.compile("(Correct|Upload) results")).click()
    page.set_input_files("#id_file", DIRTY)
    page.get_by_role("button", name="Upload file").click()
    expect(page.locator("details.section > summary")).to_contain_text("nothing is open", timeout=60_000)
    page.locator("details.section > summary").click()
    page.get_by_role("button", name="Take away").click()
    expect(page.locator(".said")).to_contain_text("taken away")
    context.close()


TWO = f"""
from datetime import date
from events.models import Section
from events.operations import add_section, register_event
from tests.builders import CLOCK, details
day = date.fromisoformat("{DAY}")
event = register_event(details(day, day, name="Baobab Open", organiser_number="199000009"), at=CLOCK)
for name in ("A", "B"):
    add_section(event, Section(base_minutes=90, increment_seconds=30, starts=day, ends=day, name=name, planned_rounds=7))
print(event.pk)
"""


def confirm_newcomers(page, address, bureau, tmp_path) -> str:
    """Upload a file of section A of a new event and confirm its players as new; the event's number."""
    event = bureau.python(TWO).strip()
    page.goto(f"{address}/events/{event}/results/")
    page.fill("#id_username", "gau@example.org")
    page.fill("#id_password", "mopane-mopane")
    page.press("#id_password", "Enter")
    page.wait_for_load_state()
    page.select_option("#id_section", label="Baobab Open, A")
    people = [Line(f"{name}, Zodwa") for name in ("Adebe", "Bhengu", "Cele", "Duma", "Fuze", "Gumede")]
    file = tmp_path / "six.trf"
    file.write_bytes(trf(people, round_robin(6), starts=DAY, ends=DAY, arbiter="", dated=False))
    page.set_input_files("#id_file", file)
    expect(page.locator(".tally")).to_be_visible(timeout=60_000)
    confirm_all(page)
    return event


def test_what_is_typed_stays_while_files_are_checked_and_other_answers_are_sent(
    page, address, bureau, complaints, tmp_path
):
    """A file whose check never comes stands for a worker that is busy."""
    event = confirm_newcomers(page, address, bureau, tmp_path)
    days = page.locator("form.control-days input[type=date]")
    expect(days.first).to_be_visible()
    days.first.fill(DAY.isoformat())
    page.locator("form.control-arbiters select").select_option(label="International Arbiter Grace Tenza")
    page.get_by_role("button", name="Add arbiter").click()
    expect(page.locator("form.control-arbiters")).to_have_count(0)
    expect(days.first).to_have_value(DAY.isoformat())
    bureau.python(
        "from django.utils import timezone; from events.models import Event, Upload;"
        " from events.submission.uploads import take_file;"
        f" event = Event.objects.get(pk={event}); section = event.sections.get(name='B');"
        " upload = take_file(event, name='b.trf', content=b'012 B', at=timezone.now(), by=None, section=section);"
        " Upload.objects.filter(pk=upload.pk).update(asked_at=timezone.now() + timezone.timedelta(hours=1))"
    )
    page.reload()
    expect(page.locator("[data-waiting]")).to_have_count(1)
    days.first.fill(DAY.isoformat())
    days.nth(1).focus()
    with page.expect_response(re.compile("/results/")):
        pass
    with page.expect_response(re.compile("/results/")):
        pass
    expect(days.first).to_have_value(DAY.isoformat())
    expect(days.nth(1)).to_be_focused()
    assert complaints == []


DROP = """text => {
  const files = new DataTransfer();
  files.items.add(new File([text], "dropped.trf"));
  for (const kind of ["dragover", "drop"]) {
    const event = new DragEvent(kind, { dataTransfer: files, bubbles: true, cancelable: true });
    document.querySelector("[data-files]").dispatchEvent(event);
  }
}"""


def test_a_file_is_dropped_and_what_is_wrong_is_said_in_place(page, address, bureau):
    event = bureau.python(TWO).strip()
    page.goto(f"{address}/events/{event}/results/")
    page.fill("#id_username", "gau@example.org")
    page.fill("#id_password", "mopane-mopane")
    page.press("#id_password", "Enter")
    page.wait_for_load_state()
    page.evaluate(DROP, "Dear bureau, please rate us.")
    expect(page.locator(".problems")).to_contain_text("dropped.trf is not taken")
    expect(page.locator(".problems")).to_be_focused()
    page.select_option("#id_section", label="Baobab Open, B")
    page.evaluate(DROP, "012 Baobab")
    expect(page.locator(".problems")).to_have_count(0)
    expect(page.locator(".tally")).to_be_visible()
    page.get_by_role("button", name="Check again").click()
    expect(page.locator(".block").nth(1)).to_be_focused()
    assert page.url.endswith(f"/events/{event}/results/")
    page.context.clear_cookies(name="sessionid")
    page.get_by_role("button", name="Take away").click()
    expect(page.locator("#id_username")).to_be_visible()
    assert page.url.endswith(f"?next=/events/{event}/results/")


WAITING = """
from django.utils import timezone
from events.models import Event, Upload
from events.submission.uploads import take_file
event = Event.objects.get(pk={event})
upload = take_file(event, name="b.trf", content=b"012 B", at=timezone.now(), by=None, section=event.sections.get(name="B"))
Upload.objects.filter(pk=upload.pk).update(asked_at=timezone.now() + timezone.timedelta(hours=1))
"""


@pytest.fixture
def checked(page, address, bureau, tmp_path):
    """The page of a new event, of whose section A a file is checked, with new players."""
    event = confirm_newcomers(page, address, bureau, tmp_path)
    expect(page.locator("form.control-days")).to_be_visible()
    return event


def wait_for_polls(page, number=2):
    for _ in range(number):
        with page.expect_response(lambda response: response.request.method == "GET" and "/results/" in response.url):
            pass


def test_what_is_wrong_stays_while_files_are_checked(page, checked, bureau, tmp_path):
    """All days are wrong: a right one would be taken, and every small file that waits be checked with it."""
    bureau.python(WAITING.format(event=checked))
    page.reload()
    days = page.locator("form.control-days input[type=date]")
    number = days.count()
    for day in days.all():
        day.fill("2999-01-02")
    page.get_by_role("button", name="Set these days").click()
    expect(page.locator("form.control-days .problem")).to_have_count(number)
    expect(page.locator(".problems")).to_be_focused()
    days.nth(1).focus()
    wait_for_polls(page)
    expect(page.locator("form.control-days .problem")).to_have_count(number)
    expect(page.locator(".problems")).to_be_visible()
    expect(days.nth(1)).to_be_focused()
    expect(days.first).to_have_value("2999-01-02")
    big = tmp_path / "big.trf"
    big.write_bytes(b"0" * 6_100_000)
    with page.expect_file_chooser() as chooser:
        page.locator("#id_file").click()
    wait_for_polls(page)
    chooser.value.set_files(big)
    expect(page.locator(".problems")).to_contain_text("big.trf has 6.1 MB")
    expect(page.locator("[data-waiting]")).to_have_count(0)
    expect(page.locator(".problems")).to_contain_text("big.trf has 6.1 MB")
    expect(days.first).to_have_value("2999-01-02")
    for day in days.all()[1:]:
        day.fill(DAY.isoformat())
    page.get_by_role("button", name="Set these days").click()
    expect(days).to_have_count(1)
    expect(days).to_have_value("2999-01-02")
    expect(page.locator("form.control-days .problem")).to_have_count(1)
    days.fill(DAY.isoformat())
    page.get_by_role("button", name="Set these days").click()
    expect(page.locator(".problems")).to_have_count(0)
    expect(page.locator(".corrections")).to_contain_text(formatting.day(DAY))


def test_what_could_not_be_sent_stays_on_the_page(page, checked, bureau, tmp_path):
    bureau.python(WAITING.format(event=checked))
    page.reload()
    days = page.locator("form.control-days input[type=date]")
    days.first.fill(DAY.isoformat())
    page.route("**/events/**", lambda route: route.fallback() if route.request.method == "GET" else route.abort())
    page.get_by_role("button", name="Set these days").click()
    expect(page.locator(".problems")).to_contain_text("Not sent: there is no connection")
    expect(page.locator(".problems")).to_be_focused()
    wait_for_polls(page)
    expect(page.locator(".problems")).to_be_visible()
    expect(days.first).to_have_value(DAY.isoformat())
    file = tmp_path / "c.trf"
    file.write_bytes(b"012 C")
    page.set_input_files("#id_file", file)
    expect(page.get_by_role("button", name="Upload file")).to_be_visible()
    wait_for_polls(page)
    assert page.evaluate("document.getElementById('id_file').files[0].name") == "c.trf"
    page.unroute("**/events/**")
    page.route("**/events/**", lambda route: route.fulfill(status=503, body="Not now"))
    page.get_by_role("button", name="Set these days").click()
    expect(page.locator(".problems")).to_contain_text("Not sent: the server cannot answer now")
    wait_for_polls(page)
    expect(days.first).to_have_value(DAY.isoformat())
    page.unroute("**/events/**")
    page.context.clear_cookies(name="csrftoken")
    page.route("**/events/*/results/", lambda route: route.abort())  # a poll would bring a new cookie
    page.get_by_role("button", name="Set these days").click()
    expect(page.locator(".problems")).to_contain_text("Not sent: the page is out of date")
    expect(days.first).to_have_value(DAY.isoformat())


def test_what_is_typed_stays_until_it_is_sent(page, checked):
    days = page.locator("form.control-days input[type=date]")
    days.first.fill("2999-01-02")
    page.get_by_role("button", name="Set these days").click()
    expect(page.locator(".problems")).to_be_visible()
    page.locator("form.control-arbiters select").select_option(label="International Arbiter Grace Tenza")
    page.get_by_role("button", name="Add arbiter").click()
    expect(page.locator("form.control-arbiters")).to_have_count(0)
    expect(days.first).to_have_value("2999-01-02")
    page.locator(".corrections li").filter(has_text="Grace Tenza").get_by_role("button").click()
    expect(page.locator("form.control-arbiters")).to_be_visible()
    expect(days.first).to_have_value("2999-01-02")


BOTH = """() => {
  document.querySelector("form.control-days").requestSubmit();
  document.querySelector("form.control-arbiters").requestSubmit();
}"""


def test_answers_that_follow_quickly_are_sent_one_after_another(page, checked):
    days = page.locator("form.control-days input[type=date]")
    days.first.fill(DAY.isoformat())
    page.locator("form.control-arbiters select").select_option(label="International Arbiter Grace Tenza")
    page.evaluate(BOTH)
    expect(page.locator(".corrections")).to_contain_text("Grace Tenza")
    expect(page.locator(".corrections")).to_contain_text(formatting.day(DAY))
    expect(page.locator("main")).to_have_count(1)


def test_a_wrong_answer_stops_those_that_follow(page, checked):
    days = page.locator("form.control-days input[type=date]")
    days.first.fill("2999-01-02")
    arbiter = page.locator("form.control-arbiters select")
    arbiter.select_option(label="International Arbiter Grace Tenza")
    chosen = arbiter.input_value()
    sent = []
    page.on("request", lambda request: request.method == "POST" and sent.append(request.url))
    page.evaluate(BOTH)
    expect(page.locator(".problems")).to_contain_text("2 Jan 2999 is still to come")
    page.wait_for_timeout(1_000)
    assert len(sent) == 1, sent
    expect(page.locator(".problems")).to_be_visible()
    expect(arbiter).to_have_value(chosen)
