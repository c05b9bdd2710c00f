"""What the bus costs beside a direct call."""
