from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('ranking', '0009_besides'),
    ]

    operations = [
        migrations.RenameField(model_name='report', old_name='besides', new_name='other_inputs'),
    ]
