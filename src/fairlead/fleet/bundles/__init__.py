"""Signed policy folders: how they are made, checked and kept."""
