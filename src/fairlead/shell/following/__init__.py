"""Programs that run others: where the command inside them stands."""
