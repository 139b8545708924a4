"""What a plan of screens would resolve."""
