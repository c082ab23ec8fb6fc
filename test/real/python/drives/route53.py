import boto3

from .refusals import code_of


def drive():
    route53 = boto3.client("route53")
    zone = route53.create_hosted_zone(Name="boto3.example.com", CallerReference="boto3")["HostedZone"]["Id"]

    def change(action, name, value):
        record = {"Name": name, "Type": "A", "TTL": 60, "ResourceRecords": [{"Value": value}]}
        batch = {"Changes": [{"Action": action, "ResourceRecordSet": record}]}
        return route53.change_resource_record_sets(HostedZoneId=zone, ChangeBatch=batch)["ChangeInfo"]["Id"]

    names = [f"host-{number}.boto3.example.com" for number in range(3)]
    for name in [*names, "*.boto3.example.com"]:
        route53.get_waiter("resource_record_sets_changed").wait(Id=change("UPSERT", name, "192.0.2.1"))
    pages = list(
        route53.get_paginator("list_resource_record_sets").paginate(
            HostedZoneId=zone, PaginationConfig={"PageSize": 2}
        )
    )
    listed = [entry["Name"] for page in pages for entry in page["ResourceRecordSets"] if entry["Type"] == "A"]
    not_empty = code_of(route53.delete_hosted_zone, Id=zone)
    for name in listed:
        change("DELETE", name, "192.0.2.1")
    absent = code_of(change, action="DELETE", name=names[0], value="192.0.2.1")
    route53.delete_hosted_zone(Id=zone)
    return {
        "pages": len(pages),
        "listed": listed,
        "not_empty": not_empty,
        "absent": absent,
        "gone": code_of(route53.get_hosted_zone, Id=zone),
    }
