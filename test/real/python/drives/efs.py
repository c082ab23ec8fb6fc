import time

import boto3

from .load_balancers import subnets_of_default_vpc
from .refusals import code_of


def until(wanted, look):
    """EFS has no waiters."""
    for _ in range(400):
        if look() == wanted:
            return
        time.sleep(0.02)
    raise TimeoutError(f"waiting for {wanted}")


def drive():
    efs = boto3.client("efs")
    _, subnets = subnets_of_default_vpc()
    made = efs.create_file_system(CreationToken="boto3", Encrypted=True, Tags=[{"Key": "Name", "Value": "boto3"}])
    file_system = made["FileSystemId"]

    def state():
        return efs.describe_file_systems(FileSystemId=file_system)["FileSystems"][0]["LifeCycleState"]

    until("available", state)
    twice = code_of(efs.create_file_system, CreationToken="boto3")
    targets = [efs.create_mount_target(FileSystemId=file_system, SubnetId=subnet) for subnet in subnets]

    def target_states():
        found = efs.describe_mount_targets(FileSystemId=file_system)["MountTargets"]
        return sorted(each["LifeCycleState"] for each in found)

    until(["available", "available"], target_states)
    in_use = code_of(efs.delete_file_system, FileSystemId=file_system)
    for target in targets:
        efs.delete_mount_target(MountTargetId=target["MountTargetId"])
    until([], target_states)
    efs.delete_file_system(FileSystemId=file_system)
    gone = ["FileSystemNotFound", 404]
    until(gone, lambda: code_of(efs.describe_file_systems, FileSystemId=file_system))
    return {"first": made["LifeCycleState"], "name": made["Name"], "twice": twice, "in_use": in_use, "gone": gone}
