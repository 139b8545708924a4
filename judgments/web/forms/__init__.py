"""Forms of the pages, by what they are about; those of judging screens belong to the protocols."""
