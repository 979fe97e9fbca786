"""What is typed into a row by a slip and put right is whose it is, at an erasure and in a copy of either: each kind of row and
of value, of a stranger and of one of the family, typed over what stood there or entered with the row."""

from dataclasses import dataclass
from datetime import date

import pytest

from accounts.models import Decision, User
from accounts.trail.operations import record
from events.models import Arbiter
from players.models import Player
from players.operations import save_player
from ratings.personal_data.export import of_player, of_user
from tests.admin_pages import posted_form
from tests.builders import CLOCK, event_of, everything, people, player, publish, with_address
from tests.ratings.personal_data.children import erase

pytestmark = pytest.mark.django_db
BORN = date(2011, 3, 4)
NAME, BIRTH, FIDE_ID, NUMBER, EMAIL = "name", "birth", "FIDE id", "Chess SA id", "address"
KINDS = [
    *((Player, what) for what in ([NAME], [BIRTH], [FIDE_ID], [EMAIL], [NAME, BIRTH, EMAIL])),
    *((Arbiter, what) for what in ([NAME], [FIDE_ID], [NUMBER])),
    *((User, what) for what in ([NAME], [EMAIL])),
]
WANDAS = ("wanda", "2011-03-04", "datetime.date(2011, 3, 4)", "14311111")
GERTS = ("gert", "1980-05-06", "datetime.date(1980, 5, 6)", "14322222")


@dataclass
class Two:
    """Gert, in whose rows something of Wanda's stood, and Wanda, each with a record as arbiter and an account."""

    gert: Player
    wanda: Player
    arbiters: dict[str, Arbiter]
    users: dict[str, User]

    @classmethod
    def registered(cls, surname: str) -> "Two":
        gert = player("Qwibbelthorpe", "Gert", birth_date=date(1980, 5, 6), fide_id=14322222)
        wanda = player(surname, "Wanda", birth_date=BORN)
        arbiters, users = {}, {}
        for row in (with_address(gert, "gert@example.org"), wanda):
            name = {"first_name": row.first_name, "last_name": row.last_name}
            user = User.objects.create_user(f"{row.first_name.lower()}.desk@example.org", **name)
            users[row.first_name] = user
            arbiters[row.first_name] = Arbiter.objects.create(
                name=row.name, number=row.number, player=row, user=user, title="NA"
            )
        return cls(gert, wanda, arbiters, users)

    def values(self, kind, what):
        """What is typed into a row of Gert's, field of its form → text."""
        name = {"name": self.wanda.name}
        if kind is not Arbiter:
            name = {"first_name": self.wanda.first_name, "last_name": self.wanda.last_name}
        texts = {
            NAME: name,
            BIRTH: {"birth_date": BORN.isoformat()},
            FIDE_ID: {"fide_id": "14311111"},
            NUMBER: {"number": self.wanda.number},
            EMAIL: {"email": "wanda@example.org"},
        }
        return {field: text for part in what for field, text in texts[part].items()}


@pytest.fixture(params=["of the family", "a stranger"])
def two(request, client):
    client.force_login(User.objects.create_superuser("boss@example.org", is_officer=True))
    return Two.registered("Qwibbelthorpe" if request.param == "of the family" else "Tenza")


@pytest.fixture(params=[True, False], ids=["at first", "between"])
def slip(request, client, two, kind, what):
    """Wanda's values stand in a row of Gert's, by the desk, which puts it right; then she has them in her own rows."""
    row = {Player: two.gert, Arbiter: two.arbiters["Gert"], User: two.users["Gert"]}[kind]
    page = f"/admin/{row._meta.label_lower.replace('.', '/')}/{row.pk}/change/"
    wrong = two.values(kind, what)
    if "number" in wrong:
        Arbiter.objects.filter(pk=two.arbiters["Wanda"].pk).update(number="")
    own = {field: str(getattr(row, field) or "") for field in wrong}
    sure = {"another_person": "on"} if kind is Player else {}
    for values in (wrong, own):
        assert client.post(page, posted_form(client, page, **values, **sure)).status_code == 302
    if request.param and kind is not User:
        versions = kind.history.filter(id=row.pk).order_by("-history_id")
        kind.history.filter(id=row.pk, history_id__lt=versions[1].pk).delete()
    two.wanda.fide_id, two.wanda.email = 14311111, "wanda@example.org"
    save_player(two.wanda)
    section = event_of([(*people(2), "1-0")]).sections.get()
    reason = f"{two.wanda.name} asked, Gert Qwibbelthorpe was ill"
    record("asked", section, at=CLOCK, by=None, reason=reason)
    publish()


def tables_with(signs):
    return [table for table, lines in everything().items() if any(sign in str(lines).lower() for sign in signs)]


@pytest.mark.parametrize(("kind", "what"), KINDS)
def test_it_is_in_no_copy_of_whose_row_it_stood_in(two, slip, what):
    # A day of birth alone does not tell of which stranger it is.
    born = () if what == [BIRTH] and two.wanda.last_name != two.gert.last_name else ("2011-03-04",)
    for kept in (of_player(two.gert), of_user(two.users["Gert"])):
        text = str([part.rows for part in kept])
        assert "Gert" in text
        for sign in ("Wanda", "wanda", "14311111", two.wanda.number, *born):
            assert sign not in text


@pytest.mark.parametrize(("kind", "what"), KINDS)
def test_it_goes_when_she_is_erased_and_the_rest_of_the_row_stays(two, slip):
    erase(two.wanda)
    assert tables_with(WANDAS) == []
    gert = Player.objects.get(pk=two.gert.pk)
    assert (gert.name, gert.birth_date, gert.fide_id) == ("Gert Qwibbelthorpe", date(1980, 5, 6), 14322222)
    assert gert.email == "gert@example.org"
    assert Arbiter.objects.get(pk=two.arbiters["Gert"].pk).name == "Gert Qwibbelthorpe"
    assert User.objects.get(pk=two.users["Gert"].pk).email == "gert.desk@example.org"
    wanda = Player.objects.get(pk=two.wanda.pk)
    assert Decision.objects.get(action="asked").reason == f"{wanda.last_name} asked, Gert Qwibbelthorpe was ill"


@pytest.mark.parametrize(("kind", "what"), KINDS)
def test_she_keeps_it_when_he_is_erased(two, slip):
    name = two.wanda.name
    erase(two.gert)
    assert tables_with(GERTS) == []
    wanda, user = Player.objects.get(pk=two.wanda.pk), User.objects.get(pk=two.users["Wanda"].pk)
    assert (wanda.name, wanda.birth_date, wanda.fide_id, wanda.email) == (name, BORN, 14311111, "wanda@example.org")
    assert (user.get_full_name(), user.email) == (name, "wanda.desk@example.org")
    assert Arbiter.objects.get(pk=two.arbiters["Wanda"].pk).name == name
    gert = Player.objects.get(pk=two.gert.pk)
    assert Decision.objects.get(action="asked").reason == f"{name} asked, {gert.last_name} was ill"
