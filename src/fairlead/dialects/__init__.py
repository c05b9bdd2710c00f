"""How each agent spells events and verdicts. A dialect holds no rules."""
