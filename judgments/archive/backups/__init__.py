"""Backups: every row of every table and the data folder in one file, and back."""
