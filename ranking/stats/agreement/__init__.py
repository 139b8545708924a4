"""How much judges agree, with each other and with themselves."""
