"""INI files: sections of keys, whose values may go on in lines that are indented."""

from __future__ import annotations

from fairlead.shell.lazy_pattern import lazy

_SECTION = lazy(r"\[([^\]]*)\]")
Sections = dict[str, dict[str, str]]


def ini_sections(text: str) -> Sections:
    sections: Sections = {}
    section: dict[str, str] = {}
    key = ""
    for line in text.split("\n"):
        header = _SECTION.match(line)
        if header:
            section, key = sections.setdefault(header[1].strip(), {}), ""
        elif line[:1] in ("#", ";") or not line.strip():
            continue
        elif line[:1] in (" ", "\t") and key:
            section[key] += f"\n{line.strip()}"
        else:
            name, equals, value = line.partition("=")
            if not equals:
                name, equals, value = line.partition(":")
            key = name.strip()
            section[key] = value.strip()
    return {name: dict(found) for name, found in sections.items()}
