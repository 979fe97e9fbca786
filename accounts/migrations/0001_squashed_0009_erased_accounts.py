"""The tables of accounts in one step, for a new database: a third of the time that the steps from 0001_initial on take.

A database that has some of those steps goes on with them.
"""

from importlib import import_module

import django.core.validators
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

retention = import_module("accounts.migrations.0008_retention")  # it fills the tables


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('accounts', '0001_initial'),
        ('accounts', '0002_trail'),
        ('accounts', '0003_appeals_panel'),
        ('accounts', '0004_outbox'),
        ('accounts', '0005_tokens'),
        ('accounts', '0006_week_mail'),
        ('accounts', '0007_event_mail'),
        ('accounts', '0008_retention'),
        ('accounts', '0009_erased_accounts'),
    ]

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.CreateModel(
            name='MailRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('address', models.CharField(max_length=64)),
                ('origin', models.CharField(max_length=45)),
                ('at', models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.CreateModel(
            name='User',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('first_name', models.CharField(blank=True, max_length=150, verbose_name='first name')),
                ('last_name', models.CharField(blank=True, max_length=150, verbose_name='last name')),
                ('is_staff', models.BooleanField(default=False, help_text='Designates whether the user can log into this admin site.', verbose_name='staff status')),
                ('is_active', models.BooleanField(default=True, help_text='Designates whether this user should be treated as active. Unselect this instead of deleting accounts.', verbose_name='active')),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='date joined')),
                ('email', models.EmailField(max_length=254, unique=True, validators=[django.core.validators.RegexValidator('\\A[\\x21-\\x7e]*\\Z', 'Write the address in plain Latin letters, without accents.')], verbose_name='e-mail address')),
                ('is_officer', models.BooleanField(default=False, verbose_name='ratings officer')),
                ('is_panel', models.BooleanField(default=False, help_text='Answers appeals (article 11); never an officer, too.', verbose_name='member of the appeals panel')),
                ('week_mail', models.BooleanField(default=False, verbose_name='asks for the week at a glance')),
                ('event_mail', models.BooleanField(default=False, verbose_name='asks for a mail at each event that is sent in')),
                ('erased_at', models.DateTimeField(editable=False, null=True, verbose_name='name and address erased at')),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
            options={
                'verbose_name': 'user',
                'verbose_name_plural': 'users',
                'abstract': False,
                'constraints': [models.CheckConstraint(condition=models.Q(('is_panel', False), models.Q(('is_officer', False), ('is_superuser', False)), _connector='OR'), name='user_of_panel_not_of_bureau', violation_error_message='A member of the appeals panel is neither a ratings officer nor a superuser: whoever refuses an event does not decide the appeal (article 11).')],
            },
        ),
        migrations.CreateModel(
            name='Decision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(db_index=True, verbose_name='time')),
                ('actor_name', models.CharField(max_length=600, verbose_name='who')),
                ('actor_role', models.CharField(max_length=60, verbose_name='as')),
                ('action', models.CharField(db_index=True, max_length=60)),
                ('subject', models.CharField(db_index=True, max_length=100)),
                ('subject_name', models.CharField(max_length=300, verbose_name='on what')),
                ('part_of', models.CharField(blank=True, db_index=True, max_length=100)),
                ('before', models.JSONField(default=dict)),
                ('after', models.JSONField(default=dict)),
                ('reason', models.TextField(blank=True)),
                ('actor', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='decisions', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-at', '-pk'],
                'default_permissions': ('view',),
            },
        ),
        migrations.CreateModel(
            name='Mail',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=60)),
                ('to', models.EmailField(max_length=254)),
                ('subject', models.CharField(blank=True, max_length=500)),
                ('text', models.TextField(blank=True)),
                ('secret', models.BooleanField(default=False)),
                ('links', models.JSONField(blank=True, default=dict)),
                ('links_until', models.DateTimeField(null=True)),
                ('lookup', models.CharField(blank=True, max_length=60)),
                ('facts', models.JSONField(blank=True, default=dict)),
                ('about', models.CharField(blank=True, max_length=100)),
                ('about_name', models.CharField(blank=True, max_length=300, verbose_name='about')),
                ('state', models.CharField(choices=[('waiting', 'waiting'), ('sent', 'sent'), ('failed', 'failed')], default='waiting', max_length=7)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('next_at', models.DateTimeField(null=True, verbose_name='next attempt')),
                ('last_error', models.TextField(blank=True, verbose_name='what went wrong')),
                ('created_at', models.DateTimeField(db_index=True, verbose_name='written')),
                ('sent_at', models.DateTimeField(null=True, verbose_name='sent')),
                ('again_of', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='again', to='accounts.mail')),
            ],
            options={
                'ordering': ['-created_at', '-pk'],
                'default_permissions': ('view',),
                'indexes': [models.Index(models.F('next_at'), condition=models.Q(('state', 'waiting')), name='mail_waiting')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('next_at__isnull', False), ('sent_at__isnull', True), ('state', 'waiting')), models.Q(('next_at__isnull', True), ('sent_at__isnull', False), ('state', 'sent')), models.Q(('next_at__isnull', True), ('sent_at__isnull', True), ('state', 'failed')), _connector='OR'), name='mail_state_has_its_moment'), models.CheckConstraint(condition=models.Q(('secret', False), ('links_until__isnull', False), _connector='OR'), name='mail_links_expire')],
            },
        ),
        migrations.CreateModel(
            name='Retention',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('contact', models.EmailField(blank=True, help_text='Public, on the page about personal data: whoever wants to see or to have erased what is kept writes there.', max_length=254, verbose_name='address for questions about personal data')),
                ('mail_days', models.PositiveSmallIntegerField(default=90, help_text='After they were sent or given up. From 7 to 730.', validators=[django.core.validators.MinValueValidator(7), django.core.validators.MaxValueValidator(730)], verbose_name='mails, days')),
                ('login_days', models.PositiveSmallIntegerField(default=30, help_text='The address that was typed, and the network. From 1 to 365.', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(365)], verbose_name='failed log-ins, days')),
                ('draft_months', models.PositiveSmallIntegerField(default=3, help_text='After they were last worked on. From 1 to 24.', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(24)], verbose_name='files never sent in, months')),
                ('file_years', models.PositiveSmallIntegerField(default=5, help_text='After their month was published. Entries, games and findings stay. From 2 to 30.', validators=[django.core.validators.MinValueValidator(2), django.core.validators.MaxValueValidator(30)], verbose_name='files sent in, years')),
                ('report_months', models.PositiveSmallIntegerField(default=24, help_text='After the answer. From 6 to 120.', validators=[django.core.validators.MinValueValidator(6), django.core.validators.MaxValueValidator(120)], verbose_name='names and addresses of who wrote to the bureau, months')),
                ('import_months', models.PositiveSmallIntegerField(default=12, help_text='After the list was taken in or given up. From 1 to 120.', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(120)], verbose_name='lines of lists brought in, months')),
                ('account_years', models.PositiveSmallIntegerField(default=3, help_text='Then name and address are erased. Decisions stay. From 1 to 30.', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(30)], verbose_name='closed accounts, years')),
            ],
            options={
                'verbose_name': 'personal data',
                'verbose_name_plural': 'personal data',
                'default_permissions': ('view', 'change'),
                'constraints': [models.CheckConstraint(condition=models.Q(('pk', 1)), name='retention_has_one_row'), models.CheckConstraint(condition=models.Q(('mail_days__range', (7, 730))), name='retention_mail_days_plausible'), models.CheckConstraint(condition=models.Q(('login_days__range', (1, 365))), name='retention_login_days_plausible'), models.CheckConstraint(condition=models.Q(('draft_months__range', (1, 24))), name='retention_draft_months_plausible'), models.CheckConstraint(condition=models.Q(('file_years__range', (2, 30))), name='retention_file_years_plausible'), models.CheckConstraint(condition=models.Q(('report_months__range', (6, 120))), name='retention_report_months_plausible'), models.CheckConstraint(condition=models.Q(('import_months__range', (1, 120))), name='retention_import_months_plausible'), models.CheckConstraint(condition=models.Q(('account_years__range', (1, 30))), name='retention_account_years_plausible')],
            },
        ),
        migrations.CreateModel(
            name='Token',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60)),
                ('digest', models.CharField(max_length=64, unique=True)),
                ('scopes', models.CharField(max_length=60, verbose_name='may')),
                ('created_at', models.DateTimeField(verbose_name='made')),
                ('last_day', models.DateField()),
                ('last_used_at', models.DateTimeField(null=True, verbose_name='last used')),
                ('withdrawn_at', models.DateTimeField(null=True, verbose_name='withdrawn')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='tokens', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-created_at', '-pk'],
                'default_permissions': ('view',),
                'constraints': [models.UniqueConstraint(condition=models.Q(('withdrawn_at__isnull', True)), fields=('user', 'name'), name='token_of_a_name_once')],
            },
        ),
        migrations.CreateModel(
            name='WeekMail',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('week', models.CharField(max_length=8)),
                ('at', models.DateTimeField()),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='week_mails', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'default_permissions': (),
                'constraints': [models.UniqueConstraint(fields=('user', 'week'), name='week_mail_once')],
            },
        ),
        migrations.RunPython(retention.add_row, migrations.RunPython.noop),
    ]
