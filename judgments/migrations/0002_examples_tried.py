from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('judgments', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='membership',
            name='examples_tried',
            field=models.PositiveSmallIntegerField(default=0, help_text='Examples of the tutorial tried in turn.'),
        ),
    ]
