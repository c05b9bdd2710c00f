"""Policies: written, looked at, tested, trusted, watched and learned."""
