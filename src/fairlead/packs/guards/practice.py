"""What a process that will judge many calls does before the first."""

from __future__ import annotations

from fairlead.model.installation import NOWHERE
from fairlead.packs.judging.call_effects import home_of_user, surroundings
from fairlead.packs.judging.pack_table import all_packs
from fairlead.shell.effects.program_effects import reader_of
from fairlead.shell.effects.script_effects import effects_of
from fairlead.shell.programs.compiled.index import FAMILY_OF
from fairlead.shell.reader import read_script


def practise() -> None:
    """Looks every program up and reads the examples of all rules, as texts: then no first command of its kind waits for a module, a table
    or a pattern that is made when it is first needed."""
    where = surroundings("/", home_of_user(), NOWHERE)
    examples = [
        text for pack in all_packs() for rule in pack.rules for text in (*rule.dangerous, *rule.harmless)
    ]
    for name in FAMILY_OF:
        program = where.programs.find(name)
        if program is not None:
            reader_of(program)
    for text in examples:
        for _ in effects_of(read_script(text, cwd="/", home=where.home), where):
            pass
