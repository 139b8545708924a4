"""The version, which packaging reads from here."""

VERSION = "1.0.0rc1"
