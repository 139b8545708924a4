from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('judgments', '0012_verdicts_and_corrections'),
    ]

    operations = [
        migrations.AddField(
            model_name='system',
            name='taken_from',
            field=models.CharField(blank=True, help_text='The campaign whose corrections it is, by its short name.', max_length=50),
        ),
        migrations.AlterField(
            model_name='completion',
            name='passed',
            field=models.BooleanField(help_text='Whether enough controls were answered rightly.', null=True),
        ),
        migrations.AlterField(
            model_name='conduct',
            name='controls_passed',
            field=models.PositiveIntegerField(help_text='Controls that were answered rightly.'),
        ),
    ]
