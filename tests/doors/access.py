"""Certificates, NKeys and credentials files, made for one test and worth nothing anywhere else."""

import base64
import json
import os
import subprocess
import time
from pathlib import Path

import nkeys

_LIMITS = (
    "subs",
    "data",
    "payload",
    "imports",
    "exports",
    "conn",
    "leaf",
    "mem_storage",
    "disk_storage",
    "streams",
    "consumer",
)
_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")


def openssl(*words: object) -> None:
    subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True)


class Authority:
    """Signs certificates; `ca` is what others need to trust it."""

    def __init__(self, folder: Path, name: str = "authority") -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder, self._key, self.ca = folder, folder / f"{name}.key", folder / f"{name}.pem"
        made = ("-keyout", self._key, "-out", self.ca, "-days", "2", "-subj", f"/CN={name}")
        openssl("req", "-x509", *_KEY, *made)

    def certificate(self, name: str, *, days: int = 2, place: str = "IP:127.0.0.1") -> tuple[str, str]:
        """The paths of a certificate for this machine and of its key; with -1 day it has expired."""
        files = [self._folder / f"{name}.{kind}" for kind in ("pem", "key", "csr")]
        certificate, key, request = files
        made = ("-keyout", key, "-out", request, "-subj", f"/CN={name}", "-addext", f"subjectAltName={place}")
        openssl("req", "-new", *_KEY, *made)
        signed = ("-CA", self.ca, "-CAkey", self._key, "-CAcreateserial", "-copy_extensions", "copy")
        openssl("x509", "-req", "-in", request, *signed, "-days", days, "-out", certificate)
        return str(certificate), str(key)

    def tls_block(self, certificate: tuple[str, str], *, verify: bool = False) -> str:
        """For the configuration of a broker."""
        cert, key = certificate
        asks = f'ca_file: "{self.ca}", verify: true' if verify else ""
        return f'tls {{ cert_file: "{cert}", key_file: "{key}", {asks} }}\n'


class Pair:
    """An NKey: who somebody is, and what proves it."""

    def __init__(self, prefix: int) -> None:
        self.seed = bytes(nkeys.encode_seed(os.urandom(32), prefix)).decode()
        self._pair = nkeys.from_seed(bytearray(self.seed.encode()))
        self.public = self._pair.public_key.decode()

    def jwt(self, about: "Pair", name: str, claims: dict, **more: object) -> str:
        body = {
            "jti": name,
            "iat": int(time.time()) - 60,
            "iss": self.public,
            "name": name,
            "sub": about.public,
        }
        head = {"typ": "JWT", "alg": "ed25519-nkey"}
        parts = [_encoded(json.dumps(part).encode()) for part in (head, {**body, **more, "nats": claims})]
        return ".".join([*parts, _encoded(self._pair.sign(".".join(parts).encode()))])


def user() -> Pair:
    return Pair(nkeys.PREFIX_BYTE_USER)


class Operator:
    """A broker that trusts whom an operator vouches for; users come with credentials files."""

    def __init__(self) -> None:
        self._operator = Pair(nkeys.PREFIX_BYTE_OPERATOR)
        self._account = Pair(nkeys.PREFIX_BYTE_ACCOUNT)
        limits = dict.fromkeys(_LIMITS, -1) | {"wildcards": True}
        claims = {"type": "account", "version": 2, "limits": limits}
        operator = self._operator.jwt(self._operator, "operator", {"type": "operator", "version": 2})
        system = Pair(nkeys.PREFIX_BYTE_ACCOUNT)
        accounts = {
            self._account.public: self._operator.jwt(self._account, "account", claims),
            system.public: self._operator.jwt(system, "system", {"type": "account", "version": 2}),
        }
        known = ", ".join(f"{public}: {jwt}" for public, jwt in accounts.items())
        self.config = (
            f"operator: {operator}\nsystem_account: {system.public}\n"
            f"resolver: MEMORY\nresolver_preload: {{ {known} }}\n"
        )

    def credentials(self, file: Path, *, expires_in: int = 3600) -> str:
        someone = user()
        claims = {"type": "user", "version": 2, "subs": -1, "data": -1, "payload": -1}
        jwt = self._account.jwt(someone, "worker", claims, exp=int(time.time()) + expires_in)
        file.write_text(
            f"-----BEGIN NATS USER JWT-----\n{jwt}\n------END NATS USER JWT------\n\n"
            f"-----BEGIN USER NKEY SEED-----\n{someone.seed}\n------END USER NKEY SEED------\n"
        )
        return str(file)


def _encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
