"""Characteristics of single judges: time, severity, consistency, and position bias."""
