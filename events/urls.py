"""Addresses of events."""

from django.urls import include, path, re_path

from events.abroad import views as abroad_views
from events.abroad.team import views as abroad_team_views
from events.appeals import views as appeal_views
from events.attachments import views as attachment_views
from events.dashboard import views as dashboard_views
from events.error_reports import views as error_report_views
from events.public import outlook_views, views
from events.registration import views as registration_views
from events.submission import actions
from events.submission import views as results_views
from events.submission.crosstable import views as by_hand_views
from events.submission.newcomers import views as newcomers_views
from events.withholding import views as withholding_views
from players.identity import CHESS_SA_ID

app_name = "events"
results_patterns = [
    path("", results_views.results, name="results"),
    path("upload/", actions.upload_files, name="upload-files"),
    path("attach/", actions.attach, name="attach"),
    path("proofs/<int:attachment>/remove/", actions.detach, name="detach"),
    path("submit/", actions.submit, name="submit"),
    path("template.csv", results_views.csv_template, name="csv-template"),
    path("recall/", actions.recall_sent, name="recall"),
    path("preview/", outlook_views.outlook, name="preview"),
    path("<int:section>/by-hand/", by_hand_views.by_hand, name="by-hand"),
    path("<int:upload>/", results_views.original, name="original"),
    path("<int:upload>/findings.csv", results_views.findings, name="findings"),
    path("<int:upload>/matched.csv", results_views.matched, name="matched"),
    path("<int:upload>/players/", newcomers_views.players, name="players"),
    path("<int:upload>/assign/", actions.assign_upload, name="assign-upload"),
    path("<int:upload>/discard/", actions.discard_upload, name="discard-upload"),
    path("<int:upload>/check/", actions.check_again, name="check-again"),
    path("<int:upload>/corrections/<slug:form>/", actions.correct, name="correct"),
    path("<int:upload>/undo-new/", actions.undo_new_players, name="undo-new-players"),
    path("<int:upload>/penalties/<slug:key>/", actions.answer_proposal, name="answer-proposal"),
    path("corrections/<int:correction>/undo/", actions.undo_correction, name="undo-correction"),
    path("penalties/<int:penalty>/", actions.answer_penalty, name="answer-penalty"),
    path("penalties/answers/<int:correction>/undo/", actions.undo_answer, name="undo-answer"),
    path("submitted/<int:submission>/", results_views.submitted, name="submitted"),
    path("submitted/<int:submission>/findings.csv", results_views.findings_submitted, name="findings-submitted"),
    path("submitted/<int:submission>/again/", actions.upload_again, name="upload-again"),
]
urlpatterns = [
    path("", views.events, name="events"),
    path("<int:event>/", views.event, name="event"),
    path("<int:event>/sections/<int:section>.trf", views.section_file, name="section-file"),
    path("calendar/", views.calendar, name="calendar"),
    path("calendar.ics", views.calendar_feed, name="feed"),
    path("register/", registration_views.register, name="register"),
    path("not-registered/", withholding_views.not_registered, name="not-registered"),
    path("mine/", dashboard_views.mine, name="mine"),
    path("<int:event>/edit/", registration_views.edit, name="edit"),
    path("<int:event>/withdraw/", withholding_views.withdraw_event, name="withdraw"),
    path("abroad/", abroad_views.abroad, name="abroad"),
    path("abroad/sent/", abroad_views.abroad_sent, name="abroad-sent"),
    path("abroad/team/", abroad_team_views.abroad_team, name="abroad-team"),
    path("abroad/<str:token>/team/", abroad_team_views.abroad_team_link, name="abroad-team-link"),
    re_path(rf"^abroad/for/(?P<number>{CHESS_SA_ID})/$", abroad_views.abroad_for, name="abroad-for"),
    path("abroad/<str:token>/", abroad_views.abroad_link, name="abroad-link"),
    path("error-reports/new/", error_report_views.report, name="report-error"),
    path("error-reports/sent/", error_report_views.report_sent, name="error-report-sent"),
    path("error-reports/<str:token>/", error_report_views.own_report, name="error-report"),
    path("error-reports/<str:token>/proof/<int:attachment>/", error_report_views.proof, name="error-report-proof"),
    path("attachments/<int:attachment>/", attachment_views.attachment, name="attachment"),
    path("<int:event>/copy/", registration_views.copy, name="copy"),
    path("<int:event>/results/", include(results_patterns)),
    path("<int:event>/permission/", appeal_views.permission, name="permission"),
    path("<int:event>/permission/<int:permission>/", appeal_views.correct_permission, name="correct-permission"),
    path("<int:event>/appeal/", appeal_views.appeal, name="appeal"),
    path("<int:event>/kept-back/", withholding_views.kept_back, name="kept-back"),
    path("appeals/<str:token>/", appeal_views.appeal_link, name="appeal-link"),
    path("appeals/<str:token>/evidence/<int:attachment>/", appeal_views.appeal_evidence, name="appeal-evidence"),
]
