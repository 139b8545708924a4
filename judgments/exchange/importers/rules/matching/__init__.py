"""Matching recorded rankings and ratings with the systems and sentences of a campaign."""
