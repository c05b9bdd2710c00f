"""Words: quotes, escapes, expansions and substitutions, read as bash reads them but not yet expanded."""

from __future__ import annotations

from fairlead.shell.bounds import MAX_NESTING, Budget
from fairlead.shell.language.escapes import decode_ansi_c
from fairlead.shell.language.syntax_tree import (
    Arithmetic,
    Literal,
    Parameter,
    Part,
    RedirectNode,
    Sequence,
    Substitution,
    SyntaxFault,
    Unread,
    WordNode,
)
from fairlead.shell.language.word_parts import Parts, plain_text
from fairlead.shell.lazy_pattern import lazy

UNREAD_OPEN, UNREAD_CLOSE = "\ue000", "\ue001"
"""Around the number of an unknown piece, in text that was put together from known and unknown ones."""

META = frozenset(" \t\n;&|<>()")
WHOLE = r"(?:([A-Za-z0-9_./:=,@%+\-]+)|'([^']*)'|\"([^\"\\$`\ue000]*)\")"
"""A piece that is all of a word, mostly: nothing in it is left to expand. Its text is its only group."""
_WHOLE_WORD = lazy(WHOLE + r"(?=[ \t\n;&|)]|[<>](?!\()|\Z)")
_BARE_WORD = lazy(r"[^ \t\n;&|<>()\\'\"$`\ue000]+(?=[ \t\n;&|)]|[<>](?!\()|\Z)")
"""Nothing in it is quoted or substituted; patterns, braces and tildes may be left to expand."""
_RUN = lazy(r"[^ \t\n;&|<>()\\'\"$`?*+@!\ue000]+")
_QUOTED_RUN = lazy(r"[^\"\\$`\ue000]+")
_NAME = lazy(r"[A-Za-z_][A-Za-z0-9_]*")
_BRACED_NAME = lazy(r"[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*#?\-$!]")
_OPERATOR = lazy(r":[-=?+]|##?|%%?|//|/[#%]?|\^\^?|,,?|@[A-Za-z]|[-=?+:]")
_UNREAD = lazy("\ue000([0-9]{1,9})\ue001")
_SPECIAL = frozenset("@*#?-$!0123456789")
_RETRIED = 16
"""Characters to a step for text that has to be read a second time."""

_EXTENDED_GLOB = frozenset("?*+@!")
_PATTERN_OPERATORS = frozenset({"#", "##", "%", "%%", "/", "//", "/#", "/%", "^", "^^", ",", ",,"})


class Lexer:
    """A cursor over `text`; `faults` gathers what could not be read, `heredocs` those whose line goes on."""

    def __init__(self, text: str, budget: Budget, depth: int = 0) -> None:
        self.text = text
        self.pos = 0
        self.end = len(text)
        self.budget = budget
        self.depth = depth
        self.faults: list[SyntaxFault] = []
        self.not_arithmetic: set[int] = set()
        self.heredocs: list[tuple[RedirectNode, str, bool, bool]] = []
        self.substituting = False

    def fault(self, reason: str, start: int, end: int) -> None:
        self.faults.append(SyntaxFault(reason, start, end))

    def refuse(self, reason: str, start: int, end: int, *, quoted: bool = False) -> None:
        """A fault that bash finds as well."""
        self.faults.append(SyntaxFault(reason, start, end, refused=True, quoted=quoted))

    def fault_depth(self, start: int) -> None:
        self.faults.append(SyntaxFault("nested too deep", start, self.end, too_deep=True))

    def parse_body(self, stop: str) -> Sequence:
        """The commands up to `stop`, or to the end of the text when it is empty."""
        raise NotImplementedError

    def parse_part(self, start: int, end: int) -> Sequence:
        """The commands of a part of this text, such as the inside of backquotes."""
        raise NotImplementedError

    def parse_text(self, text: str) -> Sequence:
        """The commands of another text, such as backquotes without the backslashes inside them."""
        raise NotImplementedError

    def word(self) -> WordNode:
        self.budget.spend()
        text, start = self.text, self.pos
        match = _WHOLE_WORD.match(text, start, self.end)
        if match:
            self.pos = match.end()
            return WordNode([], start, self.pos, match[match.lastindex or 0])
        match = _BARE_WORD.match(text, start, self.end)
        if match:
            self.pos = match.end()
            bare: list[Part] = [Literal(match[0], False)]
            return WordNode(bare, start, self.pos, plain_text(bare))
        parts = self._word_parts()
        return WordNode(parts, start, self.pos, plain_text(parts))

    def _word_parts(self) -> list[Part]:
        text, parts, nested = self.text, Parts(), 0
        while self.pos < self.end:
            char = text[self.pos]
            if char in META:
                if char in "<>" and text.startswith("(", self.pos + 1) and not nested:
                    parts.add(self._process_substitution())
                elif nested:
                    nested += (char == "(") - (char == ")")
                    parts.literal(char)
                    self.pos += 1
                else:
                    break
            elif char in _EXTENDED_GLOB:
                opens = text.startswith("(", self.pos + 1)
                nested += opens
                parts.literal(char + "(" if opens else char)
                self.pos += 1 + opens
            else:
                self._step(parts, char)
        if nested:
            self.fault("an extended pattern is not closed", self.pos, self.end)
        return parts.done()

    def _step(self, parts: Parts, char: str) -> None:
        """One piece of an unquoted word."""
        if char == "\\":
            self._escape(parts)
        elif char == "'":
            self._single_quoted(parts)
        elif char == '"':
            self._double_quoted(parts)
        elif char == "$":
            self.dollar(parts, False)
        elif char == "`":
            parts.add(self._backquoted(False))
        elif char == UNREAD_OPEN:
            self._unread(parts, False)
        else:
            match = _RUN.match(self.text, self.pos, self.end)
            end = match.end() if match else self.pos + 1
            parts.literal(self.text[self.pos : end])
            self.pos = end

    def _escape(self, parts: Parts) -> None:
        char = self.text[self.pos + 1 : min(self.pos + 2, self.end)]
        self.pos = min(self.pos + 2, self.end)
        if char == "\n":
            return
        if char.isalnum():
            parts.literal(char)
        else:
            parts.add(Literal(char or "\\", True))

    def _single_quoted(self, parts: Parts) -> None:
        start = self.pos
        close = self.text.find("'", start + 1, self.end)
        if close < 0:
            self.refuse("a single quote is not closed", start, self.end, quoted=True)
            close = self.end
        parts.add(Literal(self.text[start + 1 : close], True))
        self.pos = min(close + 1, self.end)

    def _double_quoted(self, parts: Parts) -> None:
        start = self.pos
        self.pos += 1
        inner = self.collect('"', quoted=True, quotes="", escapes='$`"\\')
        if self.pos >= self.end:
            self.refuse("a double quote is not closed", start, self.end, quoted=True)
        self.pos = min(self.pos + 1, self.end)
        for part in inner or [Literal("", True)]:
            parts.add(part)

    def _unread(self, parts: Parts, quoted: bool) -> None:
        match = _UNREAD.match(self.text, self.pos, self.end)
        if match:
            parts.add(Unread(int(match.group(1)), quoted))
            self.pos = match.end()
        else:
            parts.literal(UNREAD_OPEN, quoted)
            self.pos += 1

    def collect(
        self, closers: str, *, quoted: bool, quotes: str = "'\"", escapes: str | None = None, nest: str = ""
    ) -> list[Part]:
        """Parts up to one of `closers`, which is left to the caller. `nest` are brackets that must pair."""
        parts, depth = Parts(), 0
        while self.pos < self.end:
            char = self.text[self.pos]
            if char in closers and not depth:
                break
            if nest and char in nest:
                depth += 1 if char == nest[0] else -1
                parts.literal(char, quoted)
                self.pos += 1
            elif char == "\\":
                self._quoted_escape(parts, quoted, escapes)
            elif char in "'\"" and char in quotes:
                (self._single_quoted if char == "'" else self._double_quoted)(parts)
            elif char == "$":
                self.dollar(parts, quoted)
            elif char == "`":
                parts.add(self._backquoted(quoted))
            elif char == UNREAD_OPEN:
                self._unread(parts, quoted)
            else:
                self._collect_run(parts, closers + nest + quotes, quoted)
        return parts.done()

    def _collect_run(self, parts: Parts, stops: str, quoted: bool) -> None:
        text, start = self.text, self.pos
        if stops == '"':
            match = _QUOTED_RUN.match(text, start, self.end)
            self.pos = match.end() if match else start + 1
        else:
            self.pos += 1
            while (
                self.pos < self.end and text[self.pos] not in stops and text[self.pos] not in "\\$`\"'\ue000"
            ):
                self.pos += 1
        parts.literal(text[start : self.pos], quoted)

    def _quoted_escape(self, parts: Parts, quoted: bool, escapes: str | None) -> None:
        char = self.text[self.pos + 1 : min(self.pos + 2, self.end)]
        self.pos = min(self.pos + 2, self.end)
        if char == "\n":
            return
        if escapes is None or (char and char in escapes):
            parts.add(Literal(char or "\\", True))
        else:
            parts.literal("\\" + char, quoted)

    def dollar(self, parts: Parts, quoted: bool) -> None:
        """An expansion, or a dollar sign that is only a character."""
        self.budget.spend()
        text, start = self.text, self.pos
        char = text[start + 1 : min(start + 2, self.end)]
        match = _NAME.match(text, start + 1, self.end)
        if match:
            self.pos = match.end()
            parts.add(Parameter(match.group(), quoted, text[start : self.pos]))
        elif char == "(":
            parts.add(self._parenthesised(quoted))
        elif char == "{":
            parts.add(self._braced(quoted))
        elif char and char in _SPECIAL:
            self.pos = start + 2
            parts.add(Parameter(char, quoted, text[start : start + 2]))
        elif char == "[":
            self.pos = start + 2
            inner = self.collect("]", quoted=True, quotes="", nest="[]")
            self.pos = min(self.pos + 1, self.end)
            parts.add(Arithmetic(inner, quoted, text[start : self.pos]))
        elif char == "'" and not quoted:
            decoded, self.pos, closed = decode_ansi_c(text, start + 2, self.end)
            if not closed:
                self.refuse("a $' quote is not closed", start, self.end, quoted=True)
            parts.add(Literal(decoded, True))
        elif char == '"' and not quoted:
            self.pos = start + 1
            self._double_quoted(parts)
        else:
            self.pos = start + 1
            parts.literal("$", quoted)

    def _parenthesised(self, quoted: bool) -> Part:
        start = self.pos
        if self.text.startswith("((", start + 1) and start not in self.not_arithmetic:
            inner = self.arithmetic(start + 3)
            if inner is not None:
                return Arithmetic(inner, quoted, self.text[start : self.pos])
            self.not_arithmetic.add(start)
        self.pos = start + 2
        body = self._nested_body(start, ")")
        return Substitution(body, quoted, self.text[start : self.pos])

    def arithmetic(self, start: int) -> list[Part] | None:
        """The expression from `start` to its `))`; None where this is a command in parentheses after all."""
        if self.depth >= MAX_NESTING:
            self.fault_depth(start)
            self.pos = self.end
            return []
        faults, entered = len(self.faults), self.pos
        self.pos = start
        self.depth += 1
        inner = self.collect(")", quoted=True, quotes='"', nest="()")
        self.depth -= 1
        if self.text.startswith("))", self.pos) and self.pos + 2 <= self.end:
            self.pos += 2
            return inner
        del self.faults[faults:]
        self.budget.spend((self.pos - start) // _RETRIED + 1)
        self.pos = entered
        return None

    def _nested_body(self, start: int, stop: str) -> Sequence:
        if self.depth >= MAX_NESTING:
            self.fault_depth(start)
            self.pos = self.end
            return Sequence()
        self.depth += 1
        body = self.parse_body(stop)
        self.depth -= 1
        if self.text.startswith(stop, self.pos) and self.pos < self.end:
            self.pos += 1
        else:
            self.refuse(f"`{stop}` is missing", start, self.end)
        return body

    def _process_substitution(self) -> Part:
        self.budget.spend()
        start = self.pos
        direction = self.text[start]
        self.pos += 2
        body = self._nested_body(start, ")")
        return Substitution(body, False, self.text[start : self.pos], direction)

    def _backquoted(self, quoted: bool) -> Part:
        self.budget.spend()
        start, inner = self.pos, []
        pos, text = start + 1, self.text
        special = '\\`$"' if quoted else "\\`$"
        while pos < self.end and text[pos] != "`":
            if text[pos] == "\\" and pos + 1 < self.end and text[pos + 1] in special:
                pos += 1
            inner.append(text[pos])
            pos += 1
        if pos >= self.end:
            self.refuse("a backquote is not closed", start, self.end, quoted=True)
        self.pos = min(pos + 1, self.end)
        if self.depth >= MAX_NESTING:
            self.fault_depth(start)
            return Substitution(Sequence(), quoted, text[start : self.pos])
        escaped = len(inner) < pos - start - 1
        body = self.parse_text("".join(inner)) if escaped else self.parse_part(start + 1, pos)
        return Substitution(body, quoted, text[start : self.pos])

    def _braced(self, quoted: bool) -> Part:
        start = self.pos
        self.pos += 2
        if self.depth >= MAX_NESTING:
            self.fault_depth(start)
            self.pos = self.end
            return Parameter("", quoted, self.text[start : start + 40])
        self.depth += 1
        parameter = self._braced_parameter(quoted)
        self.depth -= 1
        if self.text.startswith("}", self.pos) and self.pos < self.end:
            self.pos += 1
        else:
            inside = self.collect("}", quoted=quoted)
            self.pos = min(self.pos + 1, self.end)
            if UNREAD_OPEN in self.text[start : self.pos]:
                return self._of_unknown_name(quoted, inside)
            self.fault("an expansion cannot be read", start, self.pos)
        parameter.source = self.text[start : self.pos]
        return parameter

    def _of_unknown_name(self, quoted: bool, inside: list[Part]) -> Parameter:
        """`${a_X}`, where X was not known when the text was made."""
        parameter = Parameter("", quoted, "${…}")
        parameter.indirect, parameter.argument = True, inside
        return parameter

    def _braced_parameter(self, quoted: bool) -> Parameter:
        text = self.text
        parameter = Parameter("", quoted, "")
        following = text[self.pos + 1 : self.pos + 2]
        if text.startswith(("#", "!"), self.pos) and (
            following.isalnum() or following in ("_", "@", "*", "#", "?")
        ):
            parameter.length = text[self.pos] == "#"
            parameter.indirect = not parameter.length
            self.pos += 1
        match = _BRACED_NAME.match(text, self.pos, self.end)
        if not match:
            return parameter
        parameter.name = match.group()
        self.pos = match.end()
        if text.startswith("[", self.pos):
            self.pos += 1
            parameter.index = self.collect("]", quoted=True, quotes='"', nest="[]")
            self.pos = min(self.pos + 1, self.end)
        operator = _OPERATOR.match(text, self.pos, self.end)
        if operator:
            parameter.operator = operator.group()
            self.pos = operator.end()
            self._operand(parameter, quoted)
        elif parameter.indirect and text.startswith("*", self.pos):
            parameter.operator = "@"
            self.pos += 1
        return parameter

    def _operand(self, parameter: Parameter, quoted: bool) -> None:
        operator = parameter.operator
        if operator in _PATTERN_OPERATORS:
            closers = "/}" if operator.startswith("/") else "}"
            parameter.argument = self.collect(closers, quoted=False)
            if operator.startswith("/") and self.text.startswith("/", self.pos):
                self.pos += 1
                parameter.replacement = self.collect("}", quoted=quoted)
        elif quoted:
            parameter.argument = self.collect("}", quoted=True, quotes='"', escapes='$`"\\}')
        else:
            parameter.argument = self.collect("}", quoted=False)
