"""Rules that go by a name, where the name is not written out."""
