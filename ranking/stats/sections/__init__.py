"""The parts of a report: one module a subject, each with functions that make tables from a study."""
