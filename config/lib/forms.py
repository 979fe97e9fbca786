"""Field and form classes that several apps use."""

from typing import Any

from django import forms

from config.lib.days import FIRST_RATED_DAY, LAST_DAY
from config.lib.parsing import whole_number


def _day(label: str, *, required: bool = False) -> forms.DateField:
    return forms.DateField(
        label=label,
        required=required,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"invalid": "Write the day as year, month and day: 2026-05-17."},
    )


class WholeNumber(forms.IntegerField):
    """A whole number as it is read everywhere: figures 0 to 9 alone, no `5.0`, no figures of other scripts."""

    def to_python(self, value: Any) -> int | None:
        """Django's own field takes both for 5."""
        text = str(value).strip() if value is not None else ""
        figures = text.removeprefix("-")
        if text and whole_number(figures, digits=8) is None:
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid")
        return super().to_python(text)


def _number(label: str, least: int, most: int, **kwargs: Any) -> WholeNumber:
    return WholeNumber(
        label=label,
        min_value=least,
        max_value=most,
        required=False,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off", "maxlength": 4}),
        error_messages={
            "invalid": "Write a whole number.",
            "min_value": f"At least {least}.",
            "max_value": f"At most {most}.",
        },
        **kwargs,
    )


def _one_line(value: object) -> None:
    if len(str(value).splitlines()) > 1:
        raise forms.ValidationError("Write it on one line.")


class Described(forms.Form):
    """A form whose fields name their errors to screen readers, and whose lines are lines."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """A field of one line takes no line break, which a browser leaves out and a program may send."""
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            if isinstance(field, forms.CharField) and not isinstance(field.widget, forms.Textarea):
                field.validators = [*field.validators, _one_line]

    def describe(self) -> None:
        """Tie each field with an error to it."""
        for bound in self:
            if bound.errors:
                bound.field.widget.attrs |= {"aria-invalid": "true", "aria-describedby": f"{bound.id_for_label}_error"}

    def value(self, name: str) -> Any:
        """A field's value as far as it is good."""
        return getattr(self, "cleaned_data", {}).get(name)


class CountField(forms.IntegerField):
    """A whole number between two limits."""

    def __init__(self, *, lowest: int = 0, highest: int = 9999, **options: Any):
        options.setdefault("required", False)
        problem = f"Enter a whole number from {lowest} to {highest}."
        messages = {"invalid": problem, "min_value": problem, "max_value": problem}
        super().__init__(min_value=lowest, max_value=highest, error_messages=messages, **options)
        self.widget.attrs = {**number_input(6, "numeric").attrs}


class DayField(forms.DateField):
    """A day in the lifetime of the rating systems."""

    def __init__(self, **options: Any):
        options.setdefault("required", False)
        limits = {"min": FIRST_RATED_DAY.isoformat(), "max": LAST_DAY.isoformat()}
        widget = forms.DateInput(attrs={"type": "date", **limits}, format="%Y-%m-%d")
        messages = {"invalid": "Enter a day as 2026-10-31."}
        super().__init__(widget=widget, input_formats=["%Y-%m-%d"], error_messages=messages, **options)

    def validate(self, value: Any) -> None:
        """ValidationError for a day before there were ratings, or in another century."""
        super().validate(value)
        if value is not None and not FIRST_RATED_DAY <= value <= LAST_DAY:
            message = f"Enter a day between {FIRST_RATED_DAY.year} and {LAST_DAY.year}."
            raise forms.ValidationError(message, code="range")


class PlainChoice(forms.ChoiceField):
    """A choice whose message does not repeat what was sent."""

    def __init__(self, **options: Any):
        super().__init__(required=False, error_messages={"invalid_choice": "Choose one of the list."}, **options)


def number_input(length: int, mode: str) -> forms.TextInput:
    """A short text field that brings up the digits on a phone."""
    return forms.TextInput(
        attrs={"inputmode": mode, "maxlength": str(length), "autocomplete": "off", "spellcheck": "false"}
    )


WON, DRAWN, LOST = "1", "h", "0"


RESULTS = (("", ""), (WON, "1 won"), (DRAWN, "½ drawn"), (LOST, "0 lost"))


WHITE, BLACK = "w", "b"


COLOURS = (("", ""), (WHITE, "White"), (BLACK, "Black"))
