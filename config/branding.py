"""The federation's name, colours and logo: settings that every page and mail takes up."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import environ
from django.core.exceptions import ImproperlyConfigured

# The papers on which the accent stands, of static/css/tokens.css, in light and dark.
PAPERS = ("#fcfbf8", "#16181a")
LEAST_CONTRAST = 4.5  # WCAG 2.2, 1.4.3
LOGO_TYPES: Mapping[str, str] = {".svg": "image/svg+xml", ".png": "image/png", ".webp": "image/webp"}
_MOST_BYTES = 200_000
_COLOUR = re.compile(r"#[0-9a-f]{6}")


@dataclass(frozen=True, slots=True)
class Brand:
    """Whose ratings the site shows. `accents`: colours of links and buttons in light and dark; `logo`: a file; `is_named`: the
    federation's name was set, and is not the one that stands without a setting."""

    federation: str
    bureau: str
    accents: tuple[str, str] | None = None
    logo: Path | None = None
    is_named: bool = False

    @property
    def name(self) -> str:
        """The name of the site."""
        return f"{self.federation} {self.bureau}"


def brand(env: environ.Env) -> Brand:
    """Return the brand from FEDERATION, BUREAU, ACCENT_COLOURS and LOGO. Raises ImproperlyConfigured."""
    federation: str = env.str("FEDERATION", default="").strip()
    bureau: str = env.str("BUREAU", default="").strip() or "Ratings Bureau"
    return Brand(federation or "Chess South Africa", bureau, accents(env), logo(env), is_named=bool(federation))


def accents(env: environ.Env) -> tuple[str, str] | None:
    """Return the colours of links and buttons in light and dark from ACCENT_COLOURS; None for the site's own.

    Raises ImproperlyConfigured if they are no colours, or cannot be read on the pages.
    """
    text: str = env.str("ACCENT_COLOURS", default="").strip().lower()
    if not text:
        return None
    colours = tuple(part.strip() for part in text.split(","))
    if len(colours) != 2 or not all(_COLOUR.fullmatch(colour) for colour in colours):
        raise ImproperlyConfigured(
            f"ACCENT_COLOURS={text[:40]}: give one for light and one for dark, as #0b5566,#7cc4d4"
        )
    for colour, paper, scheme in zip(colours, PAPERS, ("light", "dark"), strict=True):
        found = contrast(colour, paper)
        if found < LEAST_CONTRAST:
            raise ImproperlyConfigured(
                f"ACCENT_COLOURS: {colour} cannot be read on the {scheme} pages: its contrast is {found:.1f}, and at least "
                f"{LEAST_CONTRAST} is needed; take a {'darker' if scheme == 'light' else 'lighter'} one"
            )
    return colours[0], colours[1]


def logo(env: environ.Env) -> Path | None:
    """Return the file of LOGO; None for the site's own. Raises ImproperlyConfigured if it cannot serve as one."""
    text: str = env.str("LOGO", default="").strip()
    if not text:
        return None
    path = Path(text)
    if path.suffix.lower() not in LOGO_TYPES or not path.is_file() or path.stat().st_size > _MOST_BYTES:
        kinds = ", ".join(LOGO_TYPES)
        raise ImproperlyConfigured(f"LOGO={text[:80]} is no file ({kinds}) of at most {_MOST_BYTES:,} bytes")
    return path


def contrast(ink: str, paper: str) -> float:
    """Return the contrast of two colours `#rrggbb`, from 1 to 21 (WCAG 2.2)."""
    lighter, darker = sorted((_luminance(ink), _luminance(paper)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
