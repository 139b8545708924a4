"""Importing judgments collected outside the platform: rankings, ratings, corrections and verdicts."""
