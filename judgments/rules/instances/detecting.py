"""When a system that tells the probability of an error says that there is one: from one half on."""

ERROR_FROM = 0.5
