"""Addresses of the API and its pages."""

from django.urls import path, re_path

from api.calculators import views as calculators
from api.documentation import views as documentation
from api.events import views as events
from api.lists import views as lists
from api.players import meetings, regions
from api.players import views as players
from api.statistics import views as statistics
from api.submission import views as submission
from players.identity import CHESS_SA_ID

_PERIOD = "(?P<period>[0-9]{4}-[0-9]{2})"
_NUMBER = f"(?P<number>{CHESS_SA_ID})"

app_name = "api"
urlpatterns = [
    path("", documentation.manners, name="manners"),
    path("pushing/", documentation.pushing, name="pushing"),
    path("changes/", documentation.changes, name="changes"),
    path("errors/", documentation.errors, name="errors"),
    path("v1/schema/", documentation.schema, name="schema"),
    path("v1/docs/", documentation.operations, name="operations"),
    path("v1/lists/", lists.Lists.as_view(), name="lists"),
    path("v1/lists/<slug:code>/", lists.List.as_view(), name="list"),
    path("v1/lists/<slug:code>/live/", lists.LiveList.as_view(), name="live-list"),
    re_path(rf"^v1/lists/(?P<code>[-\w]+)/{_PERIOD}/$", lists.ListOfPeriod.as_view(), name="list-of-period"),
    re_path(
        rf"^v1/statistics/(?P<code>[-\w]+)/{_PERIOD}/$", statistics.ListStatistics.as_view(), name="statistics-of-list"
    ),
    path("v1/seals/", lists.Seals.as_view(), name="seals"),
    path("v1/periods/", lists.Periods.as_view(), name="periods"),
    re_path(rf"^v1/periods/{_PERIOD}/$", lists.Period.as_view(), name="period"),
    re_path(rf"^v1/periods/{_PERIOD}/case/$", lists.Case.as_view(), name="period-case"),
    path("v1/players/", players.Players.as_view(), name="players"),
    path("v1/players/lookup/", players.Lookup.as_view(), name="lookup"),
    re_path(rf"^v1/players/{_NUMBER}/$", players.OnePlayer.as_view(), name="player"),
    re_path(rf"^v1/players/{_NUMBER}/history/$", players.History.as_view(), name="player-history"),
    re_path(rf"^v1/players/{_NUMBER}/games/$", players.Games.as_view(), name="player-games"),
    re_path(
        rf"^v1/players/{_NUMBER}/against/(?P<other>{CHESS_SA_ID})/$", meetings.HeadToHead.as_view(), name="against"
    ),
    path("v1/crosstables/", meetings.Crosstables.as_view(), name="crosstables"),
    re_path(rf"^v1/players/{_NUMBER}/events/$", players.PlayedEvents.as_view(), name="player-events"),
    re_path(
        rf"^v1/players/{_NUMBER}/explanations/{_PERIOD}/(?P<code>[-\w]+)/$",
        players.Explanation.as_view(),
        name="explanation",
    ),
    path("v1/events/", events.Events.as_view(), name="events"),
    path("v1/events/<int:event>/", events.OneEvent.as_view(), name="event"),
    path("v1/arbiters/<int:arbiter>/", events.OneArbiter.as_view(), name="arbiter"),
    path("v1/sections/<int:section>.trf", events.TournamentFile.as_view(), name="section-trf"),
    path("v1/sections/<int:section>/", events.OneSection.as_view(), name="section"),
    path(
        "v1/events/<int:event>/sections/<int:section>/file/", submission.SectionFileView.as_view(), name="section-file"
    ),
    path("v1/events/<int:event>/submit/", submission.SubmitView.as_view(), name="submit"),
    path("v1/me/events/", submission.MyEvents.as_view(), name="my-events"),
    path("v1/calculators/<slug:system>/", calculators.Calculator.as_view(), name="calculator"),
    path("v1/files/check/", calculators.CheckFile.as_view(), name="check-file"),
    path("v1/regions/", regions.Regions.as_view(), name="regions"),
    re_path(r"^v1/regions/(?P<code>[A-Z]{3})/$", regions.OneRegion.as_view(), name="region"),
    path("v1/provinces/", regions.Provinces.as_view(), name="provinces"),
    re_path("^.*$", documentation.unknown, name="unknown"),
]
