"""Every deliberate exception: what went wrong, where, and what to do next."""

from __future__ import annotations


class FairleadError(Exception):
    """Something a person can mend. `hint` says how."""

    code = "ERROR"
    exit_code = 1

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\n  hint: {self.hint}" if self.hint else self.message


class UsageError(FairleadError):
    """The command line is wrong. Never exit code 2: to an agent that means block."""

    code = "USAGE"
    exit_code = 64


class PolicyError(FairleadError):
    """A policy file, or the order that it asks for, makes no sense."""

    code = "POLICY"


class PayloadError(FairleadError):
    """What an agent sent cannot be read as an event."""

    code = "INVALID_REQUEST"


class TrustError(FairleadError):
    """Something would loosen or execute, and nobody who may has said so."""

    code = "TRUST"


class RegistrationError(FairleadError):
    """A hook was registered in a way that cannot work."""

    code = "REGISTRATION"


class PluginError(FairleadError):
    """What another package offers is not there, or cannot be used."""

    code = "PLUGIN"


class JournalError(FairleadError):
    """A line could not be written, or the journal's place is not one to write to. The verdict stands."""

    code = "JOURNAL"


class SettingsError(FairleadError):
    """A settings file of an agent cannot be read, or has a shape that we must not guess at."""

    code = "SETTINGS"
