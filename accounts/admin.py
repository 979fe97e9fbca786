"""The superusers' page for users."""

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as BaseUserAdmin
from django.contrib.auth.models import Group

from accounts.models import User

admin.site.unregister(Group)
admin.site.site_title = admin.site.site_header = "Ratings bureau"
admin.site.index_title = "Your desk"


@admin.register(User)
class UserAdmin(BaseUserAdmin):
    """Users by e-mail address; their roles are on the region's and the arbiter's pages, officers are marked here."""

    ordering = ("email",)
    list_display = ("email", "first_name", "last_name", "is_officer", "is_staff", "is_active")
    list_filter = ("is_officer", "is_staff", "is_active")
    search_fields = ("email", "first_name", "last_name")
    fieldsets = (
        (None, {"fields": ("email", "password")}),
        ("Person", {"fields": ("first_name", "last_name")}),
        ("Rights", {"fields": ("is_active", "is_staff", "is_officer", "is_superuser")}),
        ("Dates", {"fields": ("last_login", "date_joined")}),
    )
    add_fieldsets = (
        (None, {"classes": ("wide",), "fields": ("email", "password1", "password2", "is_staff", "is_officer")}),
    )
    filter_horizontal = ()
