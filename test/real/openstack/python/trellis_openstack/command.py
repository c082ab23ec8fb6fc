"""Runs a command of an installed package: python -m trellis_openstack.command MODULE:FUNCTION ARGUMENTS

The scripts in `bin` do not work, because they contain the path of the folder where they were installed first.
"""

import importlib
import sys

module, function = sys.argv[1].split(":")
sys.argv = [module, *sys.argv[2:]]
sys.exit(getattr(importlib.import_module(module), function)())
