"""The API of collecting, one module a subject; services and permissions are those of the pages."""
