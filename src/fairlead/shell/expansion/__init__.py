"""Words into arguments, with what the shell knows at that point."""
