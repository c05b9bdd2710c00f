"""The commands of `fairlead mcp`, one file each."""
