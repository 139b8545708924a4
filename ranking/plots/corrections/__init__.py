"""Plots of reports on corrections."""
