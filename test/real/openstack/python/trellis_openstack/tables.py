"""Creates the databases whose migrations need MySQL: python -m trellis_openstack.tables neutron|octavia URL"""

import sys

import sqlalchemy

service, url = sys.argv[1:3]
sys.argv = sys.argv[:1]
engine = sqlalchemy.create_engine(url)


def create_neutron():
    from neutron.db.migration.models import head

    head.get_metadata().create_all(engine)


def create_octavia():
    """The migrations also fill the tables of allowed values."""
    from octavia.common import constants
    from octavia.db import base_models, models  # noqa: F401: registers the tables

    allowed = {
        "provisioning_status": constants.SUPPORTED_PROVISIONING_STATUSES,
        "operating_status": constants.SUPPORTED_OPERATING_STATUSES,
        "protocol": constants.SUPPORTED_PROTOCOLS,
        "algorithm": constants.SUPPORTED_LB_ALGORITHMS,
        "lb_topology": constants.SUPPORTED_LB_TOPOLOGIES,
        "session_persistence_type": constants.SUPPORTED_SP_TYPES,
        "health_monitor_type": constants.SUPPORTED_HEALTH_MONITOR_TYPES,
        "l7policy_action": constants.SUPPORTED_L7POLICY_ACTIONS,
        "l7rule_type": constants.SUPPORTED_L7RULE_TYPES,
        "l7rule_compare_type": constants.SUPPORTED_L7RULE_COMPARE_TYPES,
        "amphora_roles": constants.SUPPORTED_AMPHORA_ROLES,
        "client_authentication_mode": constants.SUPPORTED_CLIENT_AUTH_MODES,
    }
    metadata = base_models.BASE.metadata
    metadata.create_all(engine)
    with engine.begin() as database:
        for table, values in allowed.items():
            for value in sorted(set(values)):
                database.execute(metadata.tables[table].insert().values(name=value))


{"neutron": create_neutron, "octavia": create_octavia}[service]()
