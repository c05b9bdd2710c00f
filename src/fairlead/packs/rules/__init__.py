"""The packs: rules alone, with their examples, which are tests."""
