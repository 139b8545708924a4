"""Personal data: exporting it for the person, and erasing it."""
