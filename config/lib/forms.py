"""Field and form classes that several apps use."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.validators import URLValidator
from django.http import QueryDict
from django.utils.text import format_lazy
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from config.lib.days import FIRST_RATED_DAY, LAST_DAY
from config.lib.names import composed, shown, unseen, wrong_in_list, wrong_letters
from config.lib.parsing import whole_number
from config.lib.pure_texts import PureTexts
from config.lib.texts import plain_text

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

_UNSEEN = PureTexts(gettext_noop("There is a character that cannot be seen, %(character)s. Remove it."))


def day_field(label: "StrOrPromise", *, required: bool = False) -> forms.DateField:
    """Return a field for a day, with the browser's calendar."""
    return forms.DateField(
        label=label,
        required=required,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"invalid": _("Write the day as year, month and day: 2026-05-17.")},
    )


class WholeNumber(forms.IntegerField):
    """A whole number in ASCII digits. Django's own field also accepts `5.0` and digits of other scripts."""

    def to_python(self, value: Any) -> int | None:
        """Return the number; None for a blank field. Raises ValidationError."""
        text = str(value).strip() if value is not None else ""
        figures = text.removeprefix("-")
        if text and whole_number(figures, digits=8) is None:
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid")
        return super().to_python(text)


def number_field(
    label: "StrOrPromise",
    least: int,
    most: int,
    *,
    required: bool = False,
    help_text: "StrOrPromise" = "",
    why: "StrOrPromise" = "",
) -> WholeNumber:
    """Return a field for a whole number from `least` to `most`. `why`: what has no more, in words."""
    return WholeNumber(
        label=label,
        help_text=help_text,
        min_value=least,
        max_value=most,
        required=required,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off", "maxlength": 4}),
        error_messages={
            "required": _("Write a whole number."),
            "invalid": _("Write a whole number."),
            "min_value": _("At least %(limit_value)s."),
            "max_value": format_lazy(_("At most %(limit_value)s: {why}."), why=why)
            if why
            else _("At most %(limit_value)s."),
        },
    )


class PlainTextField(forms.CharField):
    """A text that users write, or look for: without the characters in it that cannot be seen (`plain_text`)."""

    def __init__(self, *, max_length: int | None = None, **options: Any) -> None:
        super().__init__(max_length=max_length, **options)
        own = (options.get("error_messages") or {}).get("max_length")
        self.error_messages["max_length"] = own or _("Write at most %(limit_value)s characters.")

    def to_python(self, value: Any) -> str:
        """Return the text as it is kept."""
        text: str | None = super().to_python(value)
        return plain_text(text) if text else ""


def _seen(value: object) -> None:
    if problem := unseen(str(value)):
        raise forms.ValidationError(_UNSEEN.said(problem))


def _one_line(value: object) -> None:
    if len(str(value).splitlines()) > 1:
        raise forms.ValidationError(gettext("Write it on one line."))
    _seen(value)


class _Composed:
    """Composes the letters of a field's text before its length is looked at: some become two by it."""

    def to_python(self, value: Any) -> Any:
        """Return the text as it is kept."""
        text = super().to_python(value)  # type: ignore[misc]
        return composed(text) if text else text


class LineField(_Composed, forms.CharField):
    """A name, a number or other words on one line: letters are composed, one blank stands between words, and a character that
    cannot be seen is refused."""

    def clean(self, value: Any) -> Any:
        """Return the line. Raises ValidationError."""
        line = super().clean(value)
        _seen(line)
        return " ".join(line.split())


class PersonNameField(LineField):
    """The name of a person, or a part of it: a line whose words are each of one alphabet."""

    def clean(self, value: Any) -> Any:
        """Return the name. Raises ValidationError."""
        name = super().clean(value)
        if problem := self.problem_of(name):
            raise forms.ValidationError(problem)
        return name

    def problem_of(self, name: str) -> str:
        """Return what to do about a name; "" if it is right."""
        return wrong_letters(name)


class PlayerNameField(PersonNameField):
    """The name of a player, or a part of it: no word is a formula of a spreadsheet, either."""

    def problem_of(self, name: str) -> str:
        """Return what to do about a name; "" if it is right."""
        return wrong_in_list(name)


class MailAddressField(forms.EmailField):
    """An e-mail address, in which a character that cannot be seen is refused; Django's own lets in many behind the @."""

    default_validators = [*forms.EmailField.default_validators, _seen]

    def clean(self, value: Any) -> str:
        """Return the address with each letter and its accents as one character. Raises ValidationError, also for a letter that
        would become a plain one by it, and for an address that is too long in the small letters in which it is kept."""
        address = composed(super().clean(value))
        self.run_validators(composed(address.lower()))
        return address


class PageAddressField(_Composed, forms.URLField):
    """The address of a page on the web, https where it names no scheme; a character that cannot be seen is refused."""

    default_validators = [URLValidator(schemes=["http", "https"]), _seen]

    def __init__(self, **options: Any) -> None:
        super().__init__(assume_scheme="https", **options)


def plain_data(sent: QueryDict) -> QueryDict:
    """Return what was sent with a form, to be changed, without the characters in it that cannot be seen (`plain_text`)."""
    plain = sent.copy()
    for name, values in sent.lists():
        plain.setlist(name, [plain_text(value) for value in values])
    return plain


class ShownErrors(forms.BaseForm):
    """A form whose errors repeat what was sent, as Django's of a choice do, with signs for what cannot be seen (`shown`)."""

    def add_error(self, field: Any, error: Any) -> None:
        """Add an error of a field, or of the form where `field` is None."""
        super().add_error(field, error)
        for errors in self.errors.values():
            for found in errors.as_data():
                _show(found)


def _show(error: forms.ValidationError) -> None:
    if error.params:
        error.params = {name: shown(value) if isinstance(value, str) else value for name, value in error.params.items()}
    elif isinstance(error.message, str):
        error.message = shown(error.message)


class Described(ShownErrors, forms.Form):
    """A form whose fields refer screen readers to their errors, and whose single-line fields refuse line breaks and
    characters that cannot be seen."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Add the check for line breaks, which browsers strip but programs may send."""
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            if isinstance(field, MailAddressField | PageAddressField) or isinstance(field.widget, forms.Textarea):
                continue
            if isinstance(field, forms.CharField):
                field.validators = [*field.validators, _one_line]

    def describe(self) -> None:
        """Refer each field with an error to it, for screen readers."""
        for bound in self:
            if bound.errors:
                bound.field.widget.attrs |= {"aria-invalid": "true", "aria-describedby": f"{bound.id_for_label}_error"}

    def problems(self, name: Callable[[str, str], str] = "{}: {}".format) -> list[tuple[str, str]]:
        """Describe the fields, and return (id of the field, message) of each error, those of the whole form last.

        `name` makes the message from the label of the field and the error.
        """
        self.describe()
        named = [(field, name(str(field.label), str(error))) for field in self for error in field.errors]
        return [
            *((field.id_for_label or f"id_{field.html_name}", message) for field, message in named),
            *(("", str(error)) for error in self.non_field_errors()),
        ]

    def value(self, name: str) -> Any:
        """Return a field's value; None if it is blank or invalid."""
        return getattr(self, "cleaned_data", {}).get(name)


class CountField(forms.IntegerField):
    """A whole number between two limits, optional by default."""

    def __init__(self, *, lowest: int = 0, highest: int = 9999, **options: Any):
        options.setdefault("required", False)
        problem = format_lazy(_("Enter a whole number from {lowest} to {highest}."), lowest=lowest, highest=highest)
        messages = {"invalid": problem, "min_value": problem, "max_value": problem}
        super().__init__(min_value=lowest, max_value=highest, error_messages=messages, **options)
        self.widget.attrs = {**number_input(6, "numeric").attrs}


class DayField(forms.DateField):
    """A day since the first rating systems, optional by default."""

    def __init__(self, **options: Any):
        options.setdefault("required", False)
        limits = {"min": FIRST_RATED_DAY.isoformat(), "max": LAST_DAY.isoformat()}
        widget = forms.DateInput(attrs={"type": "date", **limits}, format="%Y-%m-%d")
        messages = {"invalid": _("Enter a day as 2026-10-31."), "required": _("Give the day.")}
        super().__init__(widget=widget, input_formats=["%Y-%m-%d"], error_messages=messages, **options)

    def validate(self, value: Any) -> None:
        """Raise ValidationError for a day before the first ratings or in another century."""
        super().validate(value)
        if value is not None and not FIRST_RATED_DAY <= value <= LAST_DAY:
            years = {"first": FIRST_RATED_DAY.year, "last": LAST_DAY.year}
            raise forms.ValidationError(gettext("Enter a day between %(first)s and %(last)s.") % years, code="range")


class PlainChoice(forms.ChoiceField):
    """An optional choice whose error does not repeat the value that was sent."""

    def __init__(self, **options: Any):
        super().__init__(required=False, error_messages={"invalid_choice": _("Choose one of the list.")}, **options)


def number_input(length: int, mode: str) -> forms.TextInput:
    """Return a short text input that brings up the digits on a phone."""
    return forms.TextInput(
        attrs={"inputmode": mode, "maxlength": str(length), "autocomplete": "off", "spellcheck": "false"}
    )


WON, DRAWN, LOST = "1", "h", "0"
RESULTS = (("", ""), (WON, _("1 won")), (DRAWN, _("½ drawn")), (LOST, _("0 lost")))
WHITE, BLACK = "w", "b"
COLOURS = (("", ""), (WHITE, _("White")), (BLACK, _("Black")))
