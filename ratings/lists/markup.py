"""The rows of a list's table as HTML. In a template they would take half of the time of the whole page."""

from collections.abc import Iterable
from html import escape

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from ratings.lists.rows import ListRow

# As templates/ratings/lists/head.html has the head of the table.
_ROW = """
<tr{anchor}>
  <td class="num rank">{rank}</td>
  <th scope="row">{person}<span class="under">{under}</span>{inactive}</th>
  <td class="fold title">{title}</td>
  <td class="fold">{region} <span class="region">{region_name}</span></td>
  <td class="num fold">{number}</td>
  <td class="num fold">{born}</td>
  <td class="num fold">{games}</td>
  <td class="num rating">{rating}</td>
  <td class="num {direction}">{change}</td>
</tr>"""
_PERSON = '<a class="row-link" href="/players/{number}/">{name}</a>'
_INACTIVE = ' <span class="note">{}</span>'


def rows_html(rows: Iterable[ListRow], *, surname_first: bool) -> SafeString:
    """Return the rows of the table, each with a link to its player, unless he is hidden."""
    written = "".join(_row(row, surname_first=surname_first) for row in rows)
    return mark_safe(written)  # noqa: S308 (each text is escaped below)


def _row(row: ListRow, *, surname_first: bool) -> str:
    texts = {
        "number": row.number,
        "rank": row.rank,
        "name": row.player.surname_first if surname_first else row.name,
        "under": " · ".join(part for part in (row.title, f"{row.region} {row.region_name}".strip()) if part),
        "title": row.title,
        "region": row.region,
        "region_name": row.region_name,
        "born": str(row.birth_year or ""),
        "games": str(row.games or ""),
        "rating": row.rating,
        "direction": row.direction,
        "change": row.change,
    }
    escaped = {name: escape(text) for name, text in texts.items()}
    anchor, person = f' id="n{escaped["number"]}"', _PERSON.format(**escaped)
    if not row.number:
        anchor, person = "", escaped["name"]
    inactive = "" if row.is_active else _INACTIVE.format(escape(gettext("inactive")))
    return _ROW.format(**escaped, anchor=anchor, person=person, inactive=inactive)
