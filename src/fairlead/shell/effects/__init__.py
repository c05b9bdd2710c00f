"""From commands to effects. Each family has a table of the programs that it knows."""
