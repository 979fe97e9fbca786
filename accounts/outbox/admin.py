"""Admin page of the outbox: what waits, was sent or failed, each as it was sent, and sending again."""

from datetime import datetime
from typing import Any

from django.apps import apps
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Count, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import NoReverseMatch, URLPattern, path, reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.models import Mail
from accounts.outbox.content import MARK
from accounts.outbox.operations import MailError, is_link_gone, send_again
from accounts.outbox.tasks import wake_sender
from accounts.permissions import acting_user
from accounts.retention.queries import retention
from config.lib import formatting
from config.lib.admin import AsShownAdmin, never

# Kinds that do not say by themselves what the mail tells.
_KIND_WORDS = {
    "abroad answer": "answer to results from abroad",
    "abroad link": "link to send in results from abroad",
    "asked": "request to answer",
    "decision": "event returned or registered",
    "error report": "error reported",
    "error report answer": "answer to a reported error",
    "error report link": "link to confirm a reported error",
    "kept back": "answer to a report of results kept back",
    "not registered": "event reported as not registered",
    "not registered answer": "answer to a report of an event that is not registered",
    "permission": "answer to a request for permission",
    "reset": "password reset",
    "taken back": "refusal taken back",
    "withdrawal": "answer to a request to withdraw",
}
_HIDDEN = "(a link that only the recipient gets)"


class KindFilter(admin.AllValuesFieldListFilter):
    """Mails of one kind, in words."""

    def choices(self, changelist: Any) -> Any:
        """Yield the choices."""
        for choice in super().choices(changelist):
            yield {**choice, "display": _KIND_WORDS.get(str(choice["display"]), choice["display"])}


def _moment(at: datetime) -> str:
    return date_format(timezone.localtime(at), "DATETIME_FORMAT")


@admin.register(Mail)
class MailAdmin(AsShownAdmin):
    """The outbox. Mails are written by what they tell of; here they are read, and sent again."""

    list_display = ("created_at", "subject_and_address", "progress")
    list_filter = ("state", ("kind", KindFilter))
    search_fields = ("to", "subject")
    search_help_text = "Address or subject"
    date_hierarchy = "created_at"
    fields = (
        "to", "subject", "shown_text", "kind_of_mail", "what", "state", "created_at", "sent_at",
        "attempts", "next_at", "last_error", "again_of",
    )  # fmt: skip
    readonly_fields = fields
    actions = ("send_again",)
    change_list_template = "admin/accounts/mail/change_list.html"
    change_form_template = "admin/accounts/mail/change_form.html"
    has_add_permission = has_change_permission = has_delete_permission = never

    def has_again_permission(self, request: HttpRequest) -> bool:
        """Return whether the table of roles gives the right to send mails again."""
        return acting_user(request).has_perm("accounts.send_mail_again")

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Refuse filters by secret links: repeated ones would reveal them by bisection."""
        hidden = lookup.partition("__")[0] in ("links", "facts", "again", "again_of")
        return not hidden and super().lookup_allowed(lookup, value, request)

    @admin.display(description="mail", ordering="subject")
    def subject_and_address(self, mail: Mail) -> SafeString:
        """Return the subject, and under it kind and address."""
        return format_html('{}<div class="help">{}: {}</div>', mail.subject or "–", self.kind_of_mail(mail), mail.to)

    @admin.display(description="state", ordering="state")
    def progress(self, mail: Mail) -> SafeString:
        """Return the state, and under it when it was sent, when it is tried next, and what went wrong."""
        if mail.sent_at is not None:
            detail = _moment(mail.sent_at)
        elif mail.next_at is not None and mail.attempts:
            attempts = formatting.count(mail.attempts, "attempt")
            detail = f"{attempts}, the next at {_moment(mail.next_at)}. {mail.last_error}"
        else:
            detail = mail.last_error
        return format_html('{}<div class="help">{}</div>', mail.state, detail)

    @admin.display(description="kind")
    def kind_of_mail(self, mail: Mail) -> str:
        """Return the kind in words."""
        return _KIND_WORDS.get(mail.kind, mail.kind)

    @admin.display(description="text")
    def shown_text(self, mail: Mail) -> SafeString:
        """Return the text as it was sent, with words in the place of a secret link."""
        if mail.lookup:
            return format_html("{}", "The worker writes it, if it finds whom it is for.")
        text = MARK.sub(_HIDDEN, mail.text) if mail.secret else mail.text
        return format_html('<div class="mail-text">{}</div>', text)

    @admin.display(description="about")
    def what(self, mail: Mail) -> str:
        """Return what the mail tells of, with the way to its page on the desk."""
        label, _, key = mail.about.partition(" ")
        if not label:
            return "–"
        model = apps.get_model(label)
        try:
            address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_change", args=[key])
        except NoReverseMatch:
            return mail.about_name
        return format_html('<a href="{}">{}</a>', address, mail.about_name)

    def get_urls(self) -> list[URLPattern]:
        """Add the address of the button that sends a mail again."""
        again = self.admin_site.admin_view(self.again_view)
        return [path("<int:mail>/again/", again, name="accounts_mail_again"), *super().get_urls()]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show a mail, with the button to send it again unless it waits."""
        mail = self.get_object(request, object_id)
        sendable = mail is not None and mail.state != Mail.State.WAITING and not is_link_gone(mail)
        again = sendable and self.has_again_permission(request)
        answer: HttpResponse = super().change_view(
            request, object_id, form_url, {**(extra_context or {}), "can_send_again": again}
        )
        return answer

    def again_view(self, request: HttpRequest, mail: int) -> HttpResponse:
        """Have a mail sent again, and show the one that is on its way. Raises PermissionDenied and Http404."""
        if not self.has_again_permission(request):
            raise PermissionDenied
        row = Mail.objects.filter(pk=mail).first()
        if row is None:
            raise Http404("There is no such mail.")
        if request.method == "POST":
            self.send_again(request, Mail.objects.filter(pk=row.pk))
        latest = row.again.order_by("-pk").first() or row
        return HttpResponseRedirect(reverse("admin:accounts_mail_change", args=[latest.pk]))

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Show the list, with the number of mails that failed and that wait."""
        counts = dict(Mail.objects.order_by().values_list("state").annotate(Count("pk")))
        numbers = {state.value: counts.get(state, 0) for state in Mail.State}
        context = {**numbers, "days": retention().mail_days, **(extra_context or {})}
        answer: HttpResponse = super().changelist_view(request, context)
        return answer

    @admin.action(description="Send again", permissions=["again"])
    def send_again(self, request: HttpRequest, rows: QuerySet[Mail]) -> None:
        """Have the chosen mails sent again: failed ones, and those that were sent, without a secret link."""
        worked = 0
        for mail in rows:
            try:
                send_again(mail, at=timezone.now(), by=acting_user(request))
                worked += 1
            except MailError as error:
                self.message_user(request, f"{mail} to {mail.to}: {error}.", messages.ERROR)
        if worked:
            wake_sender()
            self.message_user(request, f"{worked} waiting to be sent again.", messages.SUCCESS)
