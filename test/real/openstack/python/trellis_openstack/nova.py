"""Runs nova in one process: python -m trellis_openstack.nova PORT CONFIG PASTE COMPUTE

COMPUTE is `yes` for conductor, scheduler and compute (with the fake hypervisor) beside the API, or `no` for the API
alone, which is enough for key pairs and server groups.
"""

from nova import monkey_patch

monkey_patch.patch(backend="threading")

import os
import sqlite3
import sys
import threading
import time
import traceback

port, config, paste, compute = sys.argv[1:5]
sys.argv = ["nova-api"]
os.environ["OS_NOVA_CONFIG_DIR"] = os.path.dirname(config)
os.environ["OS_NOVA_CONFIG_FILES"] = f"{paste};{config}"

# Options register at the import and cannot after the configuration is read: all imports come first.
import os_vif
from nova import objects, service
from nova.api.openstack import wsgi_app
from nova.compute import rpcapi as compute_rpc
from nova.conductor import rpcapi as conductor_rpc
from nova.scheduler import rpcapi as scheduler_rpc

from trellis_openstack.process import end_at_any_error
from trellis_openstack.wsgi import serve

wsgi_app.init_global_data(wsgi_app._get_config_files(), "osapi_compute", "nova-api")
# After oslo.log, which sets a hook of its own.
end_at_any_error()
objects.register_all()
os_vif.initialize()
services = []


def start(binary, topic):
    one = service.Service.create(binary=binary, topic=topic)
    one.start()
    # Otherwise collected as garbage.
    services.append(one)


def forget_the_last_node():
    """The fake hypervisor makes up a node with another uuid at each start, beside which the last one would remain."""
    databases = os.path.dirname(wsgi_app.CONF.database.connection.removeprefix("sqlite:///"))
    tables = {
        "nova_cell1": ["compute_nodes"],
        "placement": [
            *("allocations", "inventories", "resource_provider_traits"),
            *("resource_provider_aggregates", "resource_providers"),
        ],
    }
    for name, emptied in tables.items():
        with sqlite3.connect(f"{databases}/{name}.sqlite", timeout=20) as database:
            for table in emptied:
                database.execute(f"delete from {table}")


def start_compute():
    for _ in range(20):
        try:
            return start("nova-compute", compute_rpc.RPC_TOPIC)
        except Exception:
            # Placement and keystone may still start.
            traceback.print_exc()
            time.sleep(1)
    os._exit(1)


if compute == "yes":
    forget_the_last_node()
    start("nova-conductor", conductor_rpc.RPC_TOPIC)
    start("nova-scheduler", scheduler_rpc.RPC_TOPIC)
    threading.Thread(target=start_compute, daemon=True).start()
serve(wsgi_app.init_application("osapi_compute", "nova-api"), port, threads=6)
