from botocore.exceptions import ClientError


def code_of(call, **parameters):
    """The code and HTTP status of a call's refusal; None when it succeeds."""
    try:
        call(**parameters)
        return None
    except ClientError as error:
        return [error.response["Error"]["Code"], error.response["ResponseMetadata"]["HTTPStatusCode"]]


# The simulator's time is short; the waiters' own 15 s and 30 s are not.
SOON = {"Delay": 0.05, "MaxAttempts": 200}
