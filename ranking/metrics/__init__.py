"""Automatic metrics on lines of text: what is counted once a candidate, and scores that are made of counts."""
