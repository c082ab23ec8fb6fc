import base64

import boto3

from .refusals import SOON, code_of


def drive():
    client = boto3.client("ec2")
    ec2 = boto3.resource("ec2")
    subnet = next(iter(ec2.subnets.filter(Filters=[{"Name": "default-for-az", "Values": ["true"]}])))
    image = sorted(
        client.describe_images(
            Filters=[{"Name": "name", "Values": ["al2023-ami-*"]}, {"Name": "architecture", "Values": ["x86_64"]}]
        )["Images"],
        key=lambda each: each["CreationDate"],
    )[-1]
    [instance] = ec2.create_instances(
        ImageId=image["ImageId"],
        InstanceType="t3.small",
        SubnetId=subnet.id,
        MinCount=1,
        MaxCount=1,
        UserData="#!/bin/sh\n",
        MetadataOptions={"HttpTokens": "required"},
        BlockDeviceMappings=[{"DeviceName": "/dev/xvda", "Ebs": {"VolumeSize": 20, "VolumeType": "gp3"}}],
        TagSpecifications=[{"ResourceType": "instance", "Tags": [{"Key": "Name", "Value": "boto3"}]}],
    )
    first = instance.state["Name"]
    client.get_waiter("instance_running").wait(InstanceIds=[instance.id], WaiterConfig=SOON)
    instance.reload()
    volume = next(iter(instance.volumes.all()))
    user_data = instance.describe_attribute(Attribute="userData")["UserData"]["Value"]
    client.modify_network_interface_attribute(
        NetworkInterfaceId=instance.network_interfaces[0].id, SourceDestCheck={"Value": False}
    )
    seen = {
        "states": [first, instance.state["Name"]],
        # boto3 encodes it on its way and does not decode it.
        "user_data": base64.b64decode(user_data).decode(),
        "tokens": instance.metadata_options["HttpTokens"],
        "volume": [volume.size, volume.volume_type, volume.state],
    }
    instance.terminate()
    client.get_waiter("instance_terminated").wait(InstanceIds=[instance.id], WaiterConfig=SOON)
    return {
        **seen,
        "unknown_image": code_of(
            client.run_instances, ImageId="ami-0000000000000000f", MinCount=1, MaxCount=1, InstanceType="t3.small"
        ),
        "volume_gone": code_of(client.describe_volumes, VolumeIds=[volume.id]),
    }
