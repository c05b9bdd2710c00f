"""Puts the door in front of the servers that MCP clients are configured with, and takes it away again."""
