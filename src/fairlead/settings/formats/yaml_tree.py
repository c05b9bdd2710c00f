"""YAML as a tree of values with their places: one can be changed, and the rest of the text stays."""

from __future__ import annotations

import yaml

from fairlead.errors import SettingsError
from fairlead.settings.formats.text_tree import Child, Node

_MOST_NODES = 50_000
"""Also against aliases that stand for aliases that stand for aliases."""
_LONGEST = 1 << 20


def parse(text: str) -> Node:
    """Raises SettingsError for what is no YAML, for several documents, and for keys that are no scalars."""
    if len(text) > _LONGEST:
        raise SettingsError(f"YAML of more than {_LONGEST} characters")
    try:
        loader = yaml.SafeLoader(text)
        root = loader.get_single_node()
        return Node(0, 0, None) if root is None else _Tree(loader).node(root)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = f"{mark.line + 1}:{mark.column + 1}: " if mark is not None else ""
        raise SettingsError(f"{where}not YAML: {error.problem or error.context}") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise SettingsError(f"not YAML: {error}") from None


class _Tree:
    def __init__(self, loader: yaml.SafeLoader) -> None:
        self._loader = loader
        self._left = _MOST_NODES

    def node(self, node: yaml.Node) -> Node:
        self._left -= 1
        if not self._left:
            raise ValueError(f"more than {_MOST_NODES} values")
        start, end = node.start_mark.index, node.end_mark.index
        if isinstance(node, yaml.MappingNode):
            children = tuple(
                Child(self._key(key), key.start_mark.index, self.node(value)) for key, value in node.value
            )
            return Node(start, end, {child.key: child.node.value for child in children}, children)
        if isinstance(node, yaml.SequenceNode):
            children = tuple(
                Child(index, item.start_mark.index, self.node(item)) for index, item in enumerate(node.value)
            )
            return Node(start, end, [child.node.value for child in children], children)
        return Node(start, end, self._scalar(node))

    def _key(self, node: yaml.Node) -> object:
        if not isinstance(node, yaml.ScalarNode):
            raise ValueError(f"line {node.start_mark.line + 1}: a key that is not a plain one")
        return self._scalar(node)

    def _scalar(self, node: yaml.Node) -> object:
        """What has a tag of somebody's own is that tag and its text."""
        try:
            return self._loader.construct_object(node)
        except yaml.constructor.ConstructorError:
            return (node.tag, node.value)
