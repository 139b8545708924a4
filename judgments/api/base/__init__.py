"""The base of the API: formats, paging, problems and idempotency."""
