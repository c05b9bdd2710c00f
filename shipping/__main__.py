"""python -m shipping DIRECTORY: everything that is published, in a folder that is emptied first."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from shipping.archives import make_source_archive, make_wheels
from shipping.debian import make_debian_packages
from shipping.homebrew import make_formula
from shipping.sizes import table


def main(into: Path) -> None:
    shutil.rmtree(into, ignore_errors=True)
    into.mkdir(parents=True)
    make_source_archive(into)
    make_wheels(into)
    make_debian_packages(into)
    make_formula(into)
    print("\n".join(table(into)))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
