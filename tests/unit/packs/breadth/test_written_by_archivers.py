"""Archivers and ciphers that write where nobody expects it."""

import pytest

from fairlead.model.decision import Decision
from tests.unit.packs.guard_kit import decide


@pytest.mark.parametrize(
    "line",
    [
        "tar xPf a.tar --xform='s@.*@/root/.ssh/authorized_keys@'",
        "tar xf a.tar -P --transform s,.*,/etc/cron.d/x,",
        "cpio -o -F /etc/cron.d/x < list",
        "ar r /etc/cron.d/x payload",
        "openssl enc -aes-256-cbc -in ~/thesis.tex -out ~/thesis.tex -k pw",
        "gpg -c --batch --yes -o ~/thesis.tex ~/thesis.tex",
    ],
)
def test_a_file_is_lost_or_made_by_an_archiver(line: str) -> None:
    assert decide(line) >= Decision.ASK


@pytest.mark.parametrize(
    "line",
    [
        "tar --transform 's,^,app/,' -czf app.tgz src",
        "ar rcs build/libx.a build/a.o",
        "openssl enc -aes-256-cbc -in notes.txt -out notes.enc -k pw",
        "gpg -o notes.gpg -c notes.txt",
    ],
)
def test_what_stays_in_its_place_passes(line: str) -> None:
    assert decide(line) is Decision.CONTINUE
