"""What a chain of hooks around a tool call costs, side by side with other ways to build one."""
