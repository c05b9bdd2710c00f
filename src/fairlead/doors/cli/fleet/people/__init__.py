"""Answers of people to what other machines ask."""
