"""The hints beside the fields of a registration while it is filled in."""

from datetime import date, datetime

from django.utils import timezone
from django.utils.translation import gettext

from config.lib import formatting
from events.models import Event, Format, Kind
from events.rules import registration as rules
from events.rules.deadlines import registration_article
from events.rules.fees import asks_fee, fee_year, fee_year_label, has_paid
from events.rules.sizes import smallest
from events.rules.states import State
from events.wording import Deadline, Hint, deadline_before, rounds_text, state_words, time_control_hints


def registration_deadline(plan: rules.RegistrationData, *, at: datetime) -> Deadline | None:
    """Return the last day to register the sections of an event (article 60); None without a first day, or abroad."""
    closes = rules.registration_closes(plan)
    if closes is None:
        return None
    article = registration_article(fide_rated=plan.fide_rated, norm_event=plan.norm_event)
    return deadline_before(closes, article, at=at)


def section_hints(plan: rules.RegistrationData, section: rules.SectionData) -> list[Hint]:
    """Return hints on type of game and weight, smallest size, and rounds without an arbiter or a day."""
    facts = []
    ends = section.ends or timezone.localdate()
    if section.base is not None:
        facts += time_control_hints(section.base, section.increment, ends)
    facts.append(_size(section, ends))
    if section.rounds:
        missing = rules.rounds_without_arbiter(section, plan.arbiters_named)
        if missing:
            facts.append(Hint(gettext("No arbiter in %(rounds)s") % {"rounds": rounds_text(missing)}, "6", "open"))
        else:
            facts.append(Hint(gettext("An arbiter in every round"), "6", "good"))
        blank = [number for number, day in enumerate(section.days, start=1) if day is None]
        if blank and section.starts and section.ends:
            facts.append(Hint(gettext("No day yet for %(rounds)s") % {"rounds": rounds_text(blank)}, "13.3", "open"))
    return facts


def _size(section: rules.SectionData, ends: date) -> Hint:
    players, rounds = smallest(section.format, ends, disabled=section.disabled)
    each = gettext("%(count)s players")
    teams = {Format.TEAM: gettext("%(count)s boards a team"), Format.SCHEVENINGEN: gettext("%(count)s players a team")}
    who = each if section.disabled else teams.get(Format(section.format), each)
    few = section.rounds is not None and section.rounds < rounds
    text = gettext("%(format)s: at least %(players)s and %(rounds)s rounds") % {
        "format": formatting.sentence(gettext(Format(section.format).label)),
        "players": who % {"count": players},
        "rounds": rounds,
    }
    if few:
        values = {"size": text, "planned": section.rounds}
        text = gettext("%(size)s; %(planned)s planned, so an officer will have to permit it") % values
    return Hint(text, "17.5" if section.disabled else "17", "open" if few else "plain")


def arbiter_hints(plan: rules.RegistrationData, arbiter: rules.ArbiterData, *, place: int, begins: int) -> list[Hint]:
    """Return hints on an arbiter's position, on his membership on the event's first day, and on whether he plays in it.

    `begins`: the month in which the AOC's fee year begins.
    """
    if not arbiter.name:
        return []
    roles = (gettext("Chief Arbiter"), gettext("Deputy Chief Arbiter"), gettext("Arbiter"))
    role = roles[0 if place == 0 else 1 if place <= 2 else 2]
    facts = [Hint(role, "15.4")]
    if rules.stands_above(plan, place):
        return [Hint(gettext("Stands above for the same rounds: enter the name once"), "15", "bad")]
    if arbiter.id_of:
        text = gettext(
            "On the register of players the id of %(arbiter)s is that of %(player)s: ask the AOC which is right"
        ) % {"arbiter": arbiter.name, "player": arbiter.id_of}
        facts.append(Hint(text, "15.2", "bad"))
    most = max((section.rounds or 0 for section in plan.sections), default=0)
    if most and arbiter.last and arbiter.last > most:
        text = gettext("No section has round %(last)s: the last one is round %(most)s") % {
            "last": arbiter.last,
            "most": most,
        }
        facts.append(Hint(text, "6", "open"))
    if plan.starts is not None:
        facts.append(_membership(arbiter, plan.starts, begins=begins))
    if plan.kind == Kind.CLUB:
        facts.append(Hint(gettext("May play: it is a club event"), "8"))
    elif arbiter.plays:
        facts.append(Hint(gettext("Is entered as a player, which an arbiter may not be"), "8", "bad"))
    else:
        facts.append(Hint(gettext("Not entered as a player"), "8", "good"))
    return facts


def _membership(arbiter: rules.ArbiterData, starts: date, *, begins: int) -> Hint:
    if not asks_fee(arbiter.federation):
        return Hint(
            gettext("Of %(federation)s: no membership fee is asked") % {"federation": arbiter.federation}, "7", "good"
        )
    year = fee_year(starts, begins=begins)
    label = fee_year_label(year, begins=begins)
    paid = next((day for paid_year, day in arbiter.paid if paid_year == year), None)
    if has_paid(arbiter.paid, starts, begins=begins):
        return Hint(gettext("Membership of %(year)s paid") % {"year": label}, "7", "good")
    if paid is not None:
        text = gettext("Membership of %(year)s paid on %(day)s, not before the event starts")
        return Hint(text % {"year": label, "day": formatting.day(paid)}, "7", "bad")
    text = gettext("Membership of %(year)s not paid yet; it is due before %(day)s")
    return Hint(text % {"year": label, "day": formatting.day(starts)}, "7", "open")


def twin_text(event: Event) -> str:
    """Return the warning that an event of this name is on record on these days."""
    return gettext(
        "%(event)s, %(days)s, is there already: %(state)s, %(region)s. If it is the same event, one of the two is too many:"
        " an event is rated once."
    ) % {
        "event": event.name,
        "days": formatting.days(event.starts, event.ends),
        "state": state_words(State(event.state)).word,
        "region": event.region.name,
    }
