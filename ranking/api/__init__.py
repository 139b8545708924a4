"""Concluding for machines: the same verbs and the same access as the pages; one module a subject."""
