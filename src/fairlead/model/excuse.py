"""What a person can make an exception of: a rule, a whole pack, or a rule for one exact command."""

from __future__ import annotations

from fairlead.model.value import Value


class ExactCommand(Value):
    """One simple command in normal form, and the folder in which it runs."""

    text: str
    cwd: str

    def excuse_from(self, rule: str) -> str:
        """The name of the exception. It is only compared: no rule and no pack has such a name."""
        return f"{rule}\0{self.cwd}\0{self.text}"
