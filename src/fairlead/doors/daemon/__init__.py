"""The warm process: one per user, answers hook calls through a Unix socket."""
