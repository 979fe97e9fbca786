"""The tables of players in one step, for a new database: a third of the time that the steps from 0001_initial on take.

A database that has some of those steps goes on with them.
"""

from importlib import import_module

import django.core.validators
import django.db.models.deletion
import simple_history.models
from django.conf import settings
from django.db import migrations, models

regions = import_module("players.migrations.0002_regions")  # it fills the tables


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('players', '0001_initial'),
        ('players', '0002_regions'),
        ('players', '0003_address_on_record'),
        ('players', '0004_clubs_and_register_imports'),
        ('players', '0005_fide_ratings'),
        ('players', '0006_merged_players'),
        ('players', '0007_day_of_death'),
        ('players', '0008_hidden_players'),
        ('players', '0009_erased_players'),
        ('players', '0010_names_folded_again'),
    ]

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Province',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(max_length=3, unique=True)),
                ('name', models.CharField(max_length=60, unique=True)),
            ],
            options={
                'ordering': ['name'],
            },
        ),
        migrations.CreateModel(
            name='Title',
            fields=[
                ('code', models.CharField(max_length=3, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=40)),
                ('position', models.PositiveSmallIntegerField(unique=True)),
            ],
            options={
                'ordering': ['position'],
            },
        ),
        migrations.CreateModel(
            name='FideList',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('month', models.DateField(help_text='The first day of the month whose list it is.')),
                ('kinds', models.CharField(max_length=3)),
                ('at', models.DateTimeField(verbose_name='taken at')),
                ('filename', models.CharField(max_length=200)),
                ('sha256', models.CharField(max_length=64)),
                ('listed', models.PositiveIntegerField(default=0, verbose_name='players on the list')),
                ('new', models.PositiveIntegerField(default=0)),
                ('changed', models.PositiveIntegerField(default=0)),
                ('unchanged', models.PositiveIntegerField(default=0)),
                ('gone', models.PositiveIntegerField(default=0)),
                ('questions', models.PositiveIntegerField(default=0)),
                ('dropped_at', models.DateTimeField(blank=True, null=True)),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'FIDE list',
                'ordering': ['-pk'],
                'constraints': [models.CheckConstraint(condition=models.Q(('month__day', 1)), name='fide_list_of_a_month')],
            },
        ),
        migrations.CreateModel(
            name='FideListed',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('fide_id', models.PositiveBigIntegerField()),
                ('name', models.CharField(max_length=80)),
                ('federation', models.CharField(max_length=3)),
                ('sex', models.CharField(max_length=1)),
                ('birth_year', models.PositiveSmallIntegerField(null=True)),
                ('standard', models.PositiveSmallIntegerField(null=True)),
                ('rapid', models.PositiveSmallIntegerField(null=True)),
                ('blitz', models.PositiveSmallIntegerField(null=True)),
                ('since', models.DateField()),
                ('until', models.DateField(null=True)),
            ],
            options={
                'verbose_name': 'person on FIDE’s list',
                'constraints': [models.UniqueConstraint(fields=('fide_id', 'since'), name='fide_listed_once_a_month')],
            },
        ),
        migrations.CreateModel(
            name='Player',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.CharField(max_length=9, unique=True, validators=[django.core.validators.RegexValidator('^[0-9]{9}$', "A player's number has nine digits.")], verbose_name='Chess SA id')),
                ('fide_id', models.PositiveBigIntegerField(blank=True, null=True, unique=True, verbose_name='FIDE id')),
                ('last_name', models.CharField(max_length=80)),
                ('first_name', models.CharField(blank=True, max_length=80)),
                ('folded_name', models.CharField(db_index=True, editable=False, max_length=200)),
                ('birth_date', models.DateField(blank=True, null=True)),
                ('birth_year', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('died_on', models.DateField(blank=True, help_text='Lists that count from a later day leave the player out. Public is the year alone.', null=True, verbose_name='died on')),
                ('hidden_since', models.DateField(blank=True, help_text='At the player’s own wish, or that of a child’s parents: public pages say “Hidden player” in his place, without number, and show no page of his; blank it to show him again. Files of published months that were made before stay as they are.', null=True, verbose_name='hidden since')),
                ('sex', models.CharField(blank=True, choices=[('M', 'male'), ('F', 'female')], max_length=1)),
                ('federation', models.CharField(default='RSA', max_length=3, validators=[django.core.validators.RegexValidator('^[A-Z]{3}$', 'Three capitals, as RSA.')])),
                ('club', models.CharField(blank=True, max_length=80)),
                ('email', models.EmailField(blank=True, help_text='Of the player, a parent or the team manager. Links for results from abroad go only there. Never public.', max_length=254, verbose_name='e-mail address')),
                ('registered_at', models.DateTimeField()),
                ('erased_at', models.DateTimeField(editable=False, help_text='When his data was erased; his name is a pseudonym since.', null=True, verbose_name='erased at')),
                ('merged_into', models.ForeignKey(blank=True, editable=False, help_text='The player whom his number leads to, who is not merged himself. Not on the register any more.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='merged', to='players.player')),
            ],
            options={
                'ordering': ['last_name', 'first_name', 'number'],
            },
        ),
        migrations.CreateModel(
            name='FideRating',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('S', 'standard'), ('R', 'rapid'), ('B', 'blitz')], max_length=1)),
                ('rating', models.PositiveSmallIntegerField()),
                ('k', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('games', models.PositiveSmallIntegerField(blank=True, help_text='In the month before the list.', null=True)),
                ('inactive', models.BooleanField(blank=True, help_text='Unknown if the list does not say it of the kind.', null=True)),
                ('list', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='ratings', to='players.fidelist')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='fide_ratings', to='players.player')),
            ],
            options={
                'verbose_name': 'FIDE rating',
                'constraints': [models.UniqueConstraint(fields=('player', 'kind'), name='one_fide_rating_of_a_kind'), models.CheckConstraint(condition=models.Q(('kind__in', ['S', 'R', 'B'])), name='fide_rating_kind_known')],
            },
        ),
        migrations.CreateModel(
            name='FideQuestion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('fide_id', models.PositiveBigIntegerField()),
                ('listed', models.JSONField()),
                ('why', models.CharField(max_length=300)),
                ('answer', models.CharField(blank=True, choices=[('', 'not answered'), ('same', 'the same person'), ('other', 'somebody else')], max_length=5)),
                ('answered_at', models.DateTimeField(blank=True, null=True)),
                ('answered_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('list', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='players.fidelist')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='fide_questions', to='players.player')),
            ],
            options={
                'verbose_name': 'question about a FIDE id',
                'ordering': ['player__last_name', 'player__first_name', 'fide_id'],
                'constraints': [models.UniqueConstraint(fields=('player', 'fide_id'), name='asked_once_about_a_fide_id'), models.CheckConstraint(condition=models.Q(models.Q(('answer', ''), ('answered_at__isnull', True)), models.Q(('answer__in', ['same', 'other']), ('answered_at__isnull', False)), _connector='OR'), name='fide_question_answered_with_its_time')],
            },
        ),
        migrations.CreateModel(
            name='Region',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(max_length=3, unique=True, validators=[django.core.validators.RegexValidator('^[A-Z]{3}$', 'Three capitals.')])),
                ('name', models.CharField(max_length=60)),
                ('provincial', models.BooleanField(default=False, help_text='Its administrator acts for every region of the province, too (article 62.3).', verbose_name='provincial body')),
                ('rules_url', models.URLField(blank=True, help_text='Where they are published; they do not contradict these (article 59).', verbose_name='rules of its own')),
                ('rules_approved', models.DateField(blank=True, help_text='By the council of the region.', null=True, verbose_name='approved on')),
                ('province', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='regions', to='players.province')),
            ],
            options={
                'ordering': ['code'],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('rules_approved__isnull', True), ('rules_url', '')), models.Q(models.Q(('rules_url', ''), _negated=True), ('rules_approved__isnull', False)), _connector='OR'), name='region_rules_with_their_day', violation_error_message='Rules of its own have both: where they are published, and the day of approval.'), models.CheckConstraint(condition=models.Q(('provincial', False), ('province__isnull', False), _connector='OR'), name='provincial_body_of_a_province', violation_error_message='A provincial body has its province: choose that, too.')],
            },
        ),
        migrations.AddField(
            model_name='player',
            name='region',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='players', to='players.region'),
        ),
        migrations.CreateModel(
            name='HistoricalRegionalAdministrator',
            fields=[
                ('id', models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name='ID')),
                ('since', models.DateField()),
                ('until', models.DateField(blank=True, help_text='The first day no longer in office.', null=True)),
                ('history_id', models.AutoField(primary_key=True, serialize=False)),
                ('history_date', models.DateTimeField(db_index=True)),
                ('history_change_reason', models.CharField(max_length=100, null=True)),
                ('history_type', models.CharField(choices=[('+', 'Created'), ('~', 'Changed'), ('-', 'Deleted')], max_length=1)),
                ('history_user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('region', models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='players.region')),
            ],
            options={
                'verbose_name': 'historical regional administrator',
                'verbose_name_plural': 'historical regional administrators',
                'ordering': ('-history_date', '-history_id'),
                'get_latest_by': ('history_date', 'history_id'),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.CreateModel(
            name='RegionalAdministrator',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('since', models.DateField()),
                ('until', models.DateField(blank=True, help_text='The first day no longer in office.', null=True)),
                ('region', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='administrators', to='players.region')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='administrations', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-since', '-pk'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('until__isnull', True)), fields=('region',), name='one_administrator_in_office_a_region'), models.CheckConstraint(condition=models.Q(('until__isnull', True), ('until__gte', models.F('since')), _connector='OR'), name='administration_ends_after_start')],
            },
        ),
        migrations.CreateModel(
            name='RegisterImport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField()),
                ('filename', models.CharField(max_length=200)),
                ('sha256', models.CharField(max_length=64)),
                ('new', models.PositiveIntegerField()),
                ('changed', models.PositiveIntegerField()),
                ('unchanged', models.PositiveIntegerField()),
                ('left_out', models.PositiveIntegerField()),
                ('undone_at', models.DateTimeField(blank=True, null=True)),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.AddField(
            model_name='player',
            name='title',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to='players.title'),
        ),
        migrations.CreateModel(
            name='HistoricalPlayer',
            fields=[
                ('id', models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name='ID')),
                ('number', models.CharField(db_index=True, max_length=9, validators=[django.core.validators.RegexValidator('^[0-9]{9}$', "A player's number has nine digits.")], verbose_name='Chess SA id')),
                ('fide_id', models.PositiveBigIntegerField(blank=True, db_index=True, null=True, verbose_name='FIDE id')),
                ('last_name', models.CharField(max_length=80)),
                ('first_name', models.CharField(blank=True, max_length=80)),
                ('folded_name', models.CharField(db_index=True, editable=False, max_length=200)),
                ('birth_date', models.DateField(blank=True, null=True)),
                ('birth_year', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('died_on', models.DateField(blank=True, help_text='Lists that count from a later day leave the player out. Public is the year alone.', null=True, verbose_name='died on')),
                ('hidden_since', models.DateField(blank=True, help_text='At the player’s own wish, or that of a child’s parents: public pages say “Hidden player” in his place, without number, and show no page of his; blank it to show him again. Files of published months that were made before stay as they are.', null=True, verbose_name='hidden since')),
                ('sex', models.CharField(blank=True, choices=[('M', 'male'), ('F', 'female')], max_length=1)),
                ('federation', models.CharField(default='RSA', max_length=3, validators=[django.core.validators.RegexValidator('^[A-Z]{3}$', 'Three capitals, as RSA.')])),
                ('club', models.CharField(blank=True, max_length=80)),
                ('email', models.EmailField(blank=True, help_text='Of the player, a parent or the team manager. Links for results from abroad go only there. Never public.', max_length=254, verbose_name='e-mail address')),
                ('registered_at', models.DateTimeField()),
                ('erased_at', models.DateTimeField(editable=False, help_text='When his data was erased; his name is a pseudonym since.', null=True, verbose_name='erased at')),
                ('history_id', models.AutoField(primary_key=True, serialize=False)),
                ('history_date', models.DateTimeField(db_index=True)),
                ('history_change_reason', models.CharField(max_length=100, null=True)),
                ('history_type', models.CharField(choices=[('+', 'Created'), ('~', 'Changed'), ('-', 'Deleted')], max_length=1)),
                ('history_user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('merged_into', models.ForeignKey(blank=True, db_constraint=False, editable=False, help_text='The player whom his number leads to, who is not merged himself. Not on the register any more.', null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='players.player')),
                ('region', models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='players.region')),
                ('title', models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='players.title')),
            ],
            options={
                'verbose_name': 'historical player',
                'verbose_name_plural': 'historical players',
                'ordering': ('-history_date', '-history_id'),
                'get_latest_by': ('history_date', 'history_id'),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.AddConstraint(
            model_name='player',
            constraint=models.CheckConstraint(condition=models.Q(('merged_into', models.F('pk')), _negated=True), name='player_merged_into_another'),
        ),
        migrations.AddConstraint(
            model_name='player',
            constraint=models.CheckConstraint(condition=models.Q(('number__regex', '^[0-9]{9}$')), name='player_number_has_nine_digits'),
        ),
        migrations.AddConstraint(
            model_name='player',
            constraint=models.CheckConstraint(condition=models.Q(('sex__in', ['', 'M', 'F'])), name='player_sex_known_or_blank'),
        ),
        migrations.AddConstraint(
            model_name='player',
            constraint=models.CheckConstraint(condition=models.Q(('birth_year__isnull', True), ('birth_year__range', (1880, 2100)), _connector='OR'), name='player_birth_year_plausible', violation_error_message='The year of birth is one from 1880 to 2100.'),
        ),
        migrations.AddConstraint(
            model_name='player',
            constraint=models.CheckConstraint(condition=models.Q(('birth_date__isnull', True), ('birth_date__year', models.F('birth_year')), _connector='OR'), name='player_birth_year_agrees'),
        ),
        migrations.AddConstraint(
            model_name='player',
            constraint=models.CheckConstraint(condition=models.Q(('erased_at__isnull', True), models.Q(('birth_date__isnull', True), ('club', ''), ('email', ''), ('fide_id__isnull', True), ('first_name', ''), ('hidden_since__isnull', False), ('last_name__regex', '^Player [1-9][0-9]{6}$'), ('sex', '')), _connector='OR'), name='player_erased_has_a_pseudonym_alone', violation_error_message='The player’s data was erased: he has a pseudonym alone.'),
        ),
        migrations.AddConstraint(
            model_name='player',
            constraint=models.CheckConstraint(condition=models.Q(('died_on__isnull', True), ('birth_year__isnull', True), ('died_on__year__gte', models.F('birth_year')), _connector='OR'), name='player_died_after_birth', violation_error_message='The day of death lies before the birth: correct one of them.'),
        ),
        migrations.RunPython(regions.fill, migrations.RunPython.noop),
    ]
