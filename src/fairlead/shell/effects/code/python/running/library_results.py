"""What functions of Python and of its library return."""

from __future__ import annotations

import os.path
import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from fairlead.shell.effects.code.python.running.decoding import as_text, decoded
from fairlead.shell.effects.code.python.running.operators import join_paths
from fairlead.shell.effects.code.python.running.parsed_data import parsed
from fairlead.shell.effects.code.python.running.thing import (
    HOLE,
    MANY,
    UNKNOWN,
    Thing,
    any_of,
    deep_origins,
    elements_of,
    from_,
    origins_of,
    paths_of,
    shown_as,
    text,
    unknown,
)
from fairlead.shell.word_sets import names

if TYPE_CHECKING:
    from fairlead.shell.effects.code.python.running.run import Run

_ELEMENTS = 256
_LONG = 64
"""Numbers of a range that is more than a few of something."""
_SAME = names(
    """
    os.path.abspath os.path.realpath os.path.normpath os.fspath os.fsencode os.fsdecode io.BytesIO io.StringIO
    shlex.quote asyncio.run asyncio.wait_for contextlib.closing copy.copy copy.deepcopy os.readlink repr
    urllib.parse.quote urllib.parse.unquote memoryview textwrap.dedent string.Template ast.parse os.getpgid
    os.getsid
    """
)
_PATHS = names(
    "pathlib.Path pathlib.PosixPath pathlib.PurePath pathlib.PurePosixPath Path anyio.Path py.path.local"
)
_SEQUENCES = names("list tuple set frozenset sorted iter collections.deque itertools.chain")
DECODING = names(
    """
    base64.b64decode base64.urlsafe_b64decode base64.standard_b64decode base64.decodebytes base64.b32decode
    base64.b16decode base64.b85decode base64.a85decode bytes.fromhex bytearray.fromhex codecs.decode
    binascii.unhexlify binascii.a2b_base64 binascii.a2b_hex zlib.decompress gzip.decompress bz2.decompress
    lzma.decompress marshal.loads
    """
)
Given = Sequence[Thing]


def result(name: str, given: Given, named: Mapping[str, Thing], run: Run) -> Thing | None:
    """None where the function is not one of these."""
    made = _RESULTS.get(name)
    if made is not None:
        return made(given, run)
    if name in _PATHS:
        return (join_paths(given) if given else text(run.world.cwd)).replace(name="pathlib.Path")
    if name in _SAME:
        return given[0] if given else UNKNOWN
    if name in _SEQUENCES:
        return _sequence(given)
    if name in DECODING:
        return _decode(name, given)
    if given and (data := parsed(name, given[0])) is not None:
        return data
    if name == "dict" and all(each.fields is not None or each.name == "os.environ" for each in given):
        copied = {key: value for each in given for key, value in (each.fields or {}).items()}
        return Thing(fields={**copied, **named}, origins=origins_of(given))
    return None


def _sequence(given: Given) -> Thing:
    origins = origins_of(given)
    found = [elements_of(each, _ELEMENTS) for each in given]
    if not given:
        return Thing(items=())
    if any(each is None for each in found):
        return unknown(given[0].name, origins)
    return Thing(items=tuple(item for each in found for item in each or ()), origins=given[0].origins)


def _decode(name: str, given: Given) -> Thing:
    origins = origins_of(given) | from_("decoded", name)
    codec = given[1].texts[0] if len(given) > 1 and given[1].texts else ""
    if not given or name == "marshal.loads":
        return unknown(name, origins)
    made = (decoded(name, each, codec) for each in given[0].texts if HOLE not in each)
    return Thing(tuple(each for each in made if each), origins=origins)


def _text(given: Given, run: Run) -> Thing:
    if not given:
        return text("")
    return Thing(shown_as(given[0]), origins=given[0].origins, entry=given[0].entry)


def _join(given: Given, run: Run) -> Thing:
    return join_paths(given) if given else UNKNOWN


def _folder(given: Given, run: Run) -> Thing:
    return (
        given[0].replace(texts=tuple(map(os.path.dirname, given[0].texts)), entry=False) if given else UNKNOWN
    )


def _last(given: Given, run: Run) -> Thing:
    if not given:
        return UNKNOWN
    return (
        given[0].replace(entry=True)
        if any("*" in each for each in given[0].texts)
        else given[0].replace(texts=tuple(map(os.path.basename, given[0].texts)))
    )


def _split_extension(given: Given, run: Run) -> Thing:
    if not given or not given[0].texts:
        return UNKNOWN
    roots, ends = zip(*map(os.path.splitext, given[0].texts), strict=True)
    return Thing(items=(given[0].replace(texts=roots), text(*ends)))


def _at_home(given: Given, run: Run) -> Thing:
    return given[0].replace(texts=tuple(expanded(each, run) for each in given[0].texts)) if given else UNKNOWN


def expanded(path: str, run: Run) -> str:
    home = run.world.home
    if path == "~" or path.startswith("~/"):
        return home + path[1:]
    return path.replace("${HOME}", home).replace("$HOME", home)


def _of_processes(path: str) -> bool:
    return path.rstrip("/") == "/proc" or path.startswith("/proc/[") or path.startswith("/proc/*")


def listed(folders: Sequence[str], tail: str = "*", *, name: str = "") -> Thing:
    """The entries of folders: one thing that stands for all of them."""
    texts = tuple(os.path.join(folder, tail) for folder in folders)
    everyone = any(map(_of_processes, folders))
    origins = from_("process", "*") if everyone else frozenset()
    return Thing(items=(Thing(texts, name=name, entry=not name, origins=origins),), origins=origins)


def _listing(given: Given, run: Run) -> Thing:
    if not given:
        return Thing(items=(Thing(("*",), entry=True),))
    folders = paths_of(given[0])
    return listed(folders) if folders else unknown(origins=given[0].origins)


def _scan(given: Given, run: Run) -> Thing:
    folders = paths_of(given[0]) if given else [run.world.cwd]
    return listed(folders, name="os.DirEntry") if folders else UNKNOWN


def _walk(given: Given, run: Run) -> Thing:
    tops = paths_of(given[0]) if given else []
    if not tops:
        return Thing(items=(Thing(items=(UNKNOWN, Thing(items=(UNKNOWN,)), Thing(items=(UNKNOWN,)))),))
    inside = tuple(each for top in tops for each in (top, f"{top}/*"))
    entries = Thing(items=(Thing(("*",), entry=True),))
    return Thing(items=(Thing(items=(Thing(inside), entries, entries)),))


def _matching(given: Given, run: Run) -> Thing:
    patterns = paths_of(given[0]) if given else []
    if not patterns:
        return UNKNOWN
    origins = from_("process", "*") if any(map(_of_processes, patterns)) else frozenset()
    return Thing(items=(Thing(tuple(patterns), origins=origins),), origins=origins)


def _shell_words(given: Given, run: Run) -> Thing:
    if not given or not given[0].texts:
        return unknown(origins=origins_of(given))
    try:
        words = shlex.split(given[0].texts[0])
    except ValueError:
        words = given[0].texts[0].split()
    return Thing(items=tuple(map(text, words)), origins=given[0].origins)


def _shell_line(given: Given, run: Run) -> Thing:
    items = given[0].items if given else None
    if items is None:
        return unknown(origins=origins_of(given))
    return text(" ".join(shlex.quote(shown_as(each)[0]) for each in items))


def _sign(given: Given, run: Run) -> Thing:
    number = given[0].number if given else None
    if number is None:
        return unknown(origins=origins_of(given) | from_("decoded", "chr"))
    return text(chr(number % 0x110000))


def _code(given: Given, run: Run) -> Thing:
    signs = given[0].texts if given else ()
    return Thing(number=ord(signs[0])) if signs and len(signs[0]) == 1 else UNKNOWN


def _bytes(given: Given, run: Run) -> Thing:
    if not given:
        return text("")
    if given[0].items is None:
        return given[0].replace(number=None)
    codes = [each.number for each in given[0].items]
    if any(code is None for code in codes):
        return unknown(origins=origins_of(given) | from_("decoded", "bytes"))
    return text(as_text(bytes(code % 256 for code in codes if code is not None)))


def _number(given: Given, run: Run) -> Thing:
    if not given:
        return Thing(number=0)
    told = given[0].texts[0] if len(given[0].texts) == 1 else ""
    number = int(told) if told.lstrip("-").isdecimal() and len(told) < MANY else given[0].number
    return Thing(number=number, origins=given[0].origins, name=given[0].name)


_ALL_WAYS = ("itertools.product", "itertools.permutations", "itertools.combinations_with_replacement")


_NETWORKS = (
    "ipaddress.ip_network",
    "ipaddress.IPv4Network",
    "netaddr.IPNetwork",
    "netaddr.iter_iprange",
    "IPy.IP",
)


def _counted_through(given: Given, run: Run) -> Thing:
    """Every way to put some signs together is a range of texts."""
    return Thing(items=(unknown("itertools", origins_of(given) | from_("range", "*")),))


def _range(given: Given, run: Run) -> Thing:
    numbers = [each.number for each in given]
    if not numbers or any(number is None for number in numbers[:2]):
        return UNKNOWN
    first = numbers[0] if len(numbers) > 1 else 0
    last = numbers[1] if len(numbers) > 1 else numbers[0]
    begin, count = first or 0, (last or 0) - (first or 0)
    origins = from_("range", str(count)) if count > _LONG else frozenset()
    return Thing(items=tuple(Thing(number=begin + each, origins=origins) for each in range(min(count, 3))))


def _network(given: Given, run: Run) -> Thing:
    """The machines of a network: as a range, if they are more than a few."""
    told = given[0].texts[0] if given and given[0].texts else ""
    address, _, bits = told.partition("/")
    few = not bits.isdecimal() or int(bits) >= (120 if ":" in address else 28)
    origins = frozenset() if few else from_("range", bits)
    first = Thing((address,) if HOLE not in address else (), origins=origins)
    return Thing(items=(first,), name="ipaddress.ip_network", origins=origins)


def _reversed(given: Given, run: Run) -> Thing:
    found = elements_of(given[0], _ELEMENTS) if given else None
    return Thing(items=tuple(reversed(found))) if found is not None else UNKNOWN


def _counted(given: Given, run: Run) -> Thing:
    found = elements_of(given[0]) if given else None
    if found is None:
        return Thing(items=(Thing(items=(UNKNOWN, unknown(origins=origins_of(given)))),))
    return Thing(items=tuple(Thing(items=(Thing(number=i), each)) for i, each in enumerate(found)))


def _zipped(given: Given, run: Run) -> Thing:
    found = [elements_of(each) or [unknown(origins=deep_origins(each))] for each in given]
    return Thing(items=tuple(Thing(items=each) for each in zip(*found, strict=False)))


def _next(given: Given, run: Run) -> Thing:
    return any_of(elements_of(given[0]) or [unknown(given[0].name, given[0].origins)]) if given else UNKNOWN


def _length(given: Given, run: Run) -> Thing:
    items = given[0].items if given else None
    return Thing(number=len(items)) if items is not None else UNKNOWN


def _yes_or_no(given: Given, run: Run) -> Thing:
    return UNKNOWN


def _module(given: Given, run: Run) -> Thing:
    return Thing(name=given[0].texts[0]) if given and given[0].texts else unknown(origins=origins_of(given))


def _fitting(given: Given, run: Run) -> Thing:
    """`fnmatch.filter(names, "*.pem")`: entries by another pattern."""
    patterns = given[1].texts if len(given) > 1 else ()
    items = given[0].items if given else None
    if not patterns or not items:
        return UNKNOWN
    return Thing(items=tuple(item.replace(texts=patterns) if item.entry else item for item in items))


def _filtered(given: Given, run: Run) -> Thing:
    return given[1] if len(given) > 1 else UNKNOWN


def _fields(given: Given, run: Run) -> Thing:
    if given and given[0].module:
        return Thing(name=f"{given[0].name}.__dict__")
    return given[0] if given else Thing(name="vars")


def _picker(name: str) -> Callable[[Given, Run], Thing]:
    """`attrgetter("system")`, `methodcaller("system", text)`: they remember what they are made of."""
    return lambda given, run: Thing(name=name, items=tuple(given))


_RESULTS: Mapping[str, Callable[[Given, Run], Thing]] = {
    "str": _text,
    "os.path.join": _join,
    "os.path.dirname": _folder,
    "os.path.basename": _last,
    "os.path.splitext": _split_extension,
    "os.path.expanduser": _at_home,
    "os.path.expandvars": _at_home,
    "os.listdir": _listing,
    "os.scandir": _scan,
    "os.walk": _walk,
    "os.fwalk": _walk,
    "glob.glob": _matching,
    "glob.iglob": _matching,
    "shlex.split": _shell_words,
    "shlex.join": _shell_line,
    "subprocess.list2cmdline": _shell_line,
    "chr": _sign,
    "ord": _code,
    "bytes": _bytes,
    "bytearray": _bytes,
    "int": _number,
    "range": _range,
    **dict.fromkeys(_ALL_WAYS, _counted_through),
    **dict.fromkeys(_NETWORKS, _network),
    "reversed": _reversed,
    "enumerate": _counted,
    "zip": _zipped,
    "next": _next,
    "len": _length,
    "bool": _yes_or_no,
    "any": _yes_or_no,
    "all": _yes_or_no,
    "isinstance": _yes_or_no,
    "type": _yes_or_no,
    "fnmatch.filter": _fitting,
    "__import__": _module,
    "importlib.import_module": _module,
    "import_module": _module,
    "filter": _filtered,
    "vars": _fields,
    "operator.attrgetter": _picker("operator.attrgetter"),
    "operator.methodcaller": _picker("operator.methodcaller"),
    "min": _next,
    "max": _next,
    "random.choice": _next,
}
