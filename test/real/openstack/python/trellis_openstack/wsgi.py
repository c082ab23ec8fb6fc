"""Serves one WSGI application at a port of 127.0.0.1: python -m trellis_openstack.wsgi MODULE:NAME PORT

SQLite refuses a transaction at once ("database is locked"), without waiting, if it began with a read, now wants to
write, and another one of the same process has written since. So only one request runs at a time. Nova and designate
call themselves during a request: they run as many as they want.
"""

import importlib
import sys
import threading

import waitress

one_request = threading.RLock()


def one_at_a_time(application):
    def handle(environ, start_response):
        with one_request:
            parts = application(environ, start_response)
            try:
                return [b"".join(parts)]
            finally:
                getattr(parts, "close", lambda: None)()

    return handle


def serve(application, port, threads=4):
    waitress.serve(
        application,
        host="127.0.0.1",
        port=int(port),
        threads=threads,
        ident=None,
        clear_untrusted_proxy_headers=False,
        channel_timeout=300,
    )


def main():
    target, port = sys.argv[1:3]
    # The applications read sys.argv too.
    sys.argv = sys.argv[:1]
    module, name = target.split(":")
    serve(one_at_a_time(getattr(importlib.import_module(module), name)), port)


if __name__ == "__main__":
    # Neutron's agents import this module by its name, and must get the same lock.
    importlib.import_module("trellis_openstack.wsgi").main()
