"""The forms of a page as a browser would send them back untouched."""

from html.parser import HTMLParser

_Attributes = dict[str, str | None]


class _Forms(HTMLParser):
    """Reads the forms of a page that are sent by POST: address and what each field holds."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: dict[str | None, tuple[str, dict[str, list[str]]]] = {}
        self.rows: set[tuple[str | None, str]] = set()  # form and name of the fields in which one chooses
        self._form: str | None = None
        self._choice: tuple[str | None, str, list[str]] | None = None
        self._text: tuple[str | None, str] | None = None
        self._said = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given: _Attributes = dict(attrs)
        name, value, form = given.get("name"), given.get("value"), given.get("form", self._form)
        if tag == "form":
            self._form = given.get("id") or f"form {len(self.forms)}"
            if (given.get("method") or "").lower() == "post":
                self.forms[self._form] = (given.get("action") or "", self.forms.get(self._form, ("", {}))[1])
        elif "disabled" in given:
            return
        elif tag == "input" and name:
            kind = given.get("type", "text")
            if kind not in ("submit", "button", "file", "image", "reset") and (
                kind not in ("checkbox", "radio") or "checked" in given
            ):
                self._fields(form).setdefault(name, []).append(
                    "on" if value is None and kind == "checkbox" else value or ""
                )
        elif tag == "select" and name:
            self._choice = (form, name, [])
        elif tag == "option" and self._choice and "selected" in given:
            self._choice[2].append(value or "")
        elif tag == "textarea" and name:
            self._text, self._said = (form, name), ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None
        elif tag == "select" and self._choice:
            form, name, chosen = self._choice
            self._fields(form).setdefault(name, []).extend(chosen)
            self._choice = None
        elif tag == "textarea" and self._text:
            form, name = self._text
            self._fields(form).setdefault(name, []).append(self._said.removeprefix("\n"))
            self._text = None

    def handle_data(self, data: str) -> None:
        if self._text:
            self._said += data

    def _fields(self, form: str | None) -> dict[str, list[str]]:
        return self.forms.setdefault(form, ("", {}))[1]


def form_on(page: str, path: str) -> dict[str, list[str]]:
    """The fields of the largest form on a page that is sent to `path` by POST; none if there is no such form."""
    reader = _Forms()
    reader.feed(page)
    found = [
        fields
        for name, (action, fields) in reader.forms.items()
        if name is not None and action.partition("?")[0].partition("#")[0] in ("", path)
    ]
    return {name: values for name, values in max(found, key=len, default={}).items() if name != "csrfmiddlewaretoken"}
