"""From a study of verdicts to the tables of a report, one module a part of it."""
