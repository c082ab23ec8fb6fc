"""Does the work of neutron's agents, which need a network of their own: ports and floating addresses become ACTIVE."""

import threading
import time

from neutron.services.l3_router.l3_router_plugin import L3RouterPlugin
from neutron_lib import constants, context
from neutron_lib.plugins import constants as plugin_names
from neutron_lib.plugins import directory
from neutron_lib.plugins.ml2 import api

from trellis_openstack.wsgi import one_request

DELAY_SECONDS = 0.05
ROUTER_PORTS = {"network:router_interface", "network:router_gateway"}


def soon(change, *arguments):
    """Calls `change` after the delay, and again while the object is not stored yet or the database is busy."""

    def attempts():
        for _ in range(20):
            time.sleep(DELAY_SECONDS)
            try:
                with one_request:
                    return change(context.get_admin_context(), *arguments)
            except Exception as error:
                print("retried:", error, flush=True)

    threading.Thread(target=attempts, daemon=True).start()


def activate_port(admin, port_id):
    directory.get_plugin().update_port_status(admin, port_id, constants.PORT_STATUS_ACTIVE)


def activate_address(admin, address_id):
    router_plugin = directory.get_plugin(plugin_names.L3)
    router_plugin.update_floatingip_status(admin, address_id, constants.FLOATINGIP_STATUS_ACTIVE)


class BindEveryPort(api.MechanismDriver):
    """Binds each port that has a host to its first segment, and activates the ports of routers."""

    def initialize(self):
        pass

    def bind_port(self, context):
        segment = next(iter(context.segments_to_bind), None)
        if segment is not None:
            details = {"port_filter": True}
            context.set_binding(segment[api.ID], "ovs", details, status=constants.PORT_STATUS_ACTIVE)

    def create_port_postcommit(self, context):
        port = context.current
        if port["device_owner"] in ROUTER_PORTS and port["status"] != constants.PORT_STATUS_ACTIVE:
            soon(activate_port, port["id"])

    update_port_postcommit = create_port_postcommit


class Routers(L3RouterPlugin):
    def create_floatingip(self, context, floatingip):
        address = super().create_floatingip(context, floatingip)
        soon(activate_address, address["id"])
        return address

    def update_floatingip(self, context, id, floatingip):
        address = super().update_floatingip(context, id, floatingip)
        soon(activate_address, id)
        return address
