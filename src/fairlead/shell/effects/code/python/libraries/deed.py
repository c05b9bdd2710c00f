"""A row of the table of library calls."""

from __future__ import annotations

from fairlead.model.value import Value


class Deed(Value):
    """`call` is a pattern of the full name without the library in front; `|` stands between two.

    `does` is an effect as data write it (`send/mail`), or a command line that does the same, in which `{0}`
    is the first argument, `{key}` the keyword of that name, and `{0!q}` the same in quotes; where it cannot
    be told, nothing is done. `when` is what a keyword has to be, such as `private=False`, or an argument by
    its number; with `~` in place of `=` it only has to be in it, and with neither it only has to be there.
    """

    call: str
    does: str
    when: str = ""
