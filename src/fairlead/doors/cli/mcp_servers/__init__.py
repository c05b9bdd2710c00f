"""The commands that put the MCP door before the servers of clients, and what status and doctor say of it."""
