"""Plots of reports on verdicts, one module a plot."""
