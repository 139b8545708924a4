"""Corrections by judges: how much each corrects, how well people agree, and systems compared with people."""
