"""Handing in a bundle."""

from django import forms
from django.core.files.uploadedfile import UploadedFile

from judgments.archive.import_job import too_large_a_bundle
from judgments.material.uploads import MOST_BYTES


class BundleForm(forms.Form):
    """A bundle, and the short name of the campaign where it should be another."""

    bundle = forms.FileField(
        help_text="The ZIP that a campaign's page Exports gives as campaign.zip, or export_campaign writes.",
        error_messages={"required": "Choose the bundle.", "empty": "The file is empty; fetch the bundle again."},
    )
    slug = forms.SlugField(
        required=False,
        max_length=50,
        label="Another short name",
        help_text="Empty: the one that the campaign had. It stands in addresses, and no other campaign may have it.",
    )

    def clean_bundle(self) -> UploadedFile:
        """No more than can be taken at once."""
        bundle: UploadedFile = self.cleaned_data["bundle"]
        if (bundle.size or 0) > MOST_BYTES:
            raise forms.ValidationError(too_large_a_bundle())
        return bundle
