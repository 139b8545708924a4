"""What single judges are like: time, severity, consistency, and whether the place on the screen counted."""
