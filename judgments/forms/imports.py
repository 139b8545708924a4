"""Handing in a bundle."""

from django import forms
from django.core.files.uploadedfile import UploadedFile

from judgments.forms.material import MOST_BYTES


def too_large_a_bundle() -> str:
    """What is said of more than can be taken by the browser."""
    return f"The bundle is larger than {MOST_BYTES // 2**20} MB. Bring it in by: python manage.py import_campaign FILE"


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
