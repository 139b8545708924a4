"""A demonstration campaign of the project's own making: texts, made-up systems, simulated judges."""
