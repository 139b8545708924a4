"""The rules of collecting, pure: no Django, no database, no clock."""
