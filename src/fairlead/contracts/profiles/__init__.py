"""Gemini CLI and llxprt as they really behave, for scripts that were written for them and to prove parity.

They fail open where their originals do, so they are never a default: a hook names one for itself, and the
outcome says that it was read under it.
"""
