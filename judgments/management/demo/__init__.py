"""Sample campaigns with texts of our own and simulated judges."""

# The short names of the finished evaluation, and of the one that goes on; and who is invited to all but the first.
FINISHED, RUNNING = "demo-finished", "demo"
GUEST = "guest"
