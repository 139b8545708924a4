"""Plots of a report: its tables as SVG, one module a plot; every number comes from a table and none is made here."""
