"""Whatever a file holds, its reader gives a value or a sentence, and soon: good files, changed by the thousand."""
