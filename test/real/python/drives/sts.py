import boto3

from .refusals import code_of


def drive(token):
    sts = boto3.client("sts")
    session = sts.assume_role_with_web_identity(
        RoleArn="arn:aws:iam::123456789012:role/dns", RoleSessionName="boto3", WebIdentityToken=token
    )["Credentials"]
    assumed = boto3.client(
        "sts",
        aws_access_key_id=session["AccessKeyId"],
        aws_secret_access_key=session["SecretAccessKey"],
        aws_session_token=session["SessionToken"],
    )
    return {
        "caller": sts.get_caller_identity()["Account"],
        "assumed": assumed.get_caller_identity()["Arn"],
        "no_token": code_of(
            sts.assume_role_with_web_identity,
            RoleArn="arn:aws:iam::123456789012:role/dns",
            RoleSessionName="boto3",
            WebIdentityToken="no.real.token",
        ),
    }
