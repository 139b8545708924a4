"""The pages of concluding."""
