"""The AOC's list into the register: who is meant, what differs, what is written, and that it is written as it was shown."""

from datetime import date, timedelta

import pytest

from accounts.models import Decision
from accounts.trail.operations import key_of
from events.arbiters.import_list import export_arbiters, preview_import, write_list
from events.files.aoc_list import read_aoc_list
from events.models import Arbiter, Membership
from tests.builders import CLOCK, TODAY, everything, officer

pytestmark = pytest.mark.django_db
HEAD = "number;fide_id;name;title;federation;fee_year;paid_on"


@pytest.fixture
def by():
    return officer()


@pytest.fixture
def grace():
    arbiter = Arbiter.objects.create(name="Grace Tenza", title="NA", number="100000001", fide_id=14300001)
    Membership.objects.create(arbiter=arbiter, year=2023, paid_on=date(2023, 1, 5))
    return arbiter


def listed(*lines, head=HEAD):
    found = read_aoc_list("\n".join((head, *lines)).encode(), begins=1, today=TODAY)
    assert found.errors == []
    return found


def shown(by, *lines):
    """The differences as (line, name, new, found by, {field: (before, after)})."""
    found = preview_import(listed(*lines), at=CLOCK, by=by)
    assert found.errors == ()
    return [
        (one.line, one.name, one.new, one.by, {change.label: (change.before, change.after) for change in one.changes})
        for one in found.differences
    ]


def errors(by, *lines):
    return [(finding.line, finding.message) for finding in preview_import(listed(*lines), at=CLOCK, by=by).errors]


def test_a_preview_writes_nothing(by, grace):
    before = everything()
    shown(by, ";;Grace Tenza;IA;;2024;2024-01-05", ";;Zodwa Cele;NA;;2024;2024-01-31")
    assert everything() == before


def test_what_a_list_changes_is_on_the_trail_with_before_and_after(by, grace):
    lines = listed(
        ";;Grace Tenza;IA;;2024;2024-01-05",
        ";;Grace Tenza;;;2022;2022-01-05",
        ";;Zodwa Cele;NA;;;",
        ";;Grace Tenza;;;2023;",
    )
    assert write_list(lines, preview_import(lines, at=CLOCK, by=by).seen, at=CLOCK, by=by)
    changed, added = Decision.objects.order_by("pk")
    assert (changed.action, changed.subject, changed.actor) == ("changed", key_of(grace), by)
    assert changed.before == {"Title": "National Arbiter", "Fee of 2024": "", "Fee of 2022": ""}
    assert changed.after == {
        "Title": "International Arbiter",
        "Fee of 2024": "paid on 5 Jan 2024",
        "Fee of 2022": "paid on 5 Jan 2022",
    }
    assert (added.action, added.after["Name"], added.reason) == ("added", "Zodwa Cele", "Taken from the AOC’s list.")


@pytest.mark.parametrize(
    ("ids", "name", "found_by"),
    [
        ("100000001;", "Grace Tenza", "Chess SA id"),
        (";14300001", "Grace Tenza", "FIDE id"),
        (";", "TENZA, Gracé", "name"),
        ("100000001;14300001", "Grace M Tenza", "Chess SA id"),
    ],
)
def test_who_is_meant_and_what_differs(by, grace, ids, name, found_by):
    (difference,) = shown(by, f"{ids};{name};IA;;2024;2024-01-05")
    line, _, new, found, changes = difference
    assert (line, new, found) == (2, False, found_by)
    assert changes["Title"] == ("National Arbiter", "International Arbiter")
    assert changes["Fee of 2024"] == ("", "paid on 5 Jan 2024")


def test_who_is_not_found_is_new(by, grace):
    assert shown(by, "100000002;;Zodwa Cele;NA;BOT;;") == [
        (2, "Zodwa Cele", True, "", {
            "Chess SA id": ("", "100000002"), "Name": ("", "Zodwa Cele"), "Title": ("", "National Arbiter"),
            "Federation": ("", "BOT"),
        })
    ]  # fmt: skip


def test_a_namesake_with_another_id_is_somebody_else(by, grace):
    ((_, _, new, _, _),) = shown(by, "100000002;;Grace Tenza;TS;;;")
    assert new


def test_each_line_names_its_own_fee_year(by, grace):
    two_years = (";14300001;Grace Tenza;;;2023;2023-01-06", ";14300001;Grace Tenza;;;2024;2024-01-06")
    found = shown(by, *two_years, ";;Zodwa Cele;NA;;2024;2024-01-07", ";;Zodwa Cele;;;2023;2023-01-07")
    fees = [
        (line, label, after)
        for line, _, _, _, changes in found
        for label, (_, after) in changes.items()
        if "Fee" in label
    ]
    assert fees == [
        (2, "Fee of 2023", "paid on 6 Jan 2023"),
        (3, "Fee of 2024", "paid on 6 Jan 2024"),
        (4, "Fee of 2024", "paid on 7 Jan 2024"),
        (5, "Fee of 2023", "paid on 7 Jan 2023"),
    ]


def test_what_is_blank_or_the_same_changes_nothing(by, grace):
    found = preview_import(
        listed("100000001;;Grace Tenza;;;2023;2023-01-05", ";14300001;Grace Tenza;NA;RSA;2024;"), at=CLOCK, by=by
    )
    assert (found.differences, found.unchanged, found.errors) == ((), 2, ())


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["100000001;;Piet Ndlovu;;;;"], (2, "The Chess SA id 100000001 is that of Grace Tenza")),
        ([";14300001;Piet Ndlovu;;;;"], (2, "The FIDE id 14300001 is that of Grace Tenza")),
        (["100000001;14300009;Grace Tenza;;;;"], (2, "Grace Tenza has the FIDE id 14300001 on the register")),
        (["100000009;14300001;Grace Tenza;;;;"], (2, "Grace Tenza has the Chess SA id 100000001 on the register")),
        (["100000005;14300001;Sipho Cele;;;;"], (2, "The Chess SA id 100000005 is that of Sipho Cele")),
        ([";;Ann Botha;;;;"], (2, "2 arbiters are called Ann Botha")),
        ([";;Zodwa Cele;;;;"], (2, "A new arbiter needs a title.")),
        (["100000001;;Grace Tenza;IA;;;", ";14300001;Grace Tenza;FA;;;"], (3, "Title: line 2 says another")),
        (
            ["100000001;;Grace Tenza;;;2024;2024-01-05", "100000001;;Grace Tenza;;;2024;2024-01-06"],
            (3, "day of payment for 2024: line 2 says another"),
        ),
        (
            [";;Zodwa Cele;NA;;2024;2024-01-05", ";;Zodwa Cele;NA;;2024;2024-01-06"],
            (3, "day of payment for 2024: line 2 says another"),
        ),
        (["100000008;;Zodwa Cele;NA;;;", "100000008;;Piet Ndlovu;NA;;;"], (3, "is that of Zodwa Cele")),
    ],
)
def test_what_a_person_must_settle_first(by, grace, lines, said):
    Arbiter.objects.create(name="Sipho Cele", title="PA", number="100000005")
    for number in ("100000006", "100000007"):
        Arbiter.objects.create(name="Ann Botha", title="PA", number=number)
    ((line, text),) = errors(by, *lines)
    assert (line, text[: len(said[1])] == said[1] or said[1] in text) == (said[0], True), text
    before = everything()
    assert write_list(listed(*lines), preview_import(listed(*lines), at=CLOCK, by=by).seen, at=CLOCK, by=by) is None
    assert everything() == before


@pytest.mark.rule("chessa 7")
def test_what_was_seen_is_written_with_who_and_when(by, grace):
    lines = listed(
        "100000001;;Grace Tenza;IA;;2024;2024-01-05",
        ";;Zodwa Cele;NA;;2023;2023-01-31",
        ";;Zodwa Cele;NA;;2024;2024-01-31",
    )
    done = write_list(lines, preview_import(lines, at=CLOCK, by=by).seen, at=CLOCK, by=by)
    assert [one.name for one in done.written] == ["Grace Tenza", "Zodwa Cele", "Zodwa Cele"]
    grace.refresh_from_db()
    assert grace.title == "IA"
    assert [(one.history_user, one.history_date) for one in grace.history.filter(title="IA")] == [(by, CLOCK)]
    fees = list(Membership.objects.order_by("arbiter__name", "year").values_list("arbiter__name", "year", "paid_on"))
    assert fees == [
        ("Grace Tenza", 2023, date(2023, 1, 5)),
        ("Grace Tenza", 2024, date(2024, 1, 5)),
        ("Zodwa Cele", 2023, date(2023, 1, 31)),
        ("Zodwa Cele", 2024, date(2024, 1, 31)),
    ]
    assert {fee.history.latest().history_user for fee in Membership.objects.filter(year=2024)} == {by}
    again = preview_import(lines, at=CLOCK, by=by)
    assert (again.differences, again.unchanged) == ((), 3)


def test_a_list_is_not_taken_when_the_register_has_changed_since_it_was_shown(by, grace):
    lines = listed("100000001;;Grace Tenza;IA;;2024;2024-01-05")
    seen = preview_import(lines, at=CLOCK, by=by).seen
    Membership.objects.create(arbiter=grace, year=2024, paid_on=date(2024, 1, 6))
    before = everything()
    assert write_list(lines, seen, at=CLOCK + timedelta(minutes=1), by=by) is None
    assert everything() == before
    anew = preview_import(lines, at=CLOCK, by=by)
    assert anew.seen != seen
    assert write_list(lines, anew.seen, at=CLOCK, by=by)
    assert Membership.objects.get(year=2024).paid_on == date(2024, 1, 5)


@pytest.mark.rule("chessa 12.3")
def test_a_line_may_tell_of_the_fee_of_fides_licence(by, grace):
    text = f"{HEAD};fee\n100000001;;Grace Tenza;;;2024;2024-01-06;FIDE\n"
    lines = read_aoc_list(text.encode(), begins=10, today=TODAY)
    found = preview_import(lines, at=CLOCK, by=by)
    assert [change.label for one in found.differences for change in one.changes] == ["FIDE licence of 2024"]
    assert write_list(lines, found.seen, at=CLOCK, by=by)
    assert Membership.objects.get(fee="fide", year=2024).paid_on == date(2024, 1, 6)
    wrong = read_aoc_list(f"{HEAD};fee\n;;Grace Tenza;;;2024;2024-01-06;FIDA\n".encode(), begins=1, today=TODAY)
    assert "Write AOC for the membership or FIDE" in wrong.errors[0].message


def test_a_list_that_is_confirmed_twice_makes_nobody_twice(by):
    lines = listed(";;Zodwa Cele;NA;;;")
    seen = preview_import(lines, at=CLOCK, by=by).seen
    assert write_list(lines, seen, at=CLOCK, by=by)
    assert write_list(lines, seen, at=CLOCK, by=by) is None
    assert Arbiter.objects.count() == 1


def test_what_goes_out_comes_in_unchanged(by, grace):
    Membership.objects.create(arbiter=grace, year=2024, paid_on=date(2024, 1, 5))
    Membership.objects.create(arbiter=grace, fee="fide", year=2024, paid_on=date(2024, 1, 6))
    Arbiter.objects.create(name="Zoë, the arbiter", title="SS", federation="BOT")
    content = export_arbiters(Arbiter.objects.all())
    assert content.decode("utf-8-sig").splitlines() == [
        "number,fide_id,name,title,federation,fee_year,paid_on,fee",
        "100000001,14300001,Grace Tenza,NA,RSA,2024,2024-01-05,AOC",
        "100000001,14300001,Grace Tenza,NA,RSA,2024,2024-01-06,FIDE",
        "100000001,14300001,Grace Tenza,NA,RSA,2023,2023-01-05,AOC",
        ',,"Zoë, the arbiter",SS,BOT,,,',
    ]
    Arbiter.objects.filter(federation="BOT").delete()
    found = preview_import(
        read_aoc_list(export_arbiters(Arbiter.objects.all()), begins=1, today=TODAY), at=CLOCK, by=by
    )
    assert (found.differences, found.unchanged, found.errors) == ((), 3, ())


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\t"])
def test_no_cell_that_goes_out_is_a_formula(sign):
    Arbiter.objects.create(name=f"{sign}HYPERLINK(1)", title="IA")
    assert f",'{sign}HYPERLINK(1),IA" in export_arbiters(Arbiter.objects.all()).decode()


def test_a_long_list_takes_no_query_a_line_to_find_out_who_is_meant(by, django_assert_max_num_queries):
    Arbiter.objects.bulk_create(
        Arbiter(name=f"Arbiter {number}", title="PA", number=str(100000100 + number)) for number in range(50)
    )
    lines = listed(*(f"{100000100 + number};;Arbiter {number};PA;;;" for number in range(50)))
    with django_assert_max_num_queries(110):  # two of each are the savepoint of the line
        preview_import(lines, at=CLOCK, by=by)
