"""The pictures of the README, from the demonstration: `script/pictures`."""

import os
import tempfile
from pathlib import Path

import django
from playwright.sync_api import sync_playwright

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()  # before the modules of fixtures, which import models

from tests.browser.conftest import LAUNCH  # noqa: E402
from tests.conftest import ROOT  # noqa: E402
from tests.faults.bureau import Bureau  # noqa: E402

SIZE = {"width": 1280, "height": 1000}
LARGEST = 300_000  # bytes
BELOW = 8  # pixels under the chart

# A titled player of every list with the most published months, and of these the one with the highest Main rating.
CHOICE = """
    SELECT player.number FROM players_player player JOIN ratings_rating rating ON rating.player_id = player.id
    WHERE player.title_id IS NOT NULL AND player.id IN (
        SELECT player_id FROM ratings_rating
        WHERE run_id = (SELECT max(run_id) FROM ratings_publishedrun) AND published IS NOT NULL
        GROUP BY player_id HAVING count(*) = (SELECT count(*) FROM ratings_ratinglist) AND max(games) > 0)
    GROUP BY player.number ORDER BY count(DISTINCT rating.run_id) DESC, max(rating.published) DESC LIMIT 1
"""


def main() -> None:
    """Load the demonstration, serve it, and write `docs/player.png`: a player's page down to the chart."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        bureau = Bureau("embedded", Path(folder))
        try:
            bureau.command("demo")
            site = bureau.serve()
            browser = playwright.chromium.launch(
                executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=LAUNCH
            )
            page = browser.new_page(viewport=SIZE, color_scheme="light")
            page.goto(f"{site}/players/{bureau.value(CHOICE)}/")
            below = page.locator(".chart").evaluate("chart => chart.getBoundingClientRect().bottom")
            target = ROOT / "docs" / "player.png"
            clip = {"x": 0, "y": 0, "width": SIZE["width"], "height": round(below) + BELOW}
            picture = page.screenshot(full_page=True, clip=clip)
            if len(picture) > LARGEST:
                raise SystemExit(f"{target.name} would have {len(picture)} bytes, more than {LARGEST}")
            target.write_bytes(picture)
            browser.close()
        finally:
            bureau.close()


if __name__ == "__main__":
    main()
