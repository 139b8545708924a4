"""Who is better, and how sure: a module each for a method, its uncertainty, and what follows from it."""
