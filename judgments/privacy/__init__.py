"""Personal data: handing it to the person, and erasing it."""
