"""Simple commands: words, assignments, redirections, here-documents, and what stands between them."""

from __future__ import annotations

from fairlead.shell.bounds import Exhausted, whole_number
from fairlead.shell.language.lexer import META, WHOLE, Lexer
from fairlead.shell.language.syntax_tree import Assignment, Literal, Part, RedirectNode, Simple, WordNode
from fairlead.shell.lazy_pattern import lazy

_WHOLE_WORD = lazy(rf"[ \t]*{WHOLE}(?:[ \t]+|(?=[\n;|)]|&(?!>)|\Z))")
"""With the blanks around it. What a redirection may begin with is none."""
_UNQUOTED = 1
BETWEEN = frozenset(" \t\n\\#")
"""What blanks, comments and ends of lines begin with."""
_CLOSING = frozenset("\n;|)")
_BLANKS = lazy(r"(?:[ \t]|\\\n)+")
_RESERVED = lazy(
    r"(?:if|then|elif|else|fi|for|while|until|do|done|case|esac|select|function|coproc|time|in"
    r"|\{|\}|!|\[\[)(?=[ \t\n;&|<>()]|\\\n|\Z)"
)
_REDIRECT = lazy(r"([0-9]+|\{[A-Za-z_][A-Za-z0-9_]*\})?(<<<|<<-|<<|<>|<&|>>|>&|>\||<|>|&>>|&>)")
_ASSIGNMENT = lazy(r"([A-Za-z_][A-Za-z0-9_]*)(\+?=|\[)")
_CONTINUED = lazy(r"(?<!\\)(?:\\\\)*\\\Z")
DECLARATIONS = frozenset({"declare", "typeset", "local", "export", "readonly", "alias"})


def _may_assign(node: Simple) -> bool:
    """Before the name of the command, and behind one that declares."""
    return not node.words or getattr(node.words[0], "plain", None) in DECLARATIONS


class CommandParser(Lexer):
    """Reads one simple command at a time."""

    def blanks(self) -> None:
        match = _BLANKS.match(self.text, self.pos, self.end)
        if match:
            self.pos = match.end()
        if self.pos < self.end and self.text[self.pos] == "#":
            line_end = self.text.find("\n", self.pos, self.end)
            self.pos = self.end if line_end < 0 else line_end

    def newlines(self) -> None:
        while self.pos < self.end and (char := self.text[self.pos]) in BETWEEN:
            before = self.pos
            if char == "\n":
                self.pos += 1
                if self.heredocs:
                    self.read_heredocs()
            else:
                self.blanks()
                if self.pos == before:
                    return

    def reserved(self) -> str:
        match = _RESERVED.match(self.text, self.pos, self.end)
        return match.group() if match else ""

    def expect(self, word: str, start: int) -> None:
        self.newlines()
        if self.reserved() == word:
            self.pos += len(word)
        else:
            self.refuse(f"`{word}` is missing", start, self.pos)

    def skip_unreadable(self) -> None:
        """A token that cannot stand here: bash would refuse the line; what follows is read all the same."""
        start = self.pos
        self.pos += max(1, len(self.reserved()))
        self.refuse(f"`{self.text[start : self.pos]}` cannot stand here", start, self.pos)

    def words(self) -> list[WordNode]:
        words: list[WordNode] = []
        while True:
            self.blanks()
            if self.pos >= self.end or (self.text[self.pos] in META and not self.process_ahead()):
                return words
            words.append(self.word())

    def process_ahead(self) -> bool:
        return self.text.startswith(("<(", ">("), self.pos)

    def simple(self) -> Simple | None:
        node, budget, text = Simple(self.pos), self.budget, self.text
        while self.pos < self.end:
            match = _WHOLE_WORD.match(text, self.pos, self.end)
            if match and ("=" not in match[0] or not _may_assign(node)):
                budget.left -= 1
                if budget.left < 0:
                    raise Exhausted
                kind = match.lastindex or 0
                start, end = match.span(kind)
                if kind != _UNQUOTED:
                    start, end = start - 1, end + 1
                node.words.append(WordNode([], start, end, match[kind]))
                self.pos = match.end()
                node.end = end if self.pos < self.end else self.pos
            elif self.text[self.pos] in _CLOSING or not self._other_word(node):
                break
        return node if node.words or node.assignments or node.redirects else None

    def _other_word(self, node: Simple) -> bool:
        """Whatever else stands in a simple command; False where it has ended."""
        if self.text[self.pos] in BETWEEN:
            self.blanks()
        if self.pos >= self.end or self._redirect_into(node.redirects):
            node.end = self.pos
            return True
        if self.text[self.pos] in META and not self.process_ahead():
            return False
        if _may_assign(node) and (assignment := self._assignment()):
            if node.words:
                node.words.append(assignment)
            else:
                node.assignments.append(assignment)
        else:
            word = self.word()
            if word.end == word.start:
                return False
            node.words.append(word)
        node.end = self.pos
        return True

    def _assignment(self) -> Assignment | None:
        match = _ASSIGNMENT.match(self.text, self.pos, self.end)
        if not match:
            return None
        start, index = self.pos, None
        operator = match.group(2)
        self.pos = match.end()
        if operator == "[":
            index = self.collect("]", quoted=True, quotes='"', nest="[]")
            operator = "+=" if self.text.startswith("]+=", self.pos) else "="
            if not self.text.startswith("]" + operator, self.pos):
                self.pos = start
                return None
            self.pos += 1 + len(operator)
        return self._assigned(match.group(1), operator == "+=", index, start)

    def _assigned(self, name: str, append: bool, index: list[Part] | None, start: int) -> Assignment:
        items = None
        if self.text.startswith("(", self.pos) and self.pos < self.end:
            items = self._array_items()
            value = WordNode([], self.pos, self.pos, "")
        else:
            value = self.word()
        node = Assignment(name, value, append=append, start=start, end=self.pos)
        node.index = index
        node.items = items
        return node

    def _array_items(self) -> list[WordNode | Assignment]:
        start = self.pos
        self.pos += 1
        items: list[WordNode | Assignment] = []
        while True:
            self.newlines()
            if self.pos >= self.end:
                self.fault("an array is not closed", start, self.end)
                return items
            if self.text[self.pos] == ")":
                self.pos += 1
                return items
            if self.text[self.pos] == "[" and (item := self._indexed_item()):
                items.append(item)
            elif self.text[self.pos] in META and not self.process_ahead():
                self.skip_unreadable()
            else:
                items.append(self.word())

    def _indexed_item(self) -> Assignment | None:
        start = self.pos
        self.pos += 1
        index = self.collect("]", quoted=True, quotes='"', nest="[]")
        if not self.text.startswith("]=", self.pos):
            self.pos = start
            return None
        self.pos += 2
        node = Assignment("", self.word(), append=False, start=start, end=self.pos)
        node.index = index
        return node

    def redirects(self, redirects: list[RedirectNode]) -> None:
        while True:
            self.blanks()
            if self.pos >= self.end or not self._redirect_into(redirects):
                return

    def _redirect_into(self, redirects: list[RedirectNode]) -> bool:
        char = self.text[self.pos]
        if char not in "<>&0123456789{":
            return False
        match = _REDIRECT.match(self.text, self.pos, self.end)
        if not match or (match.group() in "<>" and self.process_ahead()):
            return False
        self.budget.spend()
        start, operator = self.pos, match.group(2)
        self.pos = match.end()
        if self.pos < self.end and self.text[self.pos] in BETWEEN:
            self.blanks()
        target = self.word()
        if target.end == target.start:
            self.fault(f"nothing follows `{operator}`", start, self.pos)
        number = match.group(1)
        node = RedirectNode(operator, target, whole_number(number or ""))
        node.variable = number.strip("{}") if number and number.startswith("{") else ""
        redirects.append(node)
        if operator in ("<<", "<<-"):
            raw = self.text[target.start : target.end]
            if "$" in raw or "`" in raw:
                self.fault("a here-document with an unusual delimiter", start, self.pos)
            quoted = any(char in raw for char in "'\"\\")
            delimiter = target.plain if quoted and target.plain is not None else raw
            node.body = []
            self.heredocs.append((node, delimiter, quoted, operator == "<<-"))
        return True

    def read_heredocs(self) -> None:
        """The bodies of the here-documents that the line just ended has asked for."""
        pending, self.heredocs = self.heredocs, []
        for node, delimiter, quoted, strip in pending:
            self.budget.spend()
            body = self._heredoc_text(delimiter, quoted=quoted, strip=strip)
            node.body = [Literal(body, True)] if quoted else self.parse_heredoc(body)

    def parse_heredoc(self, text: str) -> list[Part]:
        """The parts of a here-document whose delimiter was not quoted."""
        raise NotImplementedError

    def _heredoc_text(self, delimiter: str, *, quoted: bool, strip: bool) -> str:
        lines: list[str] = []
        while self.pos < self.end:
            start = self.pos
            line = self._line()
            while not quoted and self.pos < self.end and _CONTINUED.search(line):
                line = line[:-1] + self._line()
            if strip:
                line = line.lstrip("\t")
            if line == delimiter:
                return "".join(lines)
            if self.substituting and line.startswith(delimiter) and ")" in line[len(delimiter) :]:
                self.pos = self.text.index(delimiter, start) + len(delimiter)
                return "".join(lines)
            lines.append(line + "\n")
        return "".join(lines)

    def _line(self) -> str:
        close = self.text.find("\n", self.pos, self.end)
        start, close = self.pos, self.end if close < 0 else close
        self.pos = min(close + 1, self.end)
        return self.text[start:close]
