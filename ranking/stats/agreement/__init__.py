"""Agreement of judges with each other and with themselves."""
