"""Reports for machines: the same verbs and the same access as the pages."""
