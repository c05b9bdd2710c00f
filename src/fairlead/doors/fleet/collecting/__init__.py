"""The centre: what machines send, in a database that several read and write at once."""
