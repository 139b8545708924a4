"""Ratings of whole texts by scale."""
