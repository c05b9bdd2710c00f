"""What the tests of a fleet share: web servers, honest and hostile."""

import asyncio
import hashlib
import socket
import ssl
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


async def patient(_: float) -> bool:
    """A pause that takes no time."""
    return True


async def until(holds: Callable[[], object], seconds: float = 60) -> None:
    """Waits for it, as long as a busy machine may take."""
    async with asyncio.timeout(seconds):
        while not holds():
            await asyncio.sleep(0.01)


class FolderServer:
    """A static web server with ETags, as any has; with a certificate and its key it speaks TLS."""

    def __init__(self, folder: Path, certificate: tuple[str, str] | None = None) -> None:
        self.statuses: list[int] = []
        self.authorizations: list[str | None] = []
        handler = partial(_Handler, self, folder)
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*certificate)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()
        self.url = f"http{'s' if certificate else ''}://127.0.0.1:{self._server.server_address[1]}"
        self._open = True

    def __enter__(self) -> "FolderServer":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._open:
            self._open = False
            self._server.shutdown()
            self._thread.join()
            self._server.server_close()


class _Handler(SimpleHTTPRequestHandler):
    def __init__(self, owner: FolderServer, folder: Path, *args: object) -> None:
        self._owner = owner
        self._folder = folder
        super().__init__(*args)

    def do_GET(self) -> None:
        self._owner.authorizations.append(self.headers.get("Authorization"))
        path = self._folder / self.path.lstrip("/")
        if not path.is_file():
            self._answer(404, b"")
            return
        content = path.read_bytes()
        mark = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
        known = self.headers.get("If-None-Match") == mark
        self._answer(304 if known else 200, b"" if known else content, mark)

    def _answer(self, status: int, content: bytes, mark: str = "") -> None:
        self._owner.statuses.append(status)
        self.send_response(status)
        if mark:
            self.send_header("ETag", mark)
        if status != 304:
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""


class HostileServer:
    """Sends these pieces to whoever asks, then goes on: `None` is a silence. Hangs up at the end of it."""

    def __init__(self, pieces: Iterable[bytes], then: Iterable[bytes | None]) -> None:
        self._pieces, self._then = tuple(pieces), then
        self._over = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(0.05)
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._threads = [threading.Thread(target=self._serve, daemon=True)]
        self._threads[0].start()

    def close(self) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join(30)
        self._listener.close()

    def _serve(self) -> None:
        while not self._over.is_set():
            try:
                connection, _ = self._listener.accept()
            except TimeoutError:
                continue
            self._threads.append(threading.Thread(target=self._mistreat, args=(connection,), daemon=True))
            self._threads[-1].start()

    def _mistreat(self, connection: socket.socket) -> None:
        with connection:
            connection.settimeout(10)
            try:
                connection.recv(65536)
                for piece in self._pieces:
                    connection.sendall(piece)
                for piece in self._then:
                    if piece is not None:
                        connection.sendall(piece)
                    if self._over.wait(0 if piece and len(piece) > 100 else 0.02):
                        return
            except OSError:
                return


class TunnelProxy:
    """A proxy that tunnels: what it was asked for is in `asked`, and `answer` is its status. With `elsewhere`
    it connects to that port, whatever it was asked for."""

    def __init__(self, *, answer: bytes = b"200 OK", elsewhere: int = 0) -> None:
        self.asked: list[str] = []
        self._answer, self._elsewhere = answer, elsewhere
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._serve, daemon=True).start()

    def __enter__(self) -> "TunnelProxy":
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _serve(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._tunnel, args=(client,), daemon=True).start()

    def _tunnel(self, client: socket.socket) -> None:
        with client:
            client.settimeout(30)
            head = b""
            while b"\r\n\r\n" not in head:
                if not (piece := client.recv(4096)):
                    return
                head += piece
            self.asked.append(head.split(b"\r\n")[0].decode())
            client.sendall(b"HTTP/1.1 " + self._answer + b"\r\n\r\n")
            if not self._answer.startswith(b"200"):
                return
            host, _, port = head.split()[1].decode().rpartition(":")
            with socket.create_connection((host, self._elsewhere or int(port))) as server:
                back = threading.Thread(target=_pump, args=(server, client), daemon=True)
                back.start()
                _pump(client, server)
                back.join(30)


def _pump(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while piece := source.recv(65536):
            target.sendall(piece)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)
