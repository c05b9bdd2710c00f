"""Programs that write to a file which they are given, and that no other family knows.

A rule only speaks where the place is protected, so that this table may be generous: what it says of a file in
the project, in the home or among temporary files interrupts nobody.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairlead.shell.arguments import Arguments, read_arguments
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.files.remote_copies import COPYING, copied
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.targets import Place, Surroundings, resolve
from fairlead.shell.script import Command, Word
from fairlead.shell.word_sets import names

_OUTPUT = names(
    """
    -o --output --out --outfile --out-file --output-file --output-document --output-path --outdir --out-dir
    --output-dir -out --dest --destination --target-dir --target-directory --logfile --log-file --save-to
    --export-to --write-to --report-file --result-file --outFile -outfile
    """
)
"""Options whose value is a file that the program makes."""

_NO_OUTPUT = names(
    """
    grep egrep fgrep ggrep zgrep rg ag ack ugrep ps lsof mount ssh mosh autossh sshfs getopt column tree ls
    exa eza lsd top htop pytest tox journalctl bat pgrep pidof last who w lsblk findmnt df du nm readelf ldd
    less more od xargs set test find fd fdfind kubectl watch tmux screen env time
    """
)
"""Programs where `-o` means something else."""

_BESIDES: dict[str, str] = {
    "tcpdump tshark dumpcap": "-w",
    "csplit": "-f --prefix",
    "pg_dump pg_dumpall pg_basebackup": "-f --file -D --pgdata",
    "mysqldump mariadb-dump": "-r --result-file",
    "screen": "-Logfile",
    "strace ltrace perf": "-o --output",
    "gs": "-sOutputFile",
    "aria2c": "-d --dir",
    "jar": "-C --dir",
    "cabextract": "-d",
    "nmap": "-oN -oX -oG -oA",
    "ffmpeg": "-progress -vstats_file",
    "javac": "-d",
    "protoc": "--python_out --go_out --js_out",
    "crudini": "--output",
    "time gtime": "-o --output",
    "msgfmt xgettext": "-o --output-file",
}
"""Further options of this kind, by program."""

_BY_FILE = names("dasel tomlq xq mlr json toml xmlstarlet")
"""Programs that read a structured file, and write it where a word of theirs says so."""
_WRITING_WORDS = names("put delete set -i -I --inplace --in-place -L --write -w edit ed del unset")

_LAST = names(
    """
    objcopy ditto xcopy robocopy rcp ginstall uniq xxd mcopy convert magick gm ffmpeg avconv sox qpdf pdfunite
    lame cwebp dwebp pdftotext pngcrush cpdf lndir cpdup rdiff rdiff-backup xdelta3 bspatch split ps2pdf
    wkhtmltopdf vmkfstools
    """
)
"""Programs whose last operand is what they make, where there are two or more."""

_EVERY = names(
    """
    strip patchelf chrpath upx dos2unix unix2dos mac2unix fromdos todos recode rpl sd fastmod htpasswd
    htdigest mkfifo mknod setfattr vidir crudini script asciinema hardlink sstrip install_name_tool codesign
    plutil convmv lockfile
    """
)
"""Programs that change each file that they are given."""

_LOSSY = names(
    """
    mogrify jpegoptim optipng pngquant advpng oxipng jpegtran ccrypt ccencrypt mcrypt exiftool mat2
    svgo gifsicle zopflipng exiv2 jhead
    """
)
"""Programs after which the file is there, and what was in it is not."""

_LOOKING = {
    "exiftool": lazy(r"^-(?:overwrite_original|delete_original|[\w:]+-?\+?=)"),
    "gifsicle": lazy(r"^(?:-b|--batch)$"),
    "jpegtran": lazy(r"^-outfile$"),
    "exiv2": lazy(r"^(?:rm|mo|mv|-d|-r|-M)"),
    "codesign": lazy(r"^(?:-s|--sign|--remove-signature|-f)"),
    "plutil": lazy(r"^-(?:replace|insert|remove|convert)$"),
    "setfattr": lazy(r"^-[nx]|^--(?:name|remove|restore)"),
}
"""Programs that only look unless one of their words fits."""

_VALUED: dict[str, str] = {
    "split": "-b -l -n -a -C --bytes --lines --number --suffix-length",
    "uniq": "-f -s -w",
    "xxd": "-l -s -c -g -b",
    "script": "-c -T -B -I -O --command",
    "htpasswd": "-C",
}
"""Options with a value that is no output, where the places of operands matter."""


def written_by(command: Command, where: Surroundings) -> Iterator[Effect]:
    """What a program makes or changes, by its options and by the places of its operands."""
    name = command.name
    outputs = _OUTPUT if name not in _NO_OUTPUT else _NONE
    if name in _BY_PROGRAM:
        outputs |= _BY_PROGRAM[name]
    valued = outputs | frozenset(_VALUED[name].split()) if name in _VALUED else outputs
    given = read_arguments(command.argv[1:], valued=valued, single_dash=name in _SINGLE_DASH)
    made = _outputs(outputs, given) if given.values else ()
    for word in (*made, *_placed(name, command, given)):
        yield Effect(Action.OVERWRITE, "output", command, resolve(word, command, where), what=shown(command))
    if name in COPYING:
        yield from copied(command, where)
    if name in _LOSSY and _changes(command):
        for word in filter(_names_a_file, given.operands):
            yield _lost(command, word, where)


_BY_PROGRAM = {
    program: frozenset(options.split())
    for programs, options in _BESIDES.items()
    for program in programs.split()
}


_NONE: frozenset[str] = frozenset()
_SINGLE_DASH = names(
    "convert magick gm mogrify ffmpeg avconv nmap gs javac java screen jpegtran exiftool jpegoptim terraform "
    "tofu terragrunt packer nomad consul vault boundary flyway influx goose migrate sqlite3 duckdb"
)


BY_OPERANDS = _BY_FILE | _LAST | _EVERY | _LOSSY | COPYING.keys()
"""Programs that write without being given an option."""


def _outputs(options: frozenset[str], given: Arguments) -> Iterator[Word]:
    """In the order of the line."""
    for option, words in given.values.items():
        if option in options:
            yield from (word for word in words if word.text not in ("", "-"))


def _placed(name: str, command: Command, given: Arguments) -> Sequence[Word]:
    if name in _BY_FILE and any(word.text in _WRITING_WORDS for word in command.argv[1:]):
        return [word for word in command.argv[1:] if _names_a_file(word)]
    if name in _EVERY and _changes(command):
        return [word for word in given.operands if _names_a_file(word)]
    return given.operands[-1:] if name in _LAST and len(given.operands) > 1 else ()


def _names_a_file(word: Word) -> bool:
    return "/" in word.text or "." in word.text


def _changes(command: Command) -> bool:
    wanted = _LOOKING.get(command.name)
    return wanted is None or any(wanted.match(word.text) for word in command.argv[1:])


def _lost(command: Command, word: Word, where: Surroundings) -> Effect:
    """In the project it is work like any other; outside, the originals are gone."""
    target = resolve(word, command, where)
    outside = target.place in (Place.HOME, Place.HOME_ROOT, Place.OUTSIDE)
    action = Action.TRUNCATE if outside else Action.OVERWRITE
    return Effect(action, "output", command, target, what=shown(command))
