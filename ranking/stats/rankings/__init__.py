"""Ranking methods, their uncertainty, and what follows from a ranking."""
