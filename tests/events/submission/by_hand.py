"""The page of results entered by hand as a browser sees it: its fields, filled in and sent."""

from html.parser import HTMLParser

from events.models import Section


class _Fields(HTMLParser):
    """The values of the fields of the one form with an attribute."""

    def __init__(self, mark: str) -> None:
        super().__init__()
        self.mark = mark
        self.values: dict[str, str] = {}
        self.inside = False
        self.select = ""

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if tag == "form":
            self.inside = self.mark in given
        if not self.inside:
            return
        if tag == "input" and given["name"] != "csrfmiddlewaretoken":
            self.values[given["name"]] = given.get("value") or ""
        elif tag == "select":
            self.select = given["name"]
            self.values[self.select] = ""
        elif tag == "option" and "selected" in given:
            self.values[self.select] = given["value"] or ""


def address(section: Section) -> str:
    return f"/events/{section.event_id}/results/{section.pk}/by-hand/"


def fields(answer, mark: str = "data-by-hand") -> dict[str, str]:
    """What the form of a page holds: the one with a crosstable, or with another attribute."""
    parser = _Fields(mark)
    parser.feed(answer.content.decode())
    return parser.values


def send(client, section: Section, do: str = "keep", page=None, **changes: str):
    """Open the page (or go on with one), type, and press a button. Dashes for double underscores."""
    typed = fields(client.get(address(section)) if page is None else page)
    typed |= {name.replace("__", "-"): value for name, value in changes.items()}
    return client.post(address(section), {**typed, "do": do})


def names(count: int = 4) -> dict[str, str]:
    """Players to be typed."""
    people = ("Adendorff, Anele", "Buthelezi, Bets", "Cele, Chris", "Dlamini, Dumisani", "Erasmus, Elsabe")[:count]
    found = {}
    for number, name in enumerate(people, start=1):
        found |= {f"p{number}-name": name, f"p{number}-born": f"{1980 + number}-05-17", f"p{number}-sex": "M"}
    return found
