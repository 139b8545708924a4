"""Arithmetic on ballots, pure: no Django; systems and judges are integers, names are somebody else's business."""
