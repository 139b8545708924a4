"""The HTTP API of reports and metrics, with the functions and the access checks of the pages; one module a subject."""
