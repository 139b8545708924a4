"""Experiments in which parts of a running platform are killed, paused and starved, and then everything is counted."""
