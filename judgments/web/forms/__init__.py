"""Forms of the pages, by subject; the forms of judging screens belong to the protocols."""
