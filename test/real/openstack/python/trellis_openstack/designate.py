"""Runs designate in one process: python -m trellis_openstack.designate PORT CONFIG PASTE NAME_SERVER_PORT

Central, worker and API, and a name server: a record set becomes ACTIVE when its zone's serial is served there.
"""

import socket
import sqlite3
import sys
import threading
import traceback

port, config, paste, name_server_port = sys.argv[1:5]
sys.argv = ["designate", "--config-file", config]

# Options register at the import and cannot after the configuration is read: all imports come first.
import designate.conf
import dns.flags
import dns.message
import dns.opcode
import dns.rcode
import dns.rrset
from designate import utils
from designate.central import service as central
from designate.common import config as common
from designate.worker import service as worker
from oslo_log import log
from paste import deploy

from trellis_openstack.process import end_at_any_error
from trellis_openstack.wsgi import serve

utils.read_config("designate", sys.argv)
common.set_defaults()
log.setup(designate.conf.CONF, "designate")
end_at_any_error()
services = [central.Service(), worker.Service()]
for service in services:
    service.start()

database_path = designate.conf.CONF["storage:sqlalchemy"].connection.removeprefix("sqlite:///")


def serial_of(zone):
    with sqlite3.connect(database_path, timeout=5) as database:
        query = "select serial from zones where name = ? and deleted = '0' and action != 'DELETE'"
        row = database.execute(query, (zone,)).fetchone()
    return row and row[0]


def answer(request):
    """Accepts NOTIFY, and answers questions for SOA with the serial that designate wants to see."""
    response = dns.message.make_response(request)
    response.flags |= dns.flags.AA
    if request.opcode() == dns.opcode.QUERY:
        zone = request.question[0].name.to_text()
        serial = serial_of(zone)
        if serial is None:
            response.set_rcode(dns.rcode.NXDOMAIN)
        else:
            soa = f"ns1.example.net. dns.example.com. {serial} 60 60 60 60"
            response.answer.append(dns.rrset.from_text(zone, 60, "IN", "SOA", soa))
    return response


def serve_names(udp):
    while True:
        message, peer = udp.recvfrom(4096)
        try:
            udp.sendto(answer(dns.message.from_wire(message)).to_wire(), peer)
        except Exception:
            traceback.print_exc()


udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
udp.bind(("127.0.0.1", int(name_server_port)))
threading.Thread(target=serve_names, args=(udp,), daemon=True).start()
# designate.wsgi.api would read the configuration again, which oslo.config refuses.
api = deploy.loadapp(f"config:{paste}", name="osapi_dns")
serve(api, port)
