"""Pure rules that every room may use: no Django, no database, no clock."""
