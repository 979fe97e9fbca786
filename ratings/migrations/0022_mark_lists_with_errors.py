from django.db import migrations


def mark(apps, schema_editor):
    """Put lists that wait for a confirmation and have errors into the state that says so; their findings get a place."""
    ImportJob = apps.get_model("ratings", "ImportJob")
    for job in ImportJob.objects.exclude(summary={}).iterator():
        findings = job.summary.get("findings", [])
        for finding in findings:
            line, column = finding.get("line"), finding.get("column")
            place = f"Line {line}, column {column}" if column else f"Line {line}"
            finding.setdefault("place", place if line else "")
        if job.state == "ready" and any(finding["severity"] == "error" for finding in findings):
            job.state = "faulty"
        if findings:
            job.save(update_fields=["state", "summary"])


def unmark(apps, schema_editor):
    """Put them back to those that wait for a confirmation."""
    apps.get_model("ratings", "ImportJob").objects.filter(state="faulty").update(state="ready")


class Migration(migrations.Migration):
    dependencies = [("ratings", "0021_lists_with_errors")]

    operations = [migrations.RunPython(mark, unmark)]
