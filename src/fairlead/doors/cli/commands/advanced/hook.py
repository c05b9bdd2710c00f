"""`fairlead hook`: help only. The call itself goes to `doors.hook.cold` before click is imported."""

from __future__ import annotations

import click


@click.command()
@click.argument("agent")
@click.argument("event", required=False)
@click.option("--policy", metavar="DIR", multiple=True, help="Add a policy root.")
@click.option("--bus", metavar="URL", help="Ask the workers on this broker too; see `fairlead bus serve`.")
@click.option(
    "--credentials", metavar="FILE", help="For the broker: .creds, a seed, name:password or a token."
)
@click.option("--tls-ca", metavar="FILE", help="Who signed the broker's certificate.")
@click.option("--tls-cert", metavar="FILE", help="Our own certificate.")
@click.option("--tls-key", metavar="FILE", help="Its key.")
def command(**given: object) -> None:
    """Answer one hook call of AGENT: its payload on stdin, the answer on stdout, stderr and as exit code.

    EVENT is the agent's own name of the event, for agents whose payload does not say it.

    \b
    Example:
      echo '{"hook_event_name": "PreToolUse", "tool_name": "Bash",
             "tool_input": {"command": "rm -rf /"}}' | fairlead hook claude
    """
