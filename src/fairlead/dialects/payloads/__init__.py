"""From the bytes that an agent sends to an event."""
