"""Verdicts of a crowd on single usages, and systems that detect errors compared with it (Madnani et al. 2011)."""
