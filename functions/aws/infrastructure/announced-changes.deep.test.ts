import { AllocateAddressCommand, CreateTagsCommand, DescribeVpcsCommand } from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import {
  desiredInfrastructure,
  disruptiveChanges,
} from '../../../terraform-free-infra/aws/infrastructure/rules.ts'
import { startAccount } from './testing/account.ts'
import { type ConfigParts, clusterOf, configOf, zones } from './testing/objects.ts'

/** `eip-1` and `eip-2` stand for addresses of the user. */
interface Update {
  readonly former: ConfigParts
  readonly next: ConfigParts
  readonly lines: readonly string[]
  /** IP families of the shoot before and after. */
  readonly families?: readonly [readonly string[], readonly string[]]
}

const pinned = (...ids: readonly (string | undefined)[]) => ({
  zones: zones(ids.length).map((zone, index) => ({ ...zone, elasticIPAllocationID: ids[index] })),
})
const endpoints = (...gatewayEndpoints: readonly string[]) => ({
  vpc: { cidr: '10.250.0.0/16', gatewayEndpoints },
})
const ignored = (ignoreTags: object) => ({ rest: { ignoreTags } })
const gateway = 'replaces the NAT gateway in zone eu-west-1'

const updates: readonly (readonly [string, Update])[] = [
  [
    'an address',
    {
      former: pinned(undefined),
      next: pinned('eip-1'),
      lines: [`${gateway}a unless it has eip-1: its egress address changes`],
    },
  ],
  [
    'another address',
    { former: pinned('eip-1'), next: pinned('eip-2'), lines: [`${gateway}a: its egress address changes`] },
  ],
  [
    'no address',
    { former: pinned('eip-1'), next: pinned(undefined), lines: [`${gateway}a: its egress address changes`] },
  ],
  [
    'an address of one of two zones',
    {
      former: pinned('eip-1', undefined),
      next: pinned('eip-1', 'eip-2'),
      lines: [`${gateway}b unless it has eip-2: its egress address changes`],
    },
  ],
  ['a new zone', { former: pinned(undefined), next: pinned(undefined, undefined), lines: [] }],
  ['a new zone with an address', { former: pinned(undefined), next: pinned(undefined, 'eip-1'), lines: [] }],
  ['a gateway endpoint', { former: {}, next: endpoints('s3'), lines: [] }],
  [
    'one gateway endpoint less',
    {
      former: endpoints('s3', 'dynamodb'),
      next: endpoints('s3'),
      lines: ['deletes the gateway endpoint dynamodb: its traffic goes through the NAT gateways or ends'],
    },
  ],
  [
    'another order of gateway endpoints',
    { former: endpoints('s3', 'dynamodb'), next: endpoints('dynamodb', 's3'), lines: [] },
  ],
  [
    'no access to ECR',
    {
      former: {},
      next: { rest: { enableECRAccess: false } },
      lines: ['removes the right to pull images from ECR from the role of the nodes'],
    },
  ],
  ['access to ECR', { former: { rest: { enableECRAccess: false } }, next: {}, lines: [] }],
  ['ignored tags', { former: {}, next: ignored({ keys: ['team'] }), lines: [] }],
  [
    'no ignored tag',
    {
      former: ignored({ keys: ['team'] }),
      next: {},
      lines: ['no longer ignores the tag team: a reconcile removes it from the infrastructure'],
    },
  ],
  [
    'a narrower prefix of ignored tags',
    {
      former: ignored({ keyPrefixes: ['te'] }),
      next: ignored({ keyPrefixes: ['test/'] }),
      lines: ['no longer ignores the tags te*: a reconcile removes them from the infrastructure'],
    },
  ],
  [
    'a prefix in place of a key',
    { former: ignored({ keys: ['team'] }), next: ignored({ keyPrefixes: ['te'] }), lines: [] },
  ],
  ['IPv6 blocks', { former: {}, next: { rest: { dualStack: { enabled: true } } }, lines: [] }],
  ['two families', { former: {}, next: {}, lines: [], families: [['IPv4'], ['IPv4', 'IPv6']] }],
  [
    'IPv4 for nodes that had IPv6 alone',
    {
      former: {},
      next: {},
      lines: ['replaces the subnet of the nodes in zone eu-west-1a'],
      families: [['IPv6'], ['IPv6', 'IPv4']],
    },
  ],
  ['a file system', { former: {}, next: { rest: { elasticFileSystem: { enabled: true } } }, lines: [] }],
  ['the MTU', { former: {}, next: { rest: { enableMTUCustomizer: true } }, lines: [] }],
  ['nothing', { former: {}, next: {}, lines: [] }],
]

const ofShoot = (config: ConfigParts, ipFamilies: readonly string[]) =>
  desiredInfrastructure(
    {
      clusterName: 'shoot--foo--bar',
      uid: 'uid',
      region: 'eu-west-1',
      sshPublicKey: undefined,
      shoot: {
        uid: 'uid',
        networking: { ipFamilies, nodes: undefined, pods: undefined, services: undefined },
        networkConfig: undefined,
        workerConfigs: [],
        cloudProfile: undefined,
      },
    },
    configOf(config),
    {},
  ).desired

const ownVpc = [{ Name: 'cidr', Values: ['10.250.0.0/16'] }]

/** The calls of a reconcile that take something away. */
const disruptive = /^(?:Delete|Release|Disassociate|Detach|Remove|Terminate)/

describe('an update of the infrastructure', () => {
  test.each(updates)('with %s announces exactly what its reconcile removes', async (_, update) => {
    const { former, next, lines, families: [before, after] = [['IPv4'], ['IPv4']] } = update
    expect(disruptiveChanges(ofShoot(former, before), ofShoot(next, after))).toEqual(lines)

    const { shoot, ec2, writes } = startAccount()
    const ids: Record<string, string> = {}
    for (const name of ['eip-1', 'eip-2']) {
      const { AllocationId = '' } = await ec2.send(new AllocateAddressCommand({ Domain: 'vpc' }))
      ids[name] = AllocationId
    }
    const real = (config: ConfigParts): ConfigParts =>
      JSON.parse(
        JSON.stringify(config, (_, value) => (typeof value === 'string' ? (ids[value] ?? value) : value)),
      )
    const ours = shoot(real(former))
    await ours.until('reconcile', { cluster: clusterOf({ networking: { ipFamilies: before } }) })
    const { Vpcs = [] } = await ec2.send(new DescribeVpcsCommand({ Filters: ownVpc }))
    const vpcs = Vpcs.map(({ VpcId = '' }) => VpcId)
    expect(vpcs).toHaveLength(1)
    const isTagged = former.rest !== undefined && 'ignoreTags' in former.rest
    if (isTagged)
      await ec2.send(new CreateTagsCommand({ Resources: vpcs, Tags: [{ Key: 'team', Value: 'a' }] }))
    ours.change(real(next))
    writes()
    await ours.until('reconcile', { cluster: clusterOf({ networking: { ipFamilies: after } }) })

    const { Vpcs: tagged = [] } = await ec2.send(new DescribeVpcsCommand({ Filters: ownVpc }))
    const hasTag = tagged.some(({ Tags = [] }) => Tags.some(({ Key }) => Key === 'team'))
    const removals = writes().filter(action => disruptive.test(action))
    const count = (word: string) => lines.filter(line => line.includes(word)).length
    expect(removals.filter(action => action === 'DeleteNatGateway')).toHaveLength(count('NAT gateway in'))
    expect(removals.filter(action => action === 'DeleteVpcEndpoints')).toHaveLength(count('endpoint'))
    const others = removals.filter(
      // Tags are also deleted to remove marks of new resources.
      action => !['DeleteNatGateway', 'DeleteVpcEndpoints', 'DeleteSubnet', 'DeleteTags'].includes(action),
    )
    expect(removals.filter(action => action === 'DeleteSubnet')).toHaveLength(count('subnet of the nodes'))
    expect(hasTag).toBe(isTagged && count('longer ignores') === 0)
    // The address of a replaced gateway goes with it.
    expect([...new Set(others)].filter(action => action !== 'ReleaseAddress')).toEqual([])
    expect(others.length).toBeLessThanOrEqual(count('NAT gateway in'))
  })
})
