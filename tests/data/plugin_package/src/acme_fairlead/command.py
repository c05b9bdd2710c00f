"""Commands beside Fairlead's own."""

import click


@click.command()
@click.option("--name", default="world")
def command(name):
    """Greet."""
    click.echo(f"acme greets {name}")


@click.command()
def crash():
    """Break."""
    raise ZeroDivisionError("as promised")
