"""How well a ranking made from some judgments foretells others."""
