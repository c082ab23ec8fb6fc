import { CreateVpcCommand, EC2Client, type ResourceType, RunInstancesCommand } from '@aws-sdk/client-ec2'
import { CreateFileSystemCommand, CreateMountTargetCommand, EFSClient } from '@aws-sdk/client-efs'
import * as elb from '@aws-sdk/client-elastic-load-balancing'
import {
  AddRoleToInstanceProfileCommand,
  CreateInstanceProfileCommand,
  CreateRoleCommand,
  IAMClient,
} from '@aws-sdk/client-iam'
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { expect, test } from 'vitest'
import { createAws } from './simulator.ts'
import { clientSettings, failureOf } from './testing/clients.ts'

const Bucket = 'backup'
const Tags = [{ Key: 'k', Value: 'v' }]
const TagSpecifications = [{ ResourceType: 'vpc' as ResourceType, Tags }]
const trust = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { Service: 'ec2.amazonaws.com' }, Action: 'sts:AssumeRole' }],
})

/** Creates clients with a key that the patterns allow. */
const allowed = (...allow: string[]) => {
  const aws = createAws()
  aws.account().register({ accessKeyId: 'AKIASOME', secretAccessKey: 's', allow })
  const settings = clientSettings(aws, { accessKeyId: 'AKIASOME', secretAccessKey: 's' })
  return {
    ec2: new EC2Client(settings),
    iam: new IAMClient(settings),
    s3: new S3Client(settings),
    efs: new EFSClient(settings),
    elb: new elb.ElasticLoadBalancingClient(settings),
    owner: new S3Client(clientSettings(aws)),
  }
}

type Clients = ReturnType<typeof allowed>

const listeners = [{ Protocol: 'tcp', LoadBalancerPort: 443, InstancePort: 30_443 }]

test.each<
  [what: string, allow: string[], call: (clients: Clients) => Promise<unknown>, missing: string, code: string]
>([
  [
    'a VPC made with tags',
    ['ec2:CreateVpc'],
    ({ ec2 }) => ec2.send(new CreateVpcCommand({ CidrBlock: '10.0.0.0/16', TagSpecifications })),
    'ec2:CreateTags',
    'UnauthorizedOperation',
  ],
  [
    'an instance with a profile',
    ['ec2:*'],
    ({ ec2 }) =>
      ec2.send(new RunInstancesCommand({ MinCount: 1, MaxCount: 1, IamInstanceProfile: { Name: 'nodes' } })),
    'iam:PassRole',
    'UnauthorizedOperation',
  ],
  [
    'a role put into a profile',
    ['iam:AddRoleToInstanceProfile'],
    ({ iam }) =>
      iam.send(new AddRoleToInstanceProfileCommand({ InstanceProfileName: 'nodes', RoleName: 'nodes' })),
    'iam:PassRole',
    'AccessDenied',
  ],
  [
    'a role made with tags',
    ['iam:CreateRole'],
    ({ iam }) =>
      iam.send(new CreateRoleCommand({ RoleName: 'nodes', AssumeRolePolicyDocument: trust, Tags })),
    'iam:TagRole',
    'AccessDenied',
  ],
  [
    'a load balancer made with tags',
    ['elasticloadbalancing:CreateLoadBalancer'],
    client =>
      client.elb.send(
        new elb.CreateLoadBalancerCommand({ LoadBalancerName: 'a', Listeners: listeners, Tags }),
      ),
    'elasticloadbalancing:AddTags',
    'AccessDenied',
  ],
  [
    'a file system made with tags',
    ['elasticfilesystem:CreateFileSystem'],
    ({ efs }) => efs.send(new CreateFileSystemCommand({ CreationToken: 'uid', Tags })),
    'elasticfilesystem:TagResource',
    'AccessDeniedException',
  ],
  [
    'a mount target, which gets an interface',
    ['elasticfilesystem:*'],
    ({ efs }) => efs.send(new CreateMountTargetCommand({ FileSystemId: 'fs-1', SubnetId: 'subnet-1' })),
    'ec2:DescribeSubnets',
    'AccessDeniedException',
  ],
  [
    'a bucket with object lock',
    ['s3:CreateBucket'],
    ({ s3 }) =>
      s3.send(
        new CreateBucketCommand({
          Bucket,
          ObjectLockEnabledForBucket: true,
          CreateBucketConfiguration: { LocationConstraint: 'eu-west-1' },
        }),
      ),
    's3:PutBucketVersioning',
    'AccessDenied',
  ],
  [
    'a version that is read',
    ['s3:GetObject'],
    ({ s3 }) => s3.send(new GetObjectCommand({ Bucket, Key: 'k', VersionId: 'null' })),
    's3:GetObjectVersion',
    'AccessDenied',
  ],
  [
    'a version that is deleted',
    ['s3:DeleteObject'],
    ({ s3 }) => s3.send(new DeleteObjectCommand({ Bucket, Key: 'k', VersionId: 'null' })),
    's3:DeleteObjectVersion',
    'AccessDenied',
  ],
])('%s needs more than the permission for its operation', async (_, allow, call, missing, code) => {
  const failure = await failureOf(call(allowed(...allow)))
  expect(failure.name).toBe(code)
  expect(failure.message).toContain(`not authorized to perform: ${missing}`)
})

test('a creation without tags needs only the permission for its operation', async () => {
  const { iam, ec2 } = allowed('iam:CreateInstanceProfile', 'ec2:CreateVpc')
  await iam.send(new CreateInstanceProfileCommand({ InstanceProfileName: 'nodes' }))
  await ec2.send(new CreateVpcCommand({ CidrBlock: '10.0.0.0/16' }))
})

test('the response lists each key that may not be deleted', async () => {
  const { s3, owner } = allowed('s3:DeleteObject')
  const CreateBucketConfiguration = { LocationConstraint: 'eu-west-1' } as const
  await owner.send(new CreateBucketCommand({ Bucket, CreateBucketConfiguration }))
  for (const Key of ['a', 'b']) await owner.send(new PutObjectCommand({ Bucket, Key, Body: 'x' }))
  const Objects = [{ Key: 'a' }, { Key: 'b', VersionId: 'null' }]
  const { Deleted, Errors } = await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }))
  expect(Deleted).toEqual([{ Key: 'a' }])
  expect(Errors).toMatchObject([{ Key: 'b', VersionId: 'null', Code: 'AccessDenied' }])
})
