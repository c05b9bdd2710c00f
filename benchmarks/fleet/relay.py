"""A wire between machines and the broker that can be cut: whoever stops this process splits the network.

    python -m benchmarks.fleet.relay PORT TARGET_PORT

Stopped (SIGSTOP), connections stay and nothing comes through; killed, they break.
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress

_PIECE = 64 * 1024


async def relay(port: int, target: int) -> None:
    async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", target)
            await asyncio.gather(pump(reader, far_writer), pump(far_reader, writer), return_exceptions=True)
        writer.close()

    server = await asyncio.start_server(carry, "127.0.0.1", port, backlog=4096)
    print("ready", flush=True)
    async with server:
        await server.serve_forever()


async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while piece := await reader.read(_PIECE):
            writer.write(piece)
            await writer.drain()
    finally:
        writer.close()


if __name__ == "__main__":
    asyncio.run(relay(int(sys.argv[1]), int(sys.argv[2])))
