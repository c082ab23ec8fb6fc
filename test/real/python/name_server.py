"""The primary name server of one zone, made of dnspython: answers questions and takes updates (RFC 2136).

It listens on one port of 127.0.0.1, over UDP and TCP, and prints it. The argument is the zone.
"""

import socketserver
import struct
import sys
import threading

import dns.exception
import dns.flags
import dns.message
import dns.name
import dns.opcode
import dns.rcode
import dns.rdataclass
import dns.rdatatype
import dns.zone

zone = dns.zone.Zone(dns.name.from_text(sys.argv[1]), relativize=False)
lock = threading.Lock()


def update(request: dns.message.Message) -> dns.rcode.Rcode:
    if request.zone[0].name != zone.origin:
        return dns.rcode.NOTAUTH
    for change in request.update:
        if not change.name.is_subdomain(zone.origin):
            return dns.rcode.NOTZONE
    for change in request.update:
        if change.deleting == dns.rdataclass.ANY:
            zone.delete_rdataset(change.name, change.rdtype)
        elif change.deleting is None:
            present = zone.find_rdataset(change.name, change.rdtype, create=True)
            for record in change:
                present.add(record, change.ttl)
        else:
            return dns.rcode.NOTIMP
    return dns.rcode.NOERROR


def answer(wire: bytes, longest: int) -> bytes:
    request = dns.message.from_wire(wire)
    response = dns.message.make_response(request)
    response.flags |= dns.flags.AA
    with lock:
        if request.opcode() == dns.opcode.UPDATE:
            response.set_rcode(update(request))
        else:
            asked = request.question[0]
            if zone.get_node(asked.name) is None:
                response.set_rcode(dns.rcode.NXDOMAIN)
            found = zone.get_rrset(asked.name, asked.rdtype)
            if found:
                response.answer.append(found)
    try:
        return response.to_wire(max_size=longest)
    except dns.exception.TooBig:
        response.answer.clear()
        response.flags |= dns.flags.TC
        return response.to_wire()


class OverUdp(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        wire, connection = self.request
        connection.sendto(answer(wire, 512), self.client_address)


class OverTcp(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        while length := self.rfile.read(2):
            wire = self.rfile.read(struct.unpack("!H", length)[0])
            reply = answer(wire, 65535)
            self.wfile.write(struct.pack("!H", len(reply)) + reply)


def listen() -> tuple[socketserver.BaseServer, socketserver.BaseServer]:
    while True:
        udp = socketserver.ThreadingUDPServer(("127.0.0.1", 0), OverUdp)
        try:
            return udp, socketserver.ThreadingTCPServer(udp.server_address, OverTcp)
        except OSError:
            # Somebody else has the port for TCP.
            udp.server_close()


if __name__ == "__main__":
    servers = listen()
    print(f"listening on {servers[0].server_address[1]}", flush=True)
    threading.Thread(target=servers[0].serve_forever, daemon=True).start()
    servers[1].serve_forever()
