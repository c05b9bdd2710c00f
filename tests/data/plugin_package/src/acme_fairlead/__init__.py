"""A package that adds to Fairlead what the Acme company needs."""
