"""Gemini CLI and llxprt as they really behave, for scripts that were written for them and to prove parity.

They fail open where their originals do, so they are never a default: an entry names one for itself, and the
policy check, the lists of hooks and the journal show it. The entries of one profile and type that match an
event are run together, as the original runs them, and what comes of it is one answer among the others.
"""
