"""Stores designate's pool of name servers: python -m trellis_openstack.designate_pool CONFIG POOLS

`designate-manage pool update` asks a running central by messages. Here, central runs in the same process.
"""

import os
import sys

config, pools = sys.argv[1:3]
sys.argv = ["designate-manage", "--config-file", config]

import designate.conf
from designate import utils
from designate.central import service
from designate.manage import pool
from oslo_log import log

utils.read_config("designate", sys.argv)
log.setup(designate.conf.CONF, "designate")
service.Service().start()
pool.PoolCommands().update(file=pools, delete=False, dry_run=False)
# Threads of central would keep the process alive.
os._exit(0)
