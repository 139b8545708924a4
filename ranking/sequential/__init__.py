"""Judging that is looked at while it goes on: rules for stopping, and screens that depend on the judgments so far."""
