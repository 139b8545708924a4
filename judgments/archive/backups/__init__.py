"""Backing up every row of every table and the data folder into one file, and restoring it."""
