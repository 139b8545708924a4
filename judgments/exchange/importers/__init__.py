"""Importing judgments collected elsewhere: rankings, corrections and verdicts."""
