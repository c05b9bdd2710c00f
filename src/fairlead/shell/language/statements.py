"""Statements: pipelines, lists and compound commands.

Written by hand after bash's own grammar: a guard has to read what bash reads, in linear time.
"""

from __future__ import annotations

from collections.abc import Callable

from fairlead.shell.bounds import MAX_NESTING, Budget, Exhausted
from fairlead.shell.language.lexer import META
from fairlead.shell.language.simple_syntax import BETWEEN, CommandParser
from fairlead.shell.language.syntax_tree import (
    AndOr,
    Compound,
    Node,
    Part,
    Pipeline,
    Sequence,
    SyntaxFault,
    WordNode,
)
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.word_sets import names

_PROGRAM = lazy(r"[A-Za-z0-9_./:,@%+\-]+(?=[ \t]*(?:[^( \t]|\Z))(?=[ \t\n;&|)]|\Z)")
"""A word at the beginning of a command behind which no function can begin."""
RESERVED = names("if then elif else fi for while until do done case esac select function coproc time in")
_FUNCTION = lazy(r"([^\s\"'$`\\;&|()<>=]+)[ \t]*\([ \t]*\)")
_NAME = lazy(r"[A-Za-z_][A-Za-z0-9_]*")
_STARTERS = frozenset({"if", "for", "while", "until", "case", "select", "function", "coproc", "{", "[["})
_TIME = lazy(r"time(?:[ \t]+-p)?[ \t]+")
_TIMED = _STARTERS | {"!", "time"}
_CASE_END = (";;&", ";;", ";&")
_CONNECTORS = ("&&", "||")
_BEFORE_PIPELINES = ("!", "time")


def parse(text: str, budget: Budget, depth: int = 0) -> tuple[Sequence, list[SyntaxFault]]:
    """The tree of `text`, and what in it could not be read."""
    parser = Parser(text, budget, depth)
    tree = parser.parse_body("")
    return tree, parser.faults


def parse_quoted(text: str, budget: Budget) -> list[Part]:
    """The parts of text as it would stand between double quotes."""
    return Parser(text, budget).parse_heredoc(text)


class Parser(CommandParser):
    def parse_body(self, stop: str) -> Sequence:
        outer, self.heredocs = self.heredocs, []
        inside, self.substituting = self.substituting, bool(stop)
        body = self._sequence((stop,) if stop else ())
        if stop and self.heredocs:
            self.fault("a here-document ends with its substitution", self.pos, self.pos)
        if not stop and self.heredocs:
            self.read_heredocs()
        self.heredocs, self.substituting = outer, inside
        return body

    def parse_part(self, start: int, end: int) -> Sequence:
        inner = Parser(self.text, self.budget, self.depth + 1)
        inner.pos, inner.end = start, end
        return self._parse(inner)

    def parse_text(self, text: str) -> Sequence:
        return self._parse(Parser(text, self.budget, self.depth + 1))

    def _parse(self, inner: Parser) -> Sequence:
        tree = inner.parse_body("")
        self.faults += inner.faults
        return tree

    def parse_heredoc(self, text: str) -> list[Part]:
        inner = Parser(text, self.budget, self.depth + 1)
        parts = inner.collect("", quoted=True, quotes="", escapes="$`\\")
        self.faults += inner.faults
        return parts

    def _sequence(self, stops: tuple[str, ...]) -> Sequence:
        sequence = Sequence()
        while self.pos < self.end:
            if self.text[self.pos] in BETWEEN:
                self.newlines()
            if self.pos >= self.end or (stops and self._stops_here(stops)):
                break
            before = self.pos
            item = self._and_or()
            if item:
                sequence.items.append(item)
                if self.pos < self.end:
                    self._separator(item)
            if self.pos == before:
                self.skip_unreadable()
        return sequence

    def _stops_here(self, stops: tuple[str, ...]) -> bool:
        char = self.text[self.pos]
        if char == ")":
            return ")" in stops
        if char == ";":
            return ";;" in stops and self.text.startswith(_CASE_END, self.pos)
        return self.reserved() in stops

    def _separator(self, item: AndOr) -> None:
        char = self.text[self.pos]
        if char == "&" and not self.text.startswith("&&", self.pos):
            item.background = True
            self.pos += 1
        elif char == ";" and not self.text.startswith(_CASE_END, self.pos):
            self.pos += 1

    def _and_or(self) -> AndOr | None:
        first = self._pipeline()
        if not first:
            return None
        item = AndOr(first)
        while self.text.startswith(_CONNECTORS, self.pos, self.end):
            connector = self.text[self.pos : self.pos + 2]
            self.pos += 2
            self.newlines()
            start = self.pos
            following = self._pipeline()
            if not following:
                self.refuse(f"nothing follows `{connector}`", start, self.pos)
                return item
            item.rest.append((connector, following))
        return item

    def _pipeline(self) -> Pipeline | None:
        start, negated = self.pos, False
        while self.text.startswith(_BEFORE_PIPELINES, self.pos):
            if self.reserved() == "!":
                negated = not negated
                self.pos += 1
            elif not self._skip_time():
                break
            self.blanks()
        stages: list[Node] = []
        while True:
            stage = self._command()
            if stage is None:
                break
            stages.append(stage)
            if not self.text.startswith("|", self.pos) or self.text.startswith("||", self.pos):
                return Pipeline(stages, negated=negated, start=start, end=stage.end)
            self.pos += 2 if self.text.startswith("|&", self.pos) else 1
            self.newlines()
        if not stages:
            return None
        self.refuse("nothing follows `|`", self.pos, self.pos)
        return Pipeline(stages, negated=negated, start=start, end=self.pos)

    def _skip_time(self) -> bool:
        """`time` is a keyword before a compound command; before a simple one it is read as a wrapper."""
        match = _TIME.match(self.text, self.pos, self.end)
        if not match:
            return False
        entered, self.pos = self.pos, match.end()
        if self.text.startswith("(", self.pos) or self.reserved() in _TIMED:
            return True
        self.pos = entered
        return False

    def _command(self) -> Node | None:
        """The next command, and the blanks behind it."""
        budget = self.budget
        budget.left -= 1
        if budget.left < 0:
            raise Exhausted
        if self.pos >= self.end:
            return None
        program = _PROGRAM.match(self.text, self.pos, self.end)
        if program and program[0] not in RESERVED:
            return self.simple()
        char = self.text[self.pos]
        if char == "(":
            return self._compound(self._parentheses)
        word = self.reserved()
        if word in _STARTERS:
            return self._compound(lambda: self._reserved_command(word))
        if word and word not in ("time", "in", "!"):
            return None
        function = _FUNCTION.match(self.text, self.pos, self.end)
        if function:
            return self._function(function.group(1), function.end())
        return self.simple()

    def _compound(self, read: Callable[[], Compound]) -> Compound | None:
        start = self.pos
        if self.depth >= MAX_NESTING:
            self.fault_depth(start)
            self.pos = self.end
            return None
        self.depth += 1
        node = read()
        self.depth -= 1
        self.redirects(node.redirects)
        node.end = self.pos
        return node

    def _parentheses(self) -> Compound:
        start = self.pos
        if self.text.startswith("((", start) and start not in self.not_arithmetic:
            parts = self.arithmetic(start + 2)
            if parts is not None:
                node = Compound("arithmetic", start)
                node.parts = parts
                return node
            self.not_arithmetic.add(start)
        node = Compound("subshell", start)
        self.pos = start + 1
        node.body = self._sequence((")",))
        if self.text.startswith(")", self.pos) and self.pos < self.end:
            self.pos += 1
        else:
            self.refuse("`)` is missing", start, self.end)
        return node

    def _reserved_command(self, word: str) -> Compound:
        start = self.pos
        self.pos += len(word)
        if word == "{":
            node = Compound("group", start)
            node.body = self._sequence(("}",))
            self.expect("}", start)
            return node
        if word in ("while", "until"):
            node = Compound(word, start)
            node.condition = self._sequence(("do",))
            node.body = self._do_group(start)
            return node
        if word == "if":
            return self._if(start)
        if word == "case":
            return self._case(start)
        if word == "[[":
            return self._test(start)
        if word == "function":
            return self._function_keyword(start)
        if word == "coproc":
            return self._coproc(start)
        return self._for(word, start)

    def _do_group(self, start: int) -> Sequence:
        self.newlines()
        if self.reserved() == "{":
            self.pos += 1
            body = self._sequence(("}",))
            self.expect("}", start)
            return body
        self.expect("do", start)
        body = self._sequence(("done",))
        self.expect("done", start)
        return body

    def _if(self, start: int) -> Compound:
        node = Compound("if", start)
        while True:
            condition = self._sequence(("then",))
            self.expect("then", start)
            node.clauses.append((condition, self._sequence(("elif", "else", "fi"))))
            if self.reserved() != "elif":
                break
            self.pos += 4
        if self.reserved() == "else":
            self.pos += 4
            node.body = self._sequence(("fi",))
        self.expect("fi", start)
        return node

    def _for(self, word: str, start: int) -> Compound:
        self.blanks()
        if self.text.startswith("((", self.pos):
            node = Compound("loop", start)
            parts = self.arithmetic(self.pos + 2)
            if parts is None:
                self.fault("`))` is missing", start, self.end)
            node.parts = parts or []
            self._end_of_head()
            node.body = self._do_group(start)
            return node
        node = Compound(word, start)
        match = _NAME.match(self.text, self.pos, self.end)
        if match:
            node.name = match.group()
            self.pos = match.end()
        else:
            self.fault("a loop without a name", start, self.pos)
        self.newlines()
        if self.reserved() == "in":
            self.pos += 2
            node.words = self.words()
        self._end_of_head()
        node.body = self._do_group(start)
        return node

    def _end_of_head(self) -> None:
        self.newlines()
        if self.text.startswith(";", self.pos) and self.pos < self.end:
            self.pos += 1

    def _case(self, start: int) -> Compound:
        node = Compound("case", start)
        self.blanks()
        node.subject = self.word()
        self.expect("in", start)
        while True:
            self.newlines()
            if self.pos >= self.end or self.reserved() == "esac":
                break
            before = self.pos
            patterns = self._patterns()
            node.cases.append((patterns, self._sequence((";;", "esac"))))
            for ending in _CASE_END:
                if self.text.startswith(ending, self.pos):
                    self.pos += len(ending)
                    break
            if self.pos == before:
                self.skip_unreadable()
        self.expect("esac", start)
        return node

    def _patterns(self) -> list[WordNode]:
        if self.text.startswith("(", self.pos):
            self.pos += 1
        patterns = []
        while True:
            patterns += self.words()
            if self.text.startswith("|", self.pos) and self.pos < self.end:
                self.pos += 1
            elif self.text.startswith(")", self.pos) and self.pos < self.end:
                self.pos += 1
                return patterns
            else:
                self.fault("a pattern without `)`", self.pos, self.pos)
                return patterns

    def _test(self, start: int) -> Compound:
        node = Compound("test", start)
        node.words = []
        while self.pos < self.end:
            self.blanks()
            if self.text.startswith("]]", self.pos) and self.text[self.pos + 2 : self.pos + 3] in ("", *META):
                self.pos += 2
                return node
            if self.pos < self.end and self.text[self.pos] in META and not self.process_ahead():
                self.pos += 1
            elif self.pos < self.end:
                node.words.append(self.word())
        self.fault("`]]` is missing", start, self.end)
        return node

    def _function(self, name: str, after: int) -> Compound:
        start, self.pos = self.pos, after
        node = Compound("function", start)
        node.name = name
        self.newlines()
        body_start = self.pos
        body = self._command()
        if body is None:
            self.fault(f"the function `{name}` has no body", start, self.pos)
            return node
        node.body = Sequence()
        node.body.items.append(AndOr(Pipeline([body], negated=False, start=body_start, end=self.pos)))
        node.end = self.pos
        return node

    def _function_keyword(self, start: int) -> Compound:
        self.blanks()
        name = self.word()
        self.blanks()
        if self.text.startswith("(", self.pos):
            close = self.text.find(")", self.pos, self.end)
            self.pos = close + 1 if close >= 0 else self.end
        node = self._function(self.text[name.start : name.end], self.pos)
        node.start = start
        return node

    def _coproc(self, start: int) -> Compound:
        node = Compound("coproc", start)
        self.blanks()
        name = _NAME.match(self.text, self.pos, self.end)
        if name:
            entered, self.pos = self.pos, name.end()
            self.blanks()
            if not (self.text.startswith("(", self.pos) or self.reserved() in _STARTERS):
                self.pos = entered
            else:
                node.name = name.group()
        body_start = self.pos
        body = self._command()
        node.body = Sequence()
        if body is None:
            self.fault("nothing follows `coproc`", start, self.pos)
        else:
            node.body.items.append(AndOr(Pipeline([body], negated=False, start=body_start, end=self.pos)))
        return node
