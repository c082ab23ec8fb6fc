import boto3

from .refusals import SOON, code_of


def drive():
    client = boto3.client("ec2")
    ec2 = boto3.resource("ec2")
    vpc = ec2.create_vpc(
        CidrBlock="10.250.0.0/16",
        TagSpecifications=[{"ResourceType": "vpc", "Tags": [{"Key": "Name", "Value": "boto3"}]}],
    )
    vpc.wait_until_available()
    vpc.modify_attribute(EnableDnsHostnames={"Value": True})
    gateway = ec2.create_internet_gateway()
    vpc.attach_internet_gateway(InternetGatewayId=gateway.id)
    subnets = [vpc.create_subnet(CidrBlock=f"10.250.{number}.0/24") for number in range(7)]
    client.get_waiter("subnet_available").wait(SubnetIds=[subnet.id for subnet in subnets], WaiterConfig=SOON)
    table = vpc.create_route_table()
    table.create_route(DestinationCidrBlock="0.0.0.0/0", GatewayId=gateway.id)
    association = table.associate_with_subnet(SubnetId=subnets[0].id)
    group = vpc.create_security_group(GroupName="nodes", Description="nodes")
    group.authorize_ingress(IpProtocol="tcp", FromPort=443, ToPort=443, CidrIp="10.250.0.0/16")
    twice = code_of(group.authorize_ingress, IpProtocol="tcp", FromPort=443, ToPort=443, CidrIp="10.250.0.0/16")

    address = client.allocate_address(Domain="vpc")["AllocationId"]
    made = client.create_nat_gateway(SubnetId=subnets[0].id, AllocationId=address)["NatGateway"]
    nat = made["NatGatewayId"]
    client.get_waiter("nat_gateway_available").wait(NatGatewayIds=[nat], WaiterConfig=SOON)
    held = code_of(subnets[0].delete)
    in_use = code_of(client.release_address, AllocationId=address)
    interfaces = client.describe_network_interfaces(Filters=[{"Name": "vpc-id", "Values": [vpc.id]}])

    pages = client.get_paginator("describe_subnets").paginate(
        Filters=[{"Name": "vpc-id", "Values": [vpc.id]}], PaginationConfig={"PageSize": 5}
    )
    sizes = [len(page["Subnets"]) for page in pages]
    endpoint = client.create_vpc_endpoint(
        VpcId=vpc.id, ServiceName="com.amazonaws.eu-west-1.s3", RouteTableIds=[table.id]
    )["VpcEndpoint"]["VpcEndpointId"]
    not_empty = code_of(vpc.delete)
    permissions = group.ip_permissions
    name = vpc.tags[0]["Value"]

    client.delete_nat_gateway(NatGatewayId=nat)
    client.get_waiter("nat_gateway_deleted").wait(NatGatewayIds=[nat], WaiterConfig=SOON)
    client.release_address(AllocationId=address)
    client.delete_vpc_endpoints(VpcEndpointIds=[endpoint])
    association.delete()
    table.delete()
    group.delete()
    for subnet in subnets:
        subnet.delete()
    vpc.detach_internet_gateway(InternetGatewayId=gateway.id)
    gateway.delete()
    vpc.delete()
    return {
        "nat": made["State"],
        "name": name,
        "twice": twice,
        "held": held,
        "in_use": in_use,
        "interfaces": [each["InterfaceType"] for each in interfaces["NetworkInterfaces"]],
        "pages": sizes,
        "permissions": [each["IpRanges"] for each in permissions],
        "not_empty": not_empty,
        "gone": code_of(client.describe_vpcs, VpcIds=[vpc.id]),
        "dry_run": code_of(client.create_vpc, CidrBlock="10.0.0.0/16", DryRun=True),
    }
