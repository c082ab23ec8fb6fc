"""Drives an AWS endpoint with boto3, as a user's own scripts do, and prints what it saw as JSON.

The endpoint and the credentials come from the environment (AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID, ...).
The argument is a web identity token.
"""

import json
import sys

from drives import ec2_machines, ec2_network, efs, iam, load_balancers, route53, s3, sts

if __name__ == "__main__":
    print(
        json.dumps(
            {
                "route53": route53.drive(),
                "sts": sts.drive(sys.argv[1]),
                "ec2_network": ec2_network.drive(),
                "ec2_machines": ec2_machines.drive(),
                "iam": iam.drive(),
                "s3": s3.drive(),
                "load_balancers": load_balancers.drive(),
                "efs": efs.drive(),
            }
        )
    )
