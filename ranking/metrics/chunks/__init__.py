"""Metrics that cut sentences into chunks by the edits of candidates and references: GoToScorer and CLEME.

The edits of a candidate are the smallest difference to its source in words, and those of references come with the
material; or all are those that ERRANT finds, as the papers have it.
"""
