"""The proxy of an enrolment: from its file and nowhere else, for https alone, without a password."""

import pytest

from fairlead.errors import PolicyError
from fairlead.fleet.enrolment import Enrolment, parse_enrolment, proxy_fault, written
from fleet_kit import ROLES

HTTPS = "https://fleet.example"


def test_it_is_read_as_it_was_written():
    enrolment = Enrolment("m1", "web", HTTPS, ROLES, proxy="http://proxy.example:3128")
    assert parse_enrolment(written(enrolment), "fleet.yaml").proxy == "http://proxy.example:3128"


@pytest.mark.parametrize(
    ("proxy", "source"),
    [
        ("proxy.example:3128", HTTPS),
        ("https://proxy.example", HTTPS),
        ("http://me:pass@proxy.example", HTTPS),
        ("http://:3128", HTTPS),
        ("http://proxy.example:99999", HTTPS),
        ("http://proxy.example", "nats://127.0.0.1:4222"),
        ("http://proxy.example", "folder:/srv"),
    ],
)
def test_what_is_no_proxy_is_refused(proxy, source):
    assert proxy_fault(proxy, source)
    enrolment = Enrolment("m1", "web", source, ROLES, proxy=proxy)
    with pytest.raises(PolicyError, match="proxy"):
        parse_enrolment(written(enrolment), "fleet.yaml")
