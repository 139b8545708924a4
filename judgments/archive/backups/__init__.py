"""The whole installation in one file, and back: every row of every table, and what lies in the data folder."""
