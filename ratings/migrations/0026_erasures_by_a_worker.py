from django.db import migrations, models
from django.db.models import F


def asked_when_erased(apps, schema_editor):
    """Until now an erasure was done at the moment at which it was asked for."""
    apps.get_model("ratings", "Erasure").objects.update(asked_at=F("at"), state="done")


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0025_erasures'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='erasure',
            options={'default_permissions': ('view',), 'ordering': ['-asked_at', '-pk']},
        ),
        migrations.AddField(
            model_name='erasure',
            name='asked_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name='erasure',
            name='attempts',
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='erasure',
            name='error',
            field=models.TextField(blank=True, default=''),
        ),
        migrations.AddField(
            model_name='erasure',
            name='lease_until',
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name='erasure',
            name='state',
            field=models.CharField(choices=[('waiting', 'waiting for a worker'), ('failed', 'could not be done'), ('done', 'done')], default='waiting', max_length=7),
        ),
        migrations.RunPython(asked_when_erased, migrations.RunPython.noop),
        migrations.AlterField(
            model_name='erasure',
            name='asked_at',
            field=models.DateTimeField(),
        ),
        migrations.AlterField(
            model_name='erasure',
            name='at',
            field=models.DateTimeField(null=True, verbose_name='erased at'),
        ),
        migrations.AlterField(
            model_name='erasure',
            name='pseudonym',
            field=models.CharField(blank=True, default='', max_length=20),
        ),
        migrations.AddConstraint(
            model_name='erasure',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('at__isnull', False), ('error', ''), ('state', 'done'), models.Q(('pseudonym', ''), _negated=True)), models.Q(models.Q(('state', 'done'), _negated=True), ('at', None), ('pseudonym', '')), _connector='OR'), name='erasure_has_a_pseudonym_once_done'),
        ),
    ]
