"""Collecting for machines: the verbs, the access and the answers of the pages; one module a subject."""
