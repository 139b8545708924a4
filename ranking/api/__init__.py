"""The HTTP API of reports and metrics, with the same functions and access checks as the pages."""
