import json

import boto3

from .refusals import SOON, code_of

TRUST = {
    "Version": "2012-10-17",
    "Statement": [{"Effect": "Allow", "Principal": {"Service": "ec2.amazonaws.com"}, "Action": "sts:AssumeRole"}],
}
POLICY = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "ec2:Describe*", "Resource": "*"}]}


def drive():
    iam = boto3.resource("iam")
    client = iam.meta.client
    role = iam.create_role(RoleName="boto3", AssumeRolePolicyDocument=json.dumps(TRUST))
    client.get_waiter("role_exists").wait(RoleName="boto3", WaiterConfig=SOON)
    policy = role.Policy("machines")
    policy.put(PolicyDocument=json.dumps(POLICY))
    profile = iam.create_instance_profile(InstanceProfileName="boto3")
    client.get_waiter("instance_profile_exists").wait(InstanceProfileName="boto3", WaiterConfig=SOON)
    profile.add_role(RoleName="boto3")
    twice = code_of(client.create_role, RoleName="boto3", AssumeRolePolicyDocument=json.dumps(TRUST))
    malformed = code_of(policy.put, PolicyDocument="nonsense")
    held = code_of(role.delete)
    names = [f"page-{number}" for number in range(3)]
    for name in names:
        client.create_role(RoleName=name, Path="/pages/", AssumeRolePolicyDocument=json.dumps(TRUST))
    pages = [
        [each["RoleName"] for each in page["Roles"]]
        for page in client.get_paginator("list_roles").paginate(PathPrefix="/pages/", PaginationConfig={"PageSize": 2})
    ]
    seen = {
        # boto3 takes the URL encoding off.
        "trust": role.assume_role_policy_document == TRUST,
        "policy": policy.policy_document == POLICY,
        "policies": [each.name for each in role.policies.all()],
        "roles": [each.name for each in profile.roles],
        "profiles": [each.name for each in role.instance_profiles.all()],
    }
    profile.remove_role(RoleName="boto3")
    profile.delete()
    policy.delete()
    role.delete()
    for name in names:
        client.delete_role(RoleName=name)
    return {
        **seen,
        "twice": twice,
        "malformed": malformed,
        "held": held,
        "pages": pages,
        "gone": code_of(client.get_role, RoleName="boto3"),
    }
