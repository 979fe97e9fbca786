"""Writes what a run calculated, and deletes what it wrote. The caller holds the transaction."""

import numpy as np

from events.models import Section
from events.rules.time_controls import speed_errors, types_of_game
from ratings.models import Activity, Performance, Rating, RatingList, RatingRun, RunPerson
from ratings.runs.inputs import PeriodInput, RunInput
from ratings.runs.sequential import ListResult, write_lists
from ratings.runs.snapshot import performance_columns, write_people, write_performances, write_ratings
from ratings.systems import chessa


def write_figures(run: RatingRun, gathered: RunInput, result: chessa.PeriodResult, lists: list[ListResult]) -> None:
    """Write a run's ratings, performances and people, and put its counts and hashes on the run, which is not saved."""
    write_ratings(
        run.pk,
        gathered.list_ids,
        gathered.players,
        gathered.regions,
        gathered.name_order,
        gathered.listed,
        gathered.published,
        result,
    )
    write_performances(
        run.pk, performance_columns(gathered.list_ids, gathered.players, gathered.input.sections, result)
    )
    write_lists(run.pk, lists)
    write_people(run.pk, gathered.input.people)
    run.input_hash, run.list_hashes = gathered.input.hash, gathered.input.list_hashes
    run.edition = gathered.input.edition.name
    run.sections, run.games, run.players = counts_of(gathered, result)


def counts_of(gathered: RunInput, result: chessa.PeriodResult) -> tuple[int, int, int]:
    """Return how many sections and games a month rates, and how many players have a rating after it."""
    games = rated_games(gathered.input)
    return len(games), sum(games.values()), int(result.rated.any(axis=0).sum())


def rated_games(period_input: PeriodInput) -> dict[int, int]:
    """Return how many games a month rates, by key of the section; sections that are too fast are left out (article 23)."""
    rated = types_of_game(period_input.section_minutes, period_input.edition) >= 0
    games = np.bincount(period_input.games.event, minlength=len(period_input.sections))
    return dict(zip(period_input.sections[rated].tolist(), games[rated].tolist(), strict=True))


def delete_figures(run: RatingRun) -> None:
    """Delete what a run wrote."""
    for model in (Rating, Performance, RunPerson, Activity):
        model._default_manager.filter(run=run).delete()


def too_fast(period_input: PeriodInput) -> list[str]:
    """Return for each section that is too fast to be rated why it was left out (article 23)."""
    rated = types_of_game(period_input.section_minutes, period_input.edition) >= 0
    left_out = period_input.sections[~rated].tolist()
    sections = Section.objects.select_related("event").in_bulk(left_out)
    return [
        f"All lists: {section} is not rated: {finding.message} (article {finding.article})"
        for section in (sections[key] for key in left_out)
        for finding in speed_errors(section.base_minutes, section.increment_seconds, section.ends)
    ]


def refused(lists: list[ListResult]) -> list[str]:
    """Return for each section that a list of another system does not rate why."""
    names = dict(RatingList.objects.values_list("pk", "name"))
    sections = Section.objects.select_related("event").in_bulk(
        {section for result in lists for section in result.refused}
    )
    return [
        f"{names[result.list_id]}: {sections[section]} is not rated on this list: {why}"
        for result in lists
        for section, why in result.refused.items()
    ]
