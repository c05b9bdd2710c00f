"""The syntax tree of shell text: what the parser makes and the walk reads. Plain and cheap to create."""

from __future__ import annotations


class Literal:
    """Text as it stands; `quoted` text is neither split nor taken for a pattern."""

    __slots__ = ("quoted", "text")

    def __init__(self, text: str, quoted: bool) -> None:
        self.text = text
        self.quoted = quoted


class Parameter:
    """`$name` or `${name…}`. `operator` is what stands after the name, `argument` what follows it."""

    __slots__ = (
        "argument",
        "index",
        "indirect",
        "length",
        "name",
        "operator",
        "quoted",
        "replacement",
        "source",
    )

    def __init__(self, name: str, quoted: bool, source: str) -> None:
        self.name = name
        self.quoted = quoted
        self.source = source
        self.operator = ""
        self.argument: list[Part] = []
        self.replacement: list[Part] = []
        self.index: list[Part] | None = None
        self.indirect = False
        self.length = False


class Substitution:
    """`$(…)` or backquotes; `direction` is `<` or `>` for a process substitution, else empty."""

    __slots__ = ("body", "direction", "quoted", "source")

    def __init__(self, body: Sequence, quoted: bool, source: str, direction: str = "") -> None:
        self.body = body
        self.quoted = quoted
        self.source = source
        self.direction = direction


class Arithmetic:
    """`$((…))`: the expression's parts before it is computed."""

    __slots__ = ("parts", "quoted", "source")

    def __init__(self, parts: list[Part], quoted: bool, source: str) -> None:
        self.parts = parts
        self.quoted = quoted
        self.source = source


class Unread:
    """A piece of text whose value was unknown when the text was made (`bash -c "rm $X"`)."""

    __slots__ = ("index", "quoted")

    def __init__(self, index: int, quoted: bool) -> None:
        self.index = index
        self.quoted = quoted


Part = Literal | Parameter | Substitution | Arithmetic | Unread


class WordNode:
    """One word before expansion. `plain` is its text where nothing is left to expand; then it may do without
    `parts`."""

    __slots__ = ("end", "parts", "plain", "start")

    def __init__(self, parts: list[Part], start: int, end: int, plain: str | None) -> None:
        self.parts = parts
        self.start = start
        self.end = end
        self.plain = plain


class Assignment:
    """`name=value`, `name+=value`, `name[index]=value` or `name=(items)`."""

    __slots__ = ("append", "end", "index", "items", "name", "start", "value")

    def __init__(self, name: str, value: WordNode, *, append: bool, start: int, end: int) -> None:
        self.name = name
        self.value = value
        self.append = append
        self.start = start
        self.end = end
        self.index: list[Part] | None = None
        self.items: list[WordNode | Assignment] | None = None


class RedirectNode:
    """One redirection. A here-document has its `body`, which is filled when its line ends; `{name}<` puts the
    number of a free descriptor into the `variable`."""

    __slots__ = ("body", "descriptor", "operator", "target", "variable")

    def __init__(self, operator: str, target: WordNode, descriptor: int | None) -> None:
        self.operator = operator
        self.target = target
        self.descriptor = descriptor
        self.variable = ""
        self.body: list[Part] | None = None


class Simple:
    __slots__ = ("assignments", "end", "redirects", "start", "words")

    def __init__(self, start: int) -> None:
        self.assignments: list[Assignment] = []
        self.words: list[WordNode | Assignment] = []
        self.redirects: list[RedirectNode] = []
        self.start = start
        self.end = start


class Compound:
    """Any compound command; `kind` says which, and which of the fields it uses.

    group, subshell: body. if: clauses (condition, body) and body for else. while, until: condition, body.
    for, select: name, words (None: the positional parameters), body. loop: parts, body (`for ((…))`).
    case: subject, cases (patterns, body). arithmetic: parts. test: words. function: name, body.
    coproc: name, body.
    """

    __slots__ = (
        "body", "cases", "clauses", "condition", "end", "kind", "name", "parts", "redirects", "start",
        "subject", "words",
    )  # fmt: skip

    def __init__(self, kind: str, start: int) -> None:
        self.kind = kind
        self.start = start
        self.end = start
        self.body: Sequence | None = None
        self.condition: Sequence | None = None
        self.clauses: list[tuple[Sequence, Sequence]] = []
        self.cases: list[tuple[list[WordNode], Sequence]] = []
        self.name = ""
        self.subject: WordNode | None = None
        self.words: list[WordNode] | None = None
        self.parts: list[Part] = []
        self.redirects: list[RedirectNode] = []


Node = Simple | Compound


class Pipeline:
    __slots__ = ("end", "negated", "stages", "start")

    def __init__(self, stages: list[Node], *, negated: bool, start: int, end: int) -> None:
        self.stages = stages
        self.negated = negated
        self.start = start
        self.end = end


class AndOr:
    """`first`, then `rest` with its connectors `&&` and `||`; `background` when `&` ends it."""

    __slots__ = ("background", "first", "rest")

    def __init__(self, first: Pipeline) -> None:
        self.first = first
        self.rest: list[tuple[str, Pipeline]] = []
        self.background = False


class Sequence:
    __slots__ = ("items",)

    def __init__(self) -> None:
        self.items: list[AndOr] = []


class SyntaxFault:
    """Text that the parser could not read: where, and what it expected.

    `refused`: bash would not run it either, and what follows was read all the same. `quoted`: what follows
    was read as part of a quote that does not end.
    """

    __slots__ = ("end", "expected", "quoted", "refused", "start", "too_deep")

    def __init__(
        self,
        expected: str,
        start: int,
        end: int,
        *,
        too_deep: bool = False,
        refused: bool = False,
        quoted: bool = False,
    ) -> None:
        self.expected = expected
        self.start = start
        self.end = end
        self.too_deep = too_deep
        self.refused = refused
        self.quoted = quoted
