"""Finds key material in text."""
