"""One hook call, from bytes to bytes. The daemon and the cold path both use it."""
