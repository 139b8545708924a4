"""The admin site for operators: searchable and read-only; organisers have their own pages."""

from typing import Any

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html

from judgments.judges.signing_in import OperatorSignInForm
from judgments.models import Assignment, Campaign, Invitation, JournalEntry, Judgment, Membership, SharedLink, System

admin.site.login_form = OperatorSignInForm
admin.site.site_header = admin.site.site_title = "Appraise GEC, admin site"


class ReadOnly(admin.ModelAdmin):
    """Judgments, journals and everything that assigning depends on must not change here."""

    show_full_result_count = False
    list_per_page = 50

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    has_add_permission = has_change_permission = has_delete_permission


@admin.register(Campaign)
class CampaignAdmin(ReadOnly):
    """Links each campaign to its own pages."""

    list_display = ("slug", "name", "protocol", "state", "language", "created_at", "organise")
    list_filter = ("state", "protocol", "preset")
    search_fields = ("slug", "name")

    @admin.display(description="pages")
    def organise(self, campaign: Campaign) -> str:
        addresses = [reverse(name, args=[campaign.slug]) for name in ("organise", "material")]
        return format_html('<a href="{}">organise</a>, <a href="{}">upload</a>', *addresses)


@admin.register(System)
class SystemAdmin(ReadOnly):
    list_display = ("name", "campaign", "kind", "takes_part")
    list_filter = ("kind", "takes_part")
    search_fields = ("name", "campaign__slug")
    list_select_related = ("campaign",)


@admin.register(Membership)
class MembershipAdmin(ReadOnly):
    list_display = ("pseudonym", "campaign", "role", "user", "worker", "joined_at", "excluded_at")
    list_filter = ("role",)
    search_fields = ("pseudonym", "user__username", "worker", "campaign__slug")
    list_select_related = ("campaign", "user")


@admin.register(Judgment)
class JudgmentAdmin(ReadOnly):
    list_display = ("id", "campaign", "judge", "submitted_at", "revision", "current", "skipped", "flagged")
    list_filter = ("skipped", "flagged")
    search_fields = ("=assignment__judge__pseudonym", "=assignment__campaign__slug")
    list_select_related = ("assignment__campaign", "assignment__judge")
    ordering = ("-pk",)
    exclude = ("key",)

    @admin.display(ordering="assignment__campaign")
    def campaign(self, judgment: Judgment) -> str:
        return judgment.assignment.campaign.slug

    @admin.display(ordering="assignment__judge")
    def judge(self, judgment: Judgment) -> str:
        return judgment.assignment.judge.pseudonym if judgment.assignment.judge else ""


@admin.register(Assignment)
class AssignmentAdmin(ReadOnly):
    list_display = ("id", "campaign", "judge", "round", "position", "claimed_at", "submitted_at")
    search_fields = ("=judge__pseudonym", "=campaign__slug")
    list_select_related = ("campaign", "judge__campaign")
    ordering = ("-pk",)


@admin.register(JournalEntry)
class JournalEntryAdmin(ReadOnly):
    list_display = ("at", "slug", "actor", "what")
    search_fields = ("slug", "actor", "what")
    date_hierarchy = "at"


class LinkAdmin(ReadOnly):
    """Links that admit judges; only organisers may see their tokens."""

    list_display: Any = ("__str__", "campaign", "created_at", "expires_at", "revoked_at")
    search_fields = ("campaign__slug",)
    list_select_related = ("campaign",)
    exclude = ("token",)


admin.site.register(Invitation, LinkAdmin)
admin.site.register(SharedLink, LinkAdmin)
