"""Runs octavia's API with a worker that does nothing but answer: python -m trellis_openstack.octavia PORT CONFIG"""

import sqlite3
import sys
import threading
import time

port, config = sys.argv[1:3]
sys.argv = ["octavia-api", "--config-file", config]

from octavia.wsgi.api import application
from oslo_config import cfg

from trellis_openstack.wsgi import one_at_a_time, serve

# Octavia's default is for MySQL. The pool for SQLite refuses the option.
cfg.CONF.set_override("pool_timeout", None, "database")

DELAY_SECONDS = 1
TABLES = ("load_balancer", "listener", "pool", "member", "health_monitor", "l7policy", "l7rule")


def settle():
    """Does to everything pending what the worker of a provider would report."""
    with sqlite3.connect(cfg.CONF.database.connection.removeprefix("sqlite:///"), timeout=10) as database:
        for table in TABLES:
            database.execute(
                f"update {table} set provisioning_status = 'ACTIVE', operating_status = 'ONLINE'"
                " where provisioning_status in ('PENDING_CREATE', 'PENDING_UPDATE')"
            )
        database.execute(
            "update load_balancer set provisioning_status = 'DELETED' where provisioning_status = 'PENDING_DELETE'"
        )


def settle_always():
    while True:
        time.sleep(DELAY_SECONDS)
        try:
            settle()
        except sqlite3.Error as error:
            print("retried:", error, flush=True)


threading.Thread(target=settle_always, daemon=True).start()
serve(one_at_a_time(application), port)
