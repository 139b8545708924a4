"""Pure functions for all packages: no Django, no database, no clock."""
