"""click's classes with the type that they hold, which they take at run time from click 8.2 on alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    TextParameter = click.ParamType[str]
    TextChoice = click.Choice[str]
else:
    TextParameter = click.ParamType
    TextChoice = click.Choice
