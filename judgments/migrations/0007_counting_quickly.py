"""What organisers' pages count is found without reading every seat."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("judgments", "0006_programs_and_kept_answers")]

    operations = [
        migrations.AddIndex(
            "judgment", models.Index(fields=["id"], condition=Q(revision__gt=1), name="judgment_revised")
        ),
        migrations.AddIndex(
            "seat", models.Index(fields=["campaign", "judge"], condition=Q(batch=None), name="seat_beside_the_deal")
        ),
    ]
