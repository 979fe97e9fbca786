"""The versions of tables, from which the ETags of public pages follow."""

from django.db import models


class TableVersion(models.Model):
    """The version of a table of the database: it changes with every write to that table, by triggers (`table_versions`).

    On SQLite a table has one row. On PostgreSQL it has as many as transactions wrote to it at a time; all together are its
    version.
    """

    table_name = models.CharField(max_length=63, db_index=True)
    version = models.CharField(max_length=80)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.table_name}: {self.version}"
