"""What a filled form is, and how those of a room say theirs."""

from collections.abc import Callable
from typing import Any, NamedTuple

from django.core.files.uploadedfile import SimpleUploadedFile

from tests.accounts.world import OWN, World
from tests.builders import open_file

Fields = dict[str, Any]
REASON = "Put right after a call."


class Filled(NamedTuple):
    """A form: who sends it, to which route, what is typed, in which state of the world. `paged`: the rest is the page's.

    `also`: who else may send it to the desk; elsewhere the table of addresses says so. `query`: what follows the route.
    `shown`: what is sent first, where the page with the form answers another form.
    """

    role: str
    route: str
    typed: Fields | Callable[[World], Fields] = {}
    before: Callable[[World], object] = lambda world: None
    paged: bool = True
    also: tuple[str, ...] = ()
    query: Callable[[World], str] = lambda world: ""
    shown: Callable[[World], Fields] | None = None

    def fields(self, world: World) -> Fields:
        """What is typed."""
        return dict(self.typed(world) if callable(self.typed) else self.typed)


def key(model: str) -> Callable[[World], str]:
    """The key of the world's own row of a model."""
    return lambda world: str(world.rows[model, OWN].pk)


def file(name: str = "open.trf", content: bytes | None = None) -> SimpleUploadedFile:
    """A file as a browser sends it: a tournament file unless told."""
    return SimpleUploadedFile(name, open_file() if content is None else content)


def action(
    role: str, app: str, model: str, name: str, row: Callable[[World], str] | None = None, **given: Any
) -> Filled:
    """An action of a list of the desk, on one row."""
    before, also = given.pop("before", lambda world: None), given.pop("also", ())
    chosen = row or key(model)
    return Filled(
        role,
        f"admin/{app}/{model}/",
        lambda world: {"action": name, "_selected_action": chosen(world), "reason": REASON, **given},
        before,
        paged=False,
        also=also,
    )


def changed(app: str, *models: str, also: tuple[str, ...] = (), **typed: Any) -> list[Filled]:
    """Forms of rows of the desk, with something changed and the reason for it."""
    typed["reason_for_change"] = REASON
    return [
        Filled("officer", f"admin/{app}/{model}/<path:object_id>/change/", dict(typed), also=also) for model in models
    ]


def deleted(app: str, model: str, before: Callable[[World], object] = lambda world: None) -> list[Filled]:
    """A row of the desk is deleted, on its page and as one of those chosen in the list."""
    typed = {"reason_for_change": REASON, "post": "yes"}
    return [
        Filled("officer", f"admin/{app}/{model}/<path:object_id>/delete/", typed, before, paged=False),
        action("officer", app, model, "delete_selected", before=before, **typed),
    ]
