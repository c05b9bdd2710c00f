"""Words that give access, and words that pay: what is done to other people."""

from __future__ import annotations

from fairlead.shell.word_sets import names

GIVING = names(
    "add create set grant assign invite promote put attach change allow reset update make new modify"
)
"""Verbs that give, beside a word for access."""
ACCESS = names(
    "role permission acl privilege password passwd superuser collaborator principal admin sudoer permset"
)
"""What is given."""
PEOPLE = names("user member account admin operator")
"""To whom it is given."""
MONEY = names("refund payout transfer withdrawal disbursement remittance")
"""What is not undone by paying once more."""
PAYING = names("create send pay issue submit execute confirm approve")
"""Verbs that pay, beside a word for money."""
SECRETS = names("secret password passphrase privkey mnemonic seed credential keypair")
"""What nobody else shall see."""
