"""Files read as a whole: in work that grows with their size, whatever calls whatever in them.

A file is given steps by the size of its tree. As long as there are plenty, loops are unrolled and functions
are read again for every call, as in a line. When only those are left that it takes to read everything once,
the reading *widens*: what differs from round to round and from call to call counts as unknown, and nothing is
read a second time.
"""

from __future__ import annotations

from functools import lru_cache

from fairlead.shell.bounds import Budget, Exhausted
from fairlead.shell.expansion.reading import Frame, Reading
from fairlead.shell.expansion.redirections import unknown_output
from fairlead.shell.expansion.source_files import FileText
from fairlead.shell.expansion.state import State
from fairlead.shell.expansion.values import Scalar
from fairlead.shell.language.statements import parse
from fairlead.shell.language.syntax_tree import Sequence, SyntaxFault
from fairlead.shell.running.functions import any_arguments
from fairlead.shell.unknown import Kind, Unknown

_MOST_INSIDE_ITSELF = 2
Tree = tuple[Sequence, list[SyntaxFault], int]


def walk_file(run: Reading, text: FileText, state: State, frame: Frame) -> Scalar:
    """Run the text of a file, in the place and with the variables that it finds. One that runs again and
    again is read a last time for whatever it is given."""
    span = frame.span or (0, 0)
    sources = run.sources
    if sources.active.count(text.path) >= _MOST_INSIDE_ITSELF:
        return unknown_output(text.path, (text.path,))
    if not run.enter():
        run.note(Unknown(Kind.TOO_DEEP), span, executed=True)
        return ""
    standing, before = sources.standing, run.budget.standing
    sources.enter(text)
    sources.active.append(text.path)
    try:
        tree, faults, nodes = _tree(run, text)
        plenty = text.path not in run.whole.begun or run.budget.has_plenty(nodes)
        if not plenty and text.path in run.whole.widened:
            return unknown_output(text.path, (text.path,))
        run.whole.begun.add(text.path)
        run.budget.begin_file(nodes, plenty=plenty)
        if not plenty:
            run.whole.widened.add(text.path)
            state.set_positional(any_arguments())
        if faults:
            run.note_faults(faults, frame)
        return run.capture(tree, state, frame)
    except Exhausted:
        run.note(Unknown(Kind.TOO_MANY_STEPS), span, executed=True)
        return ""
    finally:
        run.budget.end_file(before)
        sources.active.pop()
        sources.stand(standing)
        run.leave()


def _tree(run: Reading, text: FileText) -> Tree:
    """What the file is made of, and of how much; read once, however often it runs."""
    known = run.whole.trees.get(text.path)
    if known is None:
        known = _parsed_before(str(text)) if len(text) <= _SHORT else _parsed(text)
        run.whole.trees[text.path] = known
        run.budget.count(known[2])
    return known


_PARSED = 1000
_SHORT, _KEPT = 16 * 1024, 32
"""Characters of a file whose tree is kept for the next call that runs it, and how many are."""


def _parsed(text: str) -> Tree:
    budget = Budget(_PARSED + len(text))
    tree, faults = parse(text, budget)
    return tree, faults, budget.spent


_parsed_before = lru_cache(maxsize=_KEPT)(_parsed)
"""By the content alone: a tree is only read, whoever walks it."""
