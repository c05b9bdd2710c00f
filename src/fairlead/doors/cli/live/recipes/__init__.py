"""How each agent is started without a terminal, sorted by the model API that it speaks."""
