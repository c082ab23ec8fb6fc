import os
import sys
import traceback


def end_at_any_error():
    """Threads of the services would keep a process alive after its main thread has failed."""

    def end(kind, value, trace):
        traceback.print_exception(kind, value, trace)
        sys.stderr.flush()
        os._exit(1)

    sys.excepthook = end
