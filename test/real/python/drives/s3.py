import io

import boto3

from .refusals import SOON, code_of

MEGABYTE = 1024 * 1024
ELSEWHERE = {"LocationConstraint": "eu-west-1"}


def drive():
    s3 = boto3.resource("s3")
    client = s3.meta.client
    # The SDK for JavaScript fills in the location; boto3 does not.
    nowhere = code_of(client.create_bucket, Bucket="boto3-nowhere")
    bucket = s3.create_bucket(Bucket="boto3-backup", CreateBucketConfiguration=ELSEWHERE)
    client.get_waiter("bucket_exists").wait(Bucket=bucket.name, WaiterConfig=SOON)
    bucket.Versioning().enable()
    large = b"0123456789abcdef" * (MEGABYTE // 16)
    bucket.upload_fileobj(io.BytesIO(large), "large")
    read = io.BytesIO()
    bucket.download_fileobj("large", read)
    for number in range(3):
        bucket.put_object(Key=f"etcd/Incr-{number}", Body=b"snapshot")
    client.get_waiter("object_exists").wait(Bucket=bucket.name, Key="etcd/Incr-2", WaiterConfig=SOON)
    pages = [
        [each["Key"] for each in page.get("Contents", [])]
        for page in client.get_paginator("list_objects_v2").paginate(
            Bucket=bucket.name, Prefix="etcd/", PaginationConfig={"PageSize": 2}
        )
    ]
    bucket.Object("etcd/Incr-0").delete()
    client.get_waiter("object_not_exists").wait(Bucket=bucket.name, Key="etcd/Incr-0", WaiterConfig=SOON)
    not_empty = code_of(bucket.delete)
    versions = len(list(bucket.object_versions.all()))
    bucket.object_versions.delete()
    bucket.delete()
    client.get_waiter("bucket_not_exists").wait(Bucket=bucket.name, WaiterConfig=SOON)
    return {
        "nowhere": nowhere,
        "large": read.getvalue() == large,
        "pages": pages,
        "not_empty": not_empty,
        "versions": versions,
        "gone": code_of(client.get_bucket_versioning, Bucket=bucket.name),
        "locked": locked(s3),
    }


def locked(s3):
    """A bucket that keeps what is in it: what can and what cannot be deleted."""
    client = s3.meta.client
    bucket = s3.create_bucket(
        Bucket="boto3-locked", CreateBucketConfiguration=ELSEWHERE, ObjectLockEnabledForBucket=True
    )
    rule = {"DefaultRetention": {"Mode": "GOVERNANCE", "Days": 1}}
    client.put_object_lock_configuration(
        Bucket=bucket.name, ObjectLockConfiguration={"ObjectLockEnabled": "Enabled", "Rule": rule}
    )
    version = bucket.put_object(Key="kept", Body=b"kept").version_id
    refused = client.delete_objects(Bucket=bucket.name, Delete={"Objects": [{"Key": "kept", "VersionId": version}]})
    client.delete_object(Bucket=bucket.name, Key="kept", VersionId=version, BypassGovernanceRetention=True)
    bucket.delete()
    return [each["Code"] for each in refused["Errors"]]
