"""A guard and an observer."""

from fairlead.plugins import Decision, Outcome


def working_hours(event, config, previous):
    """Blocks the tools that the policy says are for working hours alone."""
    if event.tool is not None and event.tool.name in config.get("tools", ()):
        return Outcome(Decision.BLOCK, reason=f"{event.tool.name} waits until Monday", rule="acme/hours")
    return None


def count_calls(event, config, previous):
    """Adds a line for each call to a file."""
    if config.get("file"):
        with open(config["file"], "a", encoding="utf-8") as file:
            file.write(f"{event.tool.name if event.tool else event.native_name}\n")
