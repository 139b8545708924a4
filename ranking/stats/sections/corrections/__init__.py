"""Tables of reports on corrections."""
