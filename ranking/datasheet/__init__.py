"""The datasheet of a campaign: what the platform knows, what the organiser answers, and both in files."""
