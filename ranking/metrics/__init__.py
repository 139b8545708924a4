"""Automatic metrics on lines of text: each counts every distinct candidate once and computes all scores from the
counts.
"""
