"""Verbs that only look, or after which other words are names: a losing verb behind one is told to nobody."""

from __future__ import annotations

from fairlead.shell.word_sets import names

LOOKING = names(
    """
    help search describe explain lint view list ls show get status info inspect diff print cat find
    validate verify count watch tail grep simulate whatis eval
    """
)
"""After these no verb is told to anyone: `config get delete_policy`."""
LOOKED_AT = names(
    """
    list view tail count print diff
    """
)
"""Those of them that are as often a thing: `list delete devs`."""
NAMING = names(
    """
    generate gen g new create scaffold make start checkout switch edit open add branch touch write invoke
    test tests check log logs history query docs stats preview plan
    """
)
"""After these a compound is a name: `generate page delete-account`."""
GENERATING = names("gen generate make scaffold new")
"""First words that make files from a template."""
GENERATORS = names("generate gen g scaffold")
"""The same, where the next word says which template."""
TRYING = names("test tests check lint fmt format bench benchmark")
"""First words after which all others are files, names and patterns."""
LOOKING_FIRST = names("help search describe explain lint view")
"""As first words they say it for the whole line, whatever program it is."""
VIEWING_RELEASES = names("list ls show status info help check view history notes")
"""Looks at what others publish."""
LOOKING_IN_RECORDS = names("get describe show read inspect invoke serve new ls tail create init start")
"""Before a name, for programs whose record knows their verbs."""
LOOKING_OR_A_THING = names("list logs log shell view status search")
"""With a verb after it, one of these is a thing: `logs delete`."""
LOOKING_AT_SETTINGS = names("list ls help show get")
"""Before a setting, or what is kept at a host."""
SHOWING_SECRETS = names("get show reveal read view print dump export decrypt cat display fetch access")
"""Beside a secret, they print it."""
OPENING_SECRETS = names("reveal decrypt dump export print access")
"""They print what is hidden otherwise."""
READING_BY_TOOLS = names(
    """
    get list describe search read show find query count check explain preview plan validate suggest fetch view
    lookup diff inspect can estimate watch simulate dry retrieve
    """
)
"""In the names of foreign tools."""
TAKING_TEXT = names(
    """
    add note check explain judge ask say log comment describe remember search classify lint parse format
    fmt validate tokenize highlight analyze scan audit
    """
)
"""Subcommands that take text to keep, to show or to look at."""
