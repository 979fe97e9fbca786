"""A section is refused, appealed, upheld, and rated, in Chromium; permission is asked on a phone."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.faults.bureau import Bureau

PEOPLE = """
from datetime import date
from accounts.models import User
from players.models import Region, RegionalAdministrator
from tests.events.appeals.cases import two_sections
from tests.builders import officer, panel
member = panel()
member.set_password("mopane-mopane")
member.save()
chief = officer()
chief.set_password("mopane-mopane")
chief.save()
by = User.objects.create_user("gau@example.org", "mopane-mopane", is_staff=True)
RegionalAdministrator.objects.create(user=by, region=Region.objects.get(code="GAU"), since=date(2023, 1, 1))
two_sections(date(2024, 3, 3))
two_sections()
"""
WHY = "Two time controls were used."


@pytest.fixture(scope="module")
def bureau(tmp_path_factory):
    """A bureau with an officer, a panel, an administrator, a submitted event of two sections, and one of yesterday."""
    made = Bureau("embedded", tmp_path_factory.mktemp("appeal"))
    made.python(PEOPLE)
    made.site = made.serve()
    yield made
    made.close()


def log_in(browser, site, name):
    page = browser.new_context().new_page()
    page.goto(f"{site}/account/log-in/")
    page.fill("#id_username", f"{name}@example.org")
    page.fill("#id_password", "mopane-mopane")
    page.press("#id_password", "Enter")
    page.wait_for_load_state()
    return page


def act(page, address, row, action, reason=""):
    """An action of the officers' lists on one row."""
    page.goto(address)
    page.locator("#result_list tr", has_text=row).locator("input.action-select").check()
    page.select_option('select[name="action"]', action)
    page.fill('input[name="reason"]', reason)
    page.click('button[name="index"]')
    page.wait_for_selector(".messagelist .success")


@pytest.mark.rule("chessa 11")
def test_a_refused_section_is_appealed_upheld_and_rated(browser, bureau):
    site = bureau.site
    event = bureau.value("SELECT id FROM events_event WHERE ends = '2024-03-03'")
    officer_page, region = log_in(browser, site, "officer"), log_in(browser, site, "gau")
    bureau.python("from events.models import *; from django.utils import timezone\n"
                  f"Event.objects.exclude(pk={event}).update(name='Yesterday Open')")  # fmt: skip
    act(officer_page, f"{site}/admin/events/section/", "Mopane Open, B", "refuse", WHY)

    region.goto(f"{site}/events/mine/")
    region.click("text=Appeal: Mopane Open")
    assert WHY in region.inner_text("main")
    region.click("text=Lodge appeal")
    region.click("text=Grounds of the appeal: Give the grounds of the appeal.")
    assert region.evaluate("document.activeElement.id") == "id_grounds"
    region.keyboard.type("The clocks were set alike.")
    region.click("text=Lodge appeal")
    region.wait_for_selector("text=The appeal is lodged")

    panel_page = log_in(browser, site, "panel")
    panel_page.goto(f"{site}/account/")
    panel_page.click("text=1 open appeal")
    act(panel_page, f"{site}/admin/events/appeal/", "Mopane Open, B", "uphold", "We looked at the list.")
    act(officer_page, f"{site}/admin/events/event/", "Mopane Open", "accept")
    bureau.command("calculate", "2024-03")
    bureau.command("publish", "2024-03")

    public = browser.new_context().new_page()
    public.goto(f"{site}/events/{event}/")
    steps = public.locator(".trail li").all_inner_texts()
    told = [step.partition("\n")[0] for step in steps]
    assert told == [
        "Registered", "Played", "Submitted", "B: refused", "B: appeal lodged", "B: appeal upheld", "Accepted", "Rated",
        "Published",
    ]  # fmt: skip
    assert public.locator("text=Rated on the list of").count() == 2


@pytest.mark.rule("chessa 18")
@pytest.mark.parametrize("width", [390, 1280])
def test_permission_is_asked_until_tonight(browser, bureau, width):
    site = bureau.site
    yesterday = timezone.localdate() - timedelta(days=1)
    event = bureau.value(f"SELECT id FROM events_event WHERE ends = '{yesterday}'")
    page = log_in(browser, site, "gau")
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"{site}/events/{event}/permission/")
    assert "left, until midnight of that day" in page.inner_text(".deadline")
    page.select_option("#id_section", "A" if width == 390 else "B")
    page.fill("#id_players", "5")
    page.fill("#id_rounds", "5")
    page.fill("#id_reason", "One withdrew on the morning. " * 40)
    page.click("text=Ask for permission >> nth=-1")
    page.wait_for_selector("text=The request is sent")
    for address in (f"/events/{event}/permission/", f"/events/{event}/appeal/", "/events/mine/"):
        page.goto(f"{site}{address}")
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), address
