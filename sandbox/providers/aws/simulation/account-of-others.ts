import * as ec2 from '@aws-sdk/client-ec2'
import { CreateRoleCommand, IAMClient } from '@aws-sdk/client-iam'
import { ChangeResourceRecordSetsCommand, Route53Client } from '@aws-sdk/client-route-53'
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { operator } from '../account-contents.ts'
import { furnishedZone } from '../furnished-zone.ts'
import type { Aws } from '../simulator/aws.ts'

/**
 * Creates resources in an account that do not belong to Gardener: a network with a machine, a role, a bucket, a record.
 *
 * @param appears waits until other calls see a new resource. Default: at once.
 */
export const moveIn = async (aws: Aws, appears = async (): Promise<void> => {}): Promise<void> => {
  const settings = operator(aws.requestHandler)
  const client = new ec2.EC2Client(settings)
  const tagged = (ResourceType: ec2.ResourceType) => ({
    TagSpecifications: [{ ResourceType, Tags: [{ Key: 'Name', Value: 'others' }] }],
  })
  const { Vpc } = await client.send(new ec2.CreateVpcCommand({ CidrBlock: '10.9.0.0/16', ...tagged('vpc') }))
  await appears()
  const { Subnet } = await client.send(
    new ec2.CreateSubnetCommand({ VpcId: Vpc?.VpcId, CidrBlock: '10.9.1.0/24', ...tagged('subnet') }),
  )
  await appears()
  await client.send(
    new ec2.RunInstancesCommand({
      ImageId: 'ami-009357e51d0a076d6',
      InstanceType: 'm5.large',
      MinCount: 1,
      MaxCount: 1,
      SubnetId: Subnet?.SubnetId,
      ...tagged('instance'),
    }),
  )
  await new IAMClient(settings).send(
    new CreateRoleCommand({
      RoleName: 'others',
      AssumeRolePolicyDocument: JSON.stringify({
        Version: '2012-10-17',
        Statement: [
          { Effect: 'Allow', Principal: { Service: 'ec2.amazonaws.com' }, Action: 'sts:AssumeRole' },
        ],
      }),
    }),
  )
  await new S3Client(settings).send(
    new CreateBucketCommand({
      Bucket: 'bucket-of-others',
      CreateBucketConfiguration: { LocationConstraint: 'eu-west-1' },
    }),
  )
  await putObject(aws, 'bucket-of-others', 'shoot--garden--iris/notes')
  await new Route53Client(settings).send(
    new ChangeResourceRecordSetsCommand({
      HostedZoneId: furnishedZone.id,
      ChangeBatch: {
        Changes: [
          {
            Action: 'CREATE',
            ResourceRecordSet: {
              Name: `others.${furnishedZone.name}`,
              Type: 'A',
              TTL: 60,
              ResourceRecords: [{ Value: '198.51.100.7' }],
            },
          },
        ],
      },
    }),
  )
}

/** Puts an object as etcd does with its backups. */
export const putObject = async (aws: Aws, Bucket: string, Key: string): Promise<void> => {
  await new S3Client(operator(aws.requestHandler)).send(new PutObjectCommand({ Bucket, Key, Body: 'backup' }))
}
