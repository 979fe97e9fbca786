import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0029_quoted_lines'),
    ]

    operations = [
        # Of files that wait while this is applied it is not on record since when.
        migrations.AddField(
            model_name='publishedrun',
            name='files_asked_at',
            field=models.DateTimeField(
                default=django.utils.timezone.now, help_text='Since when the files of the run are to be made.'
            ),
            preserve_default=False,
        ),
    ]
