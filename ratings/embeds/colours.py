"""The colours of the pictures, which stand on other sites and have no style sheet: those of `static/css/tokens.css`."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Colours:
    """The colours of a theme; `lists`: those of the national lists' lines, in the lists' order, then of the others'."""

    paper: str
    raised: str
    ink: str
    grey: str
    rule: str
    accent: str
    up: str
    down: str
    lists: tuple[str, ...]

    def of_direction(self, direction: str) -> str:
        """Return the colour of a change: `up`, `down`, or none of both."""
        return {"up": self.up, "down": self.down}.get(direction, self.grey)


THEMES = {
    "light": Colours(
        "#fcfbf8", "#f4f1ea", "#1d1b18", "#5d584f", "#d8d2c6", "#0b5566", "#1b662f", "#a3241a",
        ("#1c4f9c", "#a84300", "#86318a", "#00695a", "#8a1f4f", "#566400", "#46586b", "#7a5200"),
    ),
    "dark": Colours(
        "#16181a", "#1f2326", "#ece8e0", "#aaa59b", "#3a3f43", "#7cc4d4", "#7fce93", "#f2938a",
        ("#85b4f7", "#f0a066", "#d79ae0", "#66cbb6", "#f58db4", "#c2cc63", "#a9bccf", "#dcb572"),
    ),
}  # fmt: skip
