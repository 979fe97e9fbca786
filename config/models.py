"""What the site keeps about itself: the versions of tables, the signs of life of its processes, the tasks that failed."""

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


class SignOfLife(models.Model):
    """When the workers, or beat, were last seen alive (`config.signs_of_life`)."""

    process = models.CharField(max_length=10, primary_key=True)
    at = models.DateTimeField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.process}: {self.at}"


class FailedTask(models.Model):
    """A task of the clock that failed when it was last done, and the kind of its error (`config.failed_tasks`)."""

    task = models.CharField(max_length=200, primary_key=True)
    at = models.DateTimeField()
    error = models.CharField(max_length=100)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.task}: {self.error}"


# Not the bureau's data: neither backed up nor watched for changes.
OWN_MODELS = (TableVersion, SignOfLife, FailedTask)
