"""As root, on a machine of its own (managed_lab.py): a broker, an enrolment for every user, and root's agent.

    python machine_of_several.py FOLDER FAIRLEAD

Until it is told to end, FOLDER/messages.json has what arrived at the broker.
"""

import asyncio
import base64
import json
import os
import subprocess
import sys
import time
from pathlib import Path

from fleet_broker import FleetBroker

from fairlead.doors.bus.connection import connect
from fairlead.doors.fleet.subjects import DECISIONS
from fairlead.fleet.bundles.manifest import Manifest
from fairlead.fleet.bundles.roles import Role, Roles, key_text
from fairlead.fleet.enrolment import Enrolment, write_enrolment
from fairlead.fleet.moments import DAY
from fairlead.model.digest import sha256_hex
from fairlead.policy.places import find_places

PEOPLE = bytes(range(32))


def main(folder: Path, fairlead: str) -> None:
    with FleetBroker(folder / "broker", ("m-1", "web")) as broker:
        enrol(broker)
        subprocess.Popen([fairlead, "fleet", "agent", "--spread", "0"])
        asyncio.run(write_down(broker, folder))


def enrol(broker: FleetBroker) -> None:
    places = find_places("")
    roles = Roles(1, bundle=Role((key_text(bytes(32)),)))
    who = Enrolment("m-1", "web", broker.url, roles, credentials=broker.credentials("m-1"), decisions=True)
    os.makedirs(places.system, exist_ok=True)
    write_enrolment(places.system_enrolment, who)
    now = int(time.time())
    privacy = {"people": base64.b64encode(PEOPLE).decode()}
    manifest = Manifest("web", 1, now, now + DAY, {}, privacy=privacy)
    content = json.dumps(manifest.as_json()).encode()
    bundle = Path(places.system_fleet, "bundles", sha256_hex(content))
    bundle.mkdir(parents=True)
    (bundle / "manifest.json").write_bytes(content)
    Path(places.system_fleet, "current").symlink_to(f"bundles/{bundle.name}")


async def write_down(broker: FleetBroker, folder: Path) -> None:
    client = await connect(broker.as_who("admin"), patience=30)
    messages: list[object] = []
    try:
        while True:
            messages += await further(client.jetstream(), len(messages))
            draft = folder / "messages.new"
            draft.write_text(json.dumps(messages))
            draft.rename(folder / "messages.json")
            await asyncio.sleep(0.1)
    finally:
        await client.close()


async def further(stream, known: int) -> list[object]:
    last = (await stream.stream_info(DECISIONS)).state.last_seq
    numbers = range(known + 1, last + 1)
    return [json.loads((await stream.get_msg(DECISIONS, each)).data) for each in numbers]


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
