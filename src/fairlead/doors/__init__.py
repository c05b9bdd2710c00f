"""Ways into the engine. A door holds no rules."""
