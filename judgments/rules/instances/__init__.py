"""Usages of usage for verdicts: spans of sentences, what is known of them, and what systems say of them."""
