from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('judgments', '0015_signs_of_life'),
    ]

    operations = [
        migrations.CreateModel(
            name='RateUsed',
            fields=[
                ('key', models.CharField(max_length=150, primary_key=True, serialize=False)),
                ('until', models.DateTimeField(db_index=True)),
                ('count', models.PositiveIntegerField()),
            ],
            options={
                'verbose_name_plural': 'rates used',
            },
        ),
        migrations.CreateModel(
            name='Tries',
            fields=[
                ('key', models.CharField(help_text='A keyed digest; whose it is cannot be read.', max_length=64, primary_key=True, serialize=False)),
                ('count', models.PositiveIntegerField(default=0)),
                ('since', models.DateTimeField(db_index=True)),
                ('let_in_at', models.DateTimeField(blank=True, help_text='When somebody came in by this name from here.', null=True)),
            ],
        ),
    ]
