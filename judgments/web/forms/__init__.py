"""Forms of the pages, by subject; the forms of screens belong to the protocols."""
