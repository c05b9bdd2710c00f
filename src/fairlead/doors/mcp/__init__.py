"""The MCP door: between any client and any server, the same policy as hooks have."""
