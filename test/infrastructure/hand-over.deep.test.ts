import { DescribeTagsCommand } from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { withoutMemory } from '../../terraform-free-infra/engine/engine.ts'
import { madeShoot } from './made-shoot.ts'
import { dataOf } from './recorded-shoot.ts'
import { type ShapeName, shapes } from './shapes.ts'
import { infrastructureState, infrastructureStatus } from './shapes-of-go.ts'

const identity = ['IAMRoleName', 'IAMRoleARN', 'IAMInstanceProfileName', 'IAMRolePolicyName']
const everywhere = [
  'CreatedFor',
  'AccountID',
  'VPC',
  'NodesSecurityGroup',
  'KeyPair',
  'KeyPairFingerprint',
  'KeyPairSpecFingerprint',
  ...identity,
]
const network = ['InternetGateway', 'MainRouteTable', 'EgressCIDRs']
const ownVpc = ['DHCPOptions', 'DefaultSecurityGroup']
const subnets = ['SubnetWorkers', 'SubnetPublicUtility', 'SubnetPrivateUtility']
const associations = [
  'SubnetPublicRouteTableAssoc',
  'SubnetPrivateRouteTableAssoc',
  'SubnetWorkersRouteTableAssoc',
]
const zone = ['Suffix', ...subnets, 'NATGateway', 'ZoneRouteTable', ...associations]
const ipv6 = ['EgressOnlyInternetGateway', 'VPCIPv6CidrBlock', 'ServiceCIDR']

/** The keys that the Go extension writes, and reads when it takes over. */
const needed: Readonly<
  Record<ShapeName, { readonly once: readonly string[]; readonly zone: readonly string[] }>
> = {
  standard: { once: [...network, ...ownVpc], zone: [...zone, 'NATGatewayElasticIP'] },
  'gateway endpoint': {
    once: [...network, ...ownVpc, 'VPCEndpoints/s3'],
    zone: [...zone, 'NATGatewayElasticIP'],
  },
  'file system': { once: [...network, ...ownVpc, 'efsSystemID'], zone: [...zone, 'NATGatewayElasticIP'] },
  'dual stack': { once: [...network, ...ownVpc, ...ipv6], zone: [...zone, 'NATGatewayElasticIP'] },
  'IPv6 only': { once: [...network, ...ownVpc, ...ipv6], zone: [...zone, 'NATGatewayElasticIP'] },
  'existing VPC': { once: network, zone: [...zone, 'NATGatewayElasticIP'] },
  'own subnets': {
    once: [],
    zone: ['Suffix', ...subnets, ...subnets.map(kind => `${kind}CIDR`), 'ZoneRouteTable'],
  },
  'own addresses': { once: [...network, ...ownVpc], zone },
}
const cases = (Object.keys(needed) as ShapeName[]).flatMap(shape =>
  (shape === 'own addresses' ? [1, 2] : [1, 3]).map(count => ({ shape, count })),
)

describe('a shoot that is created here and handed over to the Go extension', () => {
  test.each(cases)('$shape, zones: $count', async ({ shape, count }) => {
    const { status, again } = await madeShoot(shapes[shape](count))

    // The Go extension decodes both strictly.
    const providerStatus = infrastructureStatus.parse(status.providerStatus)
    const { data } = infrastructureState.parse(status.state)

    // The Go extension finds all resources by the ids of the state.
    const zones = ['a', 'b', 'c'].slice(0, count).map(letter => `eu-west-1${letter}`)
    const { once, zone } = needed[shape]
    const mountTargets = Object.keys(data).filter(key => key.startsWith('efsMountTargets/'))
    expect(mountTargets).toHaveLength(shape === 'file system' ? count : 0)
    expect(Object.keys(withoutMemory(data)).toSorted()).toEqual(
      [
        ...everywhere,
        ...once,
        ...mountTargets,
        ...zones.flatMap(name => zone.map(key => `Zones/${name}/${key}`)),
      ].toSorted(),
    )
    expect(providerStatus.vpc.subnets?.map(({ zone, purpose }) => `${zone} ${purpose}`)).toEqual(
      zones.flatMap(name => ['nodes', 'internal', 'public'].map(purpose => `${name} ${purpose}`)),
    )

    // It also finds them by their tags, and ignores resources with other tags.
    const { ec2 } = again().hands
    const Filters = [{ Name: 'key', Values: ['kubernetes.io/cluster/shoot--foo--bar'] }]
    const { Tags = [] } = await ec2.send(new DescribeTagsCommand({ Filters }))
    const owned = Tags.filter(({ Value }) => Value === 'owned').map(({ ResourceId }) => ResourceId)
    const tagged = /^(?:vpc|dopt|igw|eigw|rtb|sg|subnet|eipalloc|nat|vpce)-/
    const ids = Object.entries(data).flatMap(([key, value]) =>
      tagged.test(value) && key !== 'DefaultSecurityGroup' && !key.endsWith('Assoc') ? [value] : [],
    )
    const ofUser = shape === 'existing VPC' ? [data.VPC, data.InternetGateway] : []
    const expected =
      shape === 'own subnets' ? [data.NodesSecurityGroup] : ids.filter(id => !ofUser.includes(id))
    expect(owned.filter(id => tagged.test(id ?? '')).toSorted()).toEqual(expected.toSorted())
  })
})

describe('a shoot that is handed over and back', () => {
  test.each(cases)(
    '$shape, zones: $count: nothing is written, and the state is unchanged',
    async ({ shape, count }) => {
      const { again, status } = await madeShoot(shapes[shape](count))
      // Keys that a conversion from Terraform and an aborted deletion leave behind.
      const marked = { MigratedFromTerraform: 'true', TerraformCleanedUp: 'true' }
      const { reconcile, steps } = again(current => ({
        ...current,
        state: { ...(current.state as object), data: { ...dataOf(current), ...marked } },
        // In the random order of a Go map.
        providerStatus: {
          ...current.providerStatus,
          vpc: reversedSubnets((current.providerStatus as { vpc: { subnets: unknown[] } }).vpc),
        },
      }))
      expect(await reconcile()).toEqual([])
      expect(dataOf(steps.status())).toEqual({ ...dataOf(status), ...marked })
      expect(steps.status().providerStatus).toEqual(status.providerStatus)
    },
  )
})

const reversedSubnets = (vpc: { readonly subnets: readonly unknown[] }) => ({
  ...vpc,
  subnets: vpc.subnets.toReversed(),
})
