import boto3

from .refusals import SOON, code_of


def subnets_of_default_vpc():
    subnets = list(boto3.resource("ec2").subnets.filter(Filters=[{"Name": "default-for-az", "Values": ["true"]}]))
    return subnets[0].vpc_id, [subnet.id for subnet in subnets[:2]]


def drive():
    vpc, subnets = subnets_of_default_vpc()
    return {"classic": classic(subnets), "network": network(vpc, subnets)}


def classic(subnets):
    elb = boto3.client("elb")
    listener = {"Protocol": "TCP", "LoadBalancerPort": 443, "InstanceProtocol": "TCP", "InstancePort": 30443}
    for number in range(3):
        elb.create_load_balancer(
            LoadBalancerName=f"boto3-{number}",
            Listeners=[listener],
            Subnets=subnets,
            Tags=[{"Key": "number", "Value": str(number)}],
        )
    pages = list(elb.get_paginator("describe_load_balancers").paginate(PaginationConfig={"PageSize": 2}))
    names = [each["LoadBalancerName"] for page in pages for each in page["LoadBalancerDescriptions"]]
    tags = elb.describe_tags(LoadBalancerNames=names)["TagDescriptions"]
    for name in names:
        elb.delete_load_balancer(LoadBalancerName=name)
    return {
        "pages": [len(page["LoadBalancerDescriptions"]) for page in pages],
        "tags": sorted(tag["Value"] for each in tags for tag in each["Tags"]),
        "gone": code_of(elb.describe_load_balancers, LoadBalancerNames=["boto3-0"]),
    }


def network(vpc, subnets):
    elbv2 = boto3.client("elbv2")
    made = elbv2.create_load_balancer(Name="boto3", Type="network", Subnets=subnets)["LoadBalancers"][0]
    balancer = made["LoadBalancerArn"]
    elbv2.get_waiter("load_balancer_available").wait(LoadBalancerArns=[balancer], WaiterConfig=SOON)
    group = elbv2.create_target_group(Name="boto3", Protocol="TCP", Port=30443, VpcId=vpc)["TargetGroups"][0]
    target_group = group["TargetGroupArn"]
    elbv2.create_listener(
        LoadBalancerArn=balancer,
        Protocol="TCP",
        Port=443,
        DefaultActions=[{"Type": "forward", "TargetGroupArn": target_group}],
    )
    in_use = code_of(elbv2.delete_target_group, TargetGroupArn=target_group)
    elbv2.delete_load_balancer(LoadBalancerArn=balancer)
    elbv2.get_waiter("load_balancers_deleted").wait(LoadBalancerArns=[balancer], WaiterConfig=SOON)
    elbv2.delete_target_group(TargetGroupArn=target_group)
    return {
        "first": made["State"]["Code"],
        "type": made["Type"],
        "in_use": in_use,
        "gone": code_of(elbv2.describe_load_balancers, LoadBalancerArns=[balancer]),
        "group_gone": code_of(elbv2.describe_target_groups, TargetGroupArns=[target_group]),
    }
