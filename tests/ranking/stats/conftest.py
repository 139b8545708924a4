"""Hypothesis without its clock: no test of ours fails because a machine is busy."""

from hypothesis import settings

settings.register_profile("without a clock", deadline=None)
settings.load_profile("without a clock")
