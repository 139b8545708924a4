"""Importing judgments collected outside the platform: rankings, corrections and verdicts."""
