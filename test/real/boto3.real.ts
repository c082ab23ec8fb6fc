import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pythonClient } from './aws/python-client.ts'
import { listenQuickly, type QuickSimulator } from './aws/quick-simulator.ts'
import { webIdentityToken } from './aws/web-identity-token.ts'
import { describeWith } from './with-part.ts'

/** The expected results of a drive, by its name in `python/drive_simulator.py`. */
const drives: readonly (readonly [drive: string, seen: object])[] = [
  [
    'route53',
    {
      pages: 3,
      listed: [
        '\\052.boto3.example.com.',
        'host-0.boto3.example.com.',
        'host-1.boto3.example.com.',
        'host-2.boto3.example.com.',
      ],
      not_empty: ['HostedZoneNotEmpty', 400],
      absent: ['InvalidChangeBatch', 400],
      gone: ['NoSuchHostedZone', 404],
    },
  ],
  [
    'sts',
    {
      caller: '123456789012',
      assumed: 'arn:aws:sts::123456789012:assumed-role/dns/boto3',
      no_token: ['InvalidIdentityToken', 400],
    },
  ],
  [
    'ec2_network',
    {
      nat: 'pending',
      name: 'boto3',
      twice: ['InvalidPermission.Duplicate', 400],
      held: ['DependencyViolation', 400],
      in_use: ['AuthFailure', 400],
      interfaces: ['nat_gateway'],
      pages: [5, 2],
      permissions: [[{ CidrIp: '10.250.0.0/16' }]],
      not_empty: ['DependencyViolation', 400],
      gone: ['InvalidVpcID.NotFound', 400],
      dry_run: ['DryRunOperation', 412],
    },
  ],
  [
    'ec2_machines',
    {
      states: ['pending', 'running'],
      user_data: '#!/bin/sh\n',
      tokens: 'required',
      volume: [20, 'gp3', 'in-use'],
      unknown_image: ['InvalidAMIID.NotFound', 400],
      volume_gone: ['InvalidVolume.NotFound', 400],
    },
  ],
  [
    'iam',
    {
      trust: true,
      policy: true,
      policies: ['machines'],
      roles: ['boto3'],
      profiles: ['boto3'],
      twice: ['EntityAlreadyExists', 409],
      malformed: ['MalformedPolicyDocument', 400],
      held: ['DeleteConflict', 409],
      pages: [['page-0', 'page-1'], ['page-2']],
      gone: ['NoSuchEntity', 404],
    },
  ],
  [
    's3',
    {
      nowhere: ['IllegalLocationConstraintException', 400],
      large: true,
      pages: [['etcd/Incr-0', 'etcd/Incr-1'], ['etcd/Incr-2']],
      not_empty: ['BucketNotEmpty', 409],
      versions: 5,
      gone: ['NoSuchBucket', 404],
      locked: ['AccessDenied'],
    },
  ],
  [
    'load_balancers',
    {
      classic: { pages: [2, 1], tags: ['0', '1', '2'], gone: ['LoadBalancerNotFound', 400] },
      network: {
        first: 'provisioning',
        type: 'network',
        in_use: ['ResourceInUse', 400],
        gone: ['LoadBalancerNotFound', 400],
        group_gone: ['TargetGroupNotFound', 400],
      },
    },
  ],
  [
    'efs',
    {
      first: 'creating',
      name: 'boto3',
      twice: ['FileSystemAlreadyExists', 409],
      in_use: ['FileSystemInUse', 409],
      gone: ['FileSystemNotFound', 404],
    },
  ],
]

describeWith('python', 'boto3 drives the AWS simulator', programs => {
  let simulator: QuickSimulator
  let seen: Record<string, unknown>
  beforeAll(async () => {
    simulator = await listenQuickly()
    const script = join(import.meta.dirname, 'python', 'drive_simulator.py')
    seen = JSON.parse(await pythonClient(programs, simulator.url)(script, webIdentityToken))
  })
  afterAll(() => simulator?.close())

  test.each(drives)('%s', (drive, expected) => {
    expect(seen[drive]).toEqual(expected)
  })

  test('the test knows every drive', () => {
    expect(Object.keys(seen)).toEqual(drives.map(([drive]) => drive))
  })

  test('no drive calls an action that the simulator lacks', () => {
    expect(simulator.aws.notBuilt.all()).toEqual([])
  })
})
