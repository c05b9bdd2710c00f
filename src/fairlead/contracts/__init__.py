"""What came of running a hook, read as an outcome."""
