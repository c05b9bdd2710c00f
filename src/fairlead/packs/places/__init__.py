"""Which paths are more than files: secrets, start-up files, settings."""
