"""Built-in observers: they record what happened, after the answer has left, and change nothing."""
