"""Protected names that a glob or an unknown part may stand for."""
