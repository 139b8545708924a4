"""The teams of a shared task, and the newest file of outputs for each of their systems."""

from django.db import models

from judgments.models.campaign import Campaign
from judgments.models.constraints import unique
from judgments.models.members import Link
from judgments.rules.files.names import LONGEST


class Team(Link):
    """A team and its link, which takes files until it expires, and shows what was received after that too."""

    page = "team"
    listed_on = "submissions"
    whose = "of {link.name}"

    name = models.CharField(max_length=LONGEST)

    class Meta:
        constraints = [unique("one_team_per_name", "campaign", "name")]

    def __str__(self) -> str:
        return f"{self.name} in {self.campaign}"

    @property
    def takes_files(self) -> bool:
        return self.is_valid and self.campaign.state in (Campaign.State.DRAFT, Campaign.State.OPEN)


class Submission(models.Model):
    """A checked file of outputs; a replacement takes its place, so that the last one counts."""

    team = models.ForeignKey(Team, models.CASCADE)
    system = models.CharField(max_length=LONGEST)
    content = models.BinaryField(help_text="The file as it was sent.")
    size = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)
    fingerprint = models.CharField(max_length=32, help_text="A digest of the normalised outputs.")
    changed = models.PositiveIntegerField(help_text="The number of sentences that differ from the source.")
    version = models.PositiveIntegerField(default=0, help_text="The number of files received for this system.")
    received_at = models.DateTimeField()
    code = models.CharField(max_length=12, help_text="Shown to the team and to the organiser, to compare receipts.")
    accepted_as = models.CharField(max_length=LONGEST, blank=True, help_text="The name of the stored system.")
    accepted_version = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [unique("one_submission_per_system", "team", "system")]

    def __str__(self) -> str:
        return f"{self.system} of {self.team}"
