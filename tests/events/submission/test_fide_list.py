"""The FIDE ids of a FIDE-rated section on FIDE's list of the month in which it began."""

from datetime import date

import pytest

from events.rules.fide_list import ListedPeople, ListedPerson, entrant_findings
from events.rules.tournament import Entrant
from players.models import FideList, FideListed
from tests.builders import CLOCK, Line, lines, round_robin, trf
from tests.events.submission.world import FIRST, LAST, known, played, taken

pytestmark = pytest.mark.rule("chessa 14.4")
MARCH = date(2024, 3, 1)


@pytest.mark.parametrize(
    ("listed", "found"),
    [
        ("Mokoena, Naledi", []),
        ("Mokoena, N.", []),
        ("Khumalo, Sipho", [("hold", "fide-id-of-another")]),
        (None, [("note", "fide-id-not-listed")]),
    ],
)
def test_an_id_of_another_is_held_and_one_of_nobody_noted(listed, found):
    entrants = [
        Entrant(1, "Mokoena, Naledi", "Mokoena", "Naledi", fide_id="14300001", line=7),
        Entrant(2, "Cele, Bets", "Cele", "Bets", line=8),
    ]
    people = {14300001: ListedPerson(listed, "RSA", {})} if listed else {}
    findings = list(entrant_findings(entrants, ListedPeople(MARCH, people)))
    assert [(finding.severity.value, finding.code) for finding in findings] == found
    assert {finding.line for finding in findings} <= {7}
    assert all("FIDE’s list of March 2024" in finding.message for finding in findings)


@pytest.mark.django_db
@pytest.mark.parametrize(("fide_rated", "held"), [(True, True), (False, False)])
def test_only_a_fide_rated_section_is_asked(fide_rated, held):
    known()
    month = FIRST.replace(day=1)
    FideList.objects.create(month=month, kinds="SRB", at=CLOCK, filename="list.zip", sha256="")
    FideListed.objects.create(fide_id=14300001, name="Khumalo, Sipho", federation="RSA", since=month)
    content = trf(
        [Line(lines(1)[0].name, fide="14300001", born="1980/05/17"), *lines(6)[1:]],
        round_robin(6),
        starts=FIRST,
        ends=LAST,
    )
    report = taken(played(fide_rated=fide_rated), content).report
    codes = [finding["code"] for group in report["groups"] for finding in group["findings"]]
    assert ("fide-id-of-another" in codes) is held
