import { CreateVpcCommand, EC2Client } from '@aws-sdk/client-ec2'
import { DescribeFileSystemsCommand, EFSClient } from '@aws-sdk/client-efs'
import { describe, expect, test } from 'vitest'
import { withoutMemory } from '../../../terraform-free-infra/engine/engine.ts'
import { makeVpc } from '../../../test/infrastructure/account.ts'
import { startAccount } from './testing/account.ts'
import { operator } from './testing/account-contents.ts'
import { clusterOf, type ObjectParts, zones } from './testing/objects.ts'
import { stepsOver } from './testing/steps.ts'

const setUp = async () => {
  const account = startAccount()
  const { aws } = account
  const user = await makeVpc(aws.requestHandler)
  return {
    ...account,
    user: user.get('vpc-00000000000000001') ?? '',
    before: await account.contents(),
    // Reading the groups of a mount target takes another call, so the step sets them without a read.
    writes: () => account.writes().filter(action => action !== 'ModifyMountTargetSecurityGroups'),
  }
}

interface Variant {
  readonly parts: ObjectParts
  readonly ipFamilies: readonly string[]
  readonly isUsers?: boolean
}

const own = { vpc: { cidr: '10.250.0.0/16', gatewayEndpoints: ['s3'] } }
const ipv6 = { ...own, rest: { dualStack: { enabled: true } } }

/** The variants of the Go extension's integration tests (test/integration/infrastructure). */
const variants: readonly (readonly [string, Variant])[] = [
  ['a managed VPC', { parts: own, ipFamilies: ['IPv4'] }],
  ['EFS', { parts: { ...own, rest: { elasticFileSystem: { enabled: true } } }, ipFamilies: ['IPv4'] }],
  ['dual-stack ingress', { parts: ipv6, ipFamilies: ['IPv4'] }],
  ['IPv6', { parts: { ...ipv6, zones: zones(2) }, ipFamilies: ['IPv6'] }],
  ['IPv4 and IPv6', { parts: ipv6, ipFamilies: ['IPv4', 'IPv6'] }],
  ['a VPC of the user', { parts: own, ipFamilies: ['IPv4'], isUsers: true }],
  [
    'a VPC of the user and EFS',
    {
      parts: { ...own, rest: { elasticFileSystem: { enabled: true } } },
      ipFamilies: ['IPv4'],
      isUsers: true,
    },
  ],
  ['three zones', { parts: { ...own, zones: zones(3) }, ipFamilies: ['IPv4'] }],
]

describe.each(variants)('a lost state, with %s', (_, { parts: { vpc, ...rest }, ipFamilies, isUsers }) => {
  const made = async (key: object = {}) => {
    const world = await setUp()
    const parts: ObjectParts = {
      ...rest,
      ...key,
      vpc: isUsers ? { id: world.user, gatewayEndpoints: ['s3'] } : (vpc ?? {}),
    }
    const defaults = { cluster: clusterOf({ networking: { ipFamilies } }) }
    const shoot = stepsOver(world.aws.requestHandler, world.clock, parts, defaults)
    await shoot.until('reconcile')
    /** The same shoot, after its object was recreated from its remains. */
    const again = (more: ObjectParts = {}) =>
      stepsOver(world.aws.requestHandler, world.clock, { ...parts, ...more }, defaults)
    return { ...world, shoot, again }
  }

  test.each([
    ['comes back the same', {}],
    ['comes back the same without an SSH key', { spec: { sshPublicKey: undefined } as never }],
  ])('%s, and a deletion leaves nothing', async (_, key) => {
    const { shoot, again, writes, contents, before } = await made(key)
    const all = await contents()
    writes()
    const recovered = again()
    await recovered.until('reconcile')
    expect(lastingState(recovered)).toEqual(lastingState(shoot))
    expect(recovered.status().providerStatus).toEqual(shoot.status().providerStatus)
    expect(writes()).toEqual([])
    expect(await contents()).toEqual(all)
    await recovered.until('remove')
    expect(await contents()).toEqual(before)
  })

  test('leaves nothing after the shoot is deleted', async () => {
    const { again, contents, before } = await made()
    await again().until('remove')
    expect(await contents()).toEqual(before)
  })

  test('is recovered even if the object was recreated', async () => {
    const { shoot, again, writes, contents, before } = await made()
    writes()
    const other = again({ metadata: { uid: 'created-again' } })
    await other.until('reconcile')
    expect(lastingState(other)).toEqual(lastingState(shoot))
    expect(writes()).toEqual([])
    await other.until('remove')
    expect(await contents()).toEqual(before)
  })
})

/** The state without what AWS may not show yet. */
const lastingState = ({ status }: { readonly status: () => { readonly state?: unknown } }) => {
  const { data, ...state } = Object(status().state)
  return { ...state, data: withoutMemory(data) }
}

describe('a VPC with the tags of the cluster', () => {
  const tags = {
    TagSpecifications: [
      {
        ResourceType: 'vpc' as const,
        Tags: [
          { Key: 'kubernetes.io/cluster/shoot--foo--bar', Value: 'owned' },
          { Key: 'Name', Value: 'shoot--foo--bar' },
        ],
      },
    ],
  }

  test('beside the lost one: a step adopts neither until the operator names one', async () => {
    const { aws, clock, contents, before } = await setUp()
    const ec2 = new EC2Client(operator(aws.requestHandler))
    const shoot = stepsOver(aws.requestHandler, clock)
    await shoot.until('reconcile')
    const { Vpc } = await ec2.send(new CreateVpcCommand({ CidrBlock: '10.250.0.0/16', ...tags }))
    const { VPC = '' } = (shoot.status().state as { data: Record<string, string> }).data
    const annotations = { 'trellis.gardener.cloud/adopt-vpc': VPC }
    const recovered = stepsOver(aws.requestHandler, clock, { metadata: { annotations } })
    await recovered.until('reconcile')
    expect(lastingState(recovered)).toEqual(lastingState(shoot))
    await recovered.until('remove')
    expect((await contents()).filter(line => !before.includes(line)).join('\n')).toContain(Vpc?.VpcId)
  })
})

test('the file system is identified by the uid of the shoot', async () => {
  const { aws, clock } = await setUp()
  const efs = new EFSClient(operator(aws.requestHandler))
  const parts = { rest: { elasticFileSystem: { enabled: true } } }
  await stepsOver(aws.requestHandler, clock, parts).until('reconcile')
  await stepsOver(aws.requestHandler, clock, parts).until('reconcile')
  expect((await efs.send(new DescribeFileSystemsCommand({}))).FileSystems).toHaveLength(1)
})
