"""Simulations that show how far the conclusions of reports hold: `make study`."""
