"""Reads what the files of a repository would run, and judges it as the guard judges a committed file."""
