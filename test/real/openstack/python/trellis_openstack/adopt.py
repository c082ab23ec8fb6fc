"""Adapts a copied state to its folder and ports: python -m trellis_openstack.adopt JSON

JSON has `folder` and `from` (paths), `ports` by service, `types` (the catalog's services that run).
"""

import contextlib
import json
import os
import sqlite3
import sys

from swift.common.ring import RingBuilder

wanted = json.loads(sys.argv[1])
folder, ports = wanted["folder"], wanted["ports"]


def change(name, statements):
    path = f"{folder}/db/{name}.sqlite"
    if not os.path.exists(path):
        return
    with contextlib.closing(sqlite3.connect(path)) as database:
        # Readers work while another connection writes.
        database.execute("pragma journal_mode = wal")
        for statement, values in statements:
            database.execute(statement, values)
        database.commit()


def endpoints():
    running = wanted["types"]
    with contextlib.closing(sqlite3.connect(f"{folder}/db/keystone.sqlite")) as database:
        query = "select endpoint.id, url, type from endpoint join service on service.id = service_id"
        for id, url, kind in database.execute(query).fetchall():
            if kind in running:
                host, _, path = url.removeprefix("http://").partition("/")
                url = f"http://{host.split(':')[0]}:{running[kind]}/{path}"
                database.execute("update endpoint set url = ? where id = ?", (url, id))
            else:
                database.execute("delete from endpoint where id = ?", (id,))
        database.commit()


def moved(table, column):
    return f"update {table} set {column} = replace({column}, ?, ?)", (wanted["from"], folder)


def rings():
    target = f"{folder}/swift/rings"
    os.makedirs(target, exist_ok=True)
    os.makedirs(f"{folder}/swift/disk/d1", exist_ok=True)
    for name in ("account", "container", "object"):
        ring = RingBuilder(part_power=4, replicas=1, min_part_hours=0)
        ring.add_dev(
            {"id": 0, "region": 1, "zone": 1, "ip": "127.0.0.1", "port": ports[f"swift-{name}"]}
            | {"device": "d1", "weight": 1.0, "meta": ""}
        )
        ring.rebalance(seed=1)
        ring.get_ring().save(f"{target}/{name}.ring.gz")


for name in ("placement", "neutron", "nova_cell0", "nova_cell1", "octavia"):
    change(name, [])
change("keystone", [])
change("nova_api", [moved("cell_mappings", "database_connection")])
change("glance", [moved("image_locations", "value")])
names = (ports["names"],)
change(
    "designate",
    [
        ("update pool_nameservers set port = ?", names),
        ("update pool_target_masters set port = ?", names),
        ("update pool_target_options set value = ? where key = 'port'", names),
    ],
)
if wanted["types"]:
    endpoints()
rings()
