import type { DesiredExtensionObject } from '../../../../sandbox/gardenlet/gardenlet.ts'
import { landscape } from '../../../../sandbox/providers/aws/demo/whole-shoot.ts'
import type { AwsSide } from '../../../../sandbox/providers/aws/simulation/aws-side.ts'
import type { UserResources } from '../../../../sandbox/providers/aws/simulation/furnish-account.ts'
import type { World } from '../../../../sandbox/simulation/simulation.ts'
import type { Cast, Part, Spec } from '../cast.ts'
import { type Home, homes, region } from '../homes.ts'
import { accidentsOf, rowsIn } from './network-accidents.ts'

interface Zone {
  readonly name: string
  readonly elasticIPAllocationID?: string
}

interface Config {
  readonly networks: {
    readonly vpc: { readonly id?: string; readonly gatewayEndpoints?: readonly string[] }
    readonly zones: readonly Zone[]
  }
}

const zoneOf = (index: number): Zone => ({
  name: `${region}${index === 0 ? 'a' : 'b'}`,
  ...{
    workers: `10.250.${index * 32}.0/19`,
    public: `10.250.${96 + index * 4}.0/22`,
    internal: `10.250.${112 + index * 4}.0/22`,
  },
})

const networkOf = ({ namespace, name }: Home, config: object): DesiredExtensionObject => ({
  kind: 'Infrastructure',
  key: { name, namespace },
  spec: {
    type: 'aws',
    region,
    secretRef: { name: 'cloudprovider', namespace },
    sshPublicKey: landscape.sshPublicKey,
    providerConfig: {
      apiVersion: 'aws.provider.extensions.gardener.cloud/v1alpha1',
      kind: 'InfrastructureConfig',
      ...config,
    },
  },
})

const managed = { networks: { vpc: { cidr: '10.250.0.0/16' }, zones: [zoneOf(0)] } }

const dualStack = { dualStack: { enabled: true } }

const storage = { elasticFileSystem: { enabled: true } }

/** A network of one zone in a VPC of its own. */
export const managedNetwork = (home: Home): DesiredExtensionObject => networkOf(home, managed)

const zonesOf = (count: number): readonly Zone[] => [zoneOf(0), zoneOf(1)].slice(0, count)

/** A form of a network. `zones`: 1 or 2. */
interface Form {
  readonly config: (given: UserResources, zones: number) => { readonly networks: object }
  readonly zones?: 1
  /** It can have IPv6 addresses. */
  readonly isDual?: true
  /** The subnets are the user's, and so must be the file system. */
  readonly isOwn?: true
}

/** The most usual one first. Each may have two zones, IPv6 and a file system. */
const forms: readonly Form[] = [
  {
    config: (_, zones) => ({ networks: { vpc: { cidr: '10.250.0.0/16' }, zones: zonesOf(zones) } }),
    isDual: true,
  },
  { config: ({ vpc }, zones) => ({ networks: { vpc: { id: vpc }, zones: zonesOf(zones) } }) },
  {
    config: ({ addresses: [elasticIPAllocationID] }) => ({
      networks: { ...managed.networks, zones: [{ ...zoneOf(0), elasticIPAllocationID }] },
    }),
    zones: 1,
  },
  {
    config: (_, zones) => ({
      networks: {
        vpc: { cidr: '10.250.0.0/16', gatewayEndpoints: ['s3', 'dynamodb'] },
        zones: zonesOf(zones),
      },
    }),
    isDual: true,
  },
  {
    config: ({ own }, zones) => ({
      networks: {
        vpc: { id: own.vpc },
        nodesSecurityGroupID: own.group,
        zones: Object.entries(own.zones)
          .slice(0, zones)
          .map(([name, zone]) => ({
            name,
            workersSubnetID: zone.workers,
            publicSubnetID: zone.public,
            internalSubnetID: zone.internal,
          })),
      },
    }),
    isDual: true,
    isOwn: true,
  },
]

/** In the VPC of a user, in which others are. */
const inSharedVpc = ({ vpc }: UserResources): object => ({
  networks: { vpc: { id: vpc, gatewayEndpoints: ['s3'] }, zones: [zoneOf(0)] },
})

const withNetworks = (spec: Spec, change: (networks: Config['networks']) => Config['networks']): Spec => {
  const config = spec.providerConfig as Config
  return { ...spec, providerConfig: { ...config, networks: change(config.networks) } }
}

const withDualStack = (spec: Spec): Spec => ({
  ...spec,
  providerConfig: { ...Object(spec.providerConfig), ...dualStack },
})

const withZones = (spec: Spec, countOf: (zones: readonly Zone[]) => number): Spec =>
  withNetworks(spec, one => ({
    ...one,
    zones: [one.zones[0] ?? zoneOf(0), zoneOf(1)].slice(0, countOf(one.zones)),
  }))

const withEndpoints =
  (gatewayEndpoints: readonly string[]) =>
  (spec: Spec): Spec =>
    withNetworks(spec, ({ vpc, zones }) => ({ vpc: { ...vpc, gatewayEndpoints }, zones }))

/** A user takes the address that the NAT gateway of a zone already has, so that it outlives the shoot. */
const pinAddress =
  (home: Home) =>
  (spec: Spec, world: World<AwsSide>): Spec => {
    const [zone] = (spec.providerConfig as Config).networks.zones
    const [address] = rowsIn(world, home, 'addresses').filter(
      ({ tags }) => !JSON.stringify(tags).includes('created-for'),
    )
    const subnets = rowsIn(world, home, 'subnets').filter(row => row.zone === zone?.name)
    const isUsed = rowsIn(world, home, 'natGateways').some(
      ({ subnetId, addresses }) =>
        subnets.some(({ id }) => id === subnetId) &&
        [addresses].flat().some(one => Object(one).allocationId === address?.id),
    )
    if (!isUsed || zone === undefined) return spec
    const elasticIPAllocationID = String(address?.id)
    world.cloud.give(elasticIPAllocationID)
    return withNetworks(spec, one => ({
      ...one,
      zones: [{ ...zone, elasticIPAllocationID }, ...one.zones.slice(1)],
    }))
  }

/** Each is another key of a user, who rotates it. */
const sshKeys = ['g', 'h', 'i'].map(letter =>
  Buffer.from(
    `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4${letter} of@test`,
  ).toString('base64'),
)

const changesOf = ({ isOwn }: Form, home: Home): Part['changes'] => [
  ...sshKeys.map(sshPublicKey => (spec: Spec) => ({ ...spec, sshPublicKey })),
  ...(isOwn
    ? []
    : [
        // Zones cannot be removed.
        ...[1, 2, 1, 2].map(count => (spec: Spec) => withZones(spec, one => Math.max(count, one.length))),
        withEndpoints(['s3']),
        withEndpoints(['s3', 'dynamodb']),
        withEndpoints([]),
        pinAddress(home),
        pinAddress(home),
        // Dual stack cannot be disabled, and the VPC of the user has no IPv6.
        (spec: Spec) =>
          (spec.providerConfig as Config).networks.vpc.id === undefined ? withDualStack(spec) : spec,
      ]),
  spec => ({ ...spec, providerConfig: { ...Object(spec.providerConfig), ignoreTags: { keys: ['team'] } } }),
]

/** Networks of one shoot, or of two shoots in two accounts. */
export const networks: Cast = {
  name: 'networks',
  functions: ['aws-infrastructure'],
  from: 'empty',
  spanMs: 240_000,
  exchanges: 160,
  actions: [
    ...[
      'CreateVpc',
      'CreateSubnet',
      'CreateNatGateway',
      'AllocateAddress',
      'CreateRouteTable',
      'CreateRoute',
    ],
    ...['CreateSecurityGroup', 'AuthorizeSecurityGroupIngress', 'CreateInternetGateway', 'CreateVpcEndpoint'],
    ...[
      'AttachInternetGateway',
      'DescribeVpcs',
      'DescribeSubnets',
      'DescribeNatGateways',
      'DescribeAddresses',
    ],
    ...['DescribeSecurityGroups', 'DescribeRouteTables', 'DescribeInternetGateways', 'DescribeKeyPairs'],
    ...['DescribeDhcpOptions', 'DescribeNetworkInterfaces', 'DescribeVpcEndpoints', 'ImportKeyPair'],
    ...['DeleteVpc', 'DeleteSubnet', 'DeleteNatGateway', 'ReleaseAddress', 'DeleteRouteTable', 'DeleteTags'],
    ...['DeleteSecurityGroup', 'DeleteInternetGateway', 'DeleteDhcpOptions', 'DeleteKeyPair', 'CreateTags'],
  ]
    .concat(['AssociateVpcCidrBlock', 'AssociateRouteTable', 'AssociateDhcpOptions'])
    .map(action => `ec2:${action}`)
    .concat(
      [
        'GetRole',
        'GetInstanceProfile',
        'CreateRole',
        'PutRolePolicy',
        'DeleteRole',
        'AddRoleToInstanceProfile',
      ].map(action => `iam:${action}`),
      [
        'DescribeFileSystems',
        'CreateFileSystem',
        'CreateMountTarget',
        'DescribeMountTargets',
        'DeleteFileSystem',
        'DeleteMountTarget',
      ].map(action => `elasticfilesystem:${action}`),
      ['elb:DescribeLoadBalancers', 'elbv2:DescribeLoadBalancers'],
    ),
  parts: (random, given) => {
    const both = random.chance(0.15)
    return homes.slice(0, both ? 2 : 1).map(home => {
      const isShared = random.fork(`${home.namespace}, home of others`).chance(0.3)
      const form = (!isShared && random.chance(0.75) ? random.pick(forms) : forms[0]) as Form
      const own = given.get(home.account)
      if (own === undefined) throw new Error(`account ${home.account} is not furnished`)
      const zones = form.zones ?? random.pick([1, 1, 2])
      const more = {
        ...(!form.isOwn && random.chance(0.25) && storage),
        ...(form.isDual && random.chance(0.4) && dualStack),
      }
      const config = isShared ? inSharedVpc(own) : { ...form.config(own, zones), ...more }
      return {
        home,
        desired: networkOf(home, config),
        changes: changesOf(form, home),
        // Refused.
        unseen: [...changesOf(form, home), spec => withZones(spec, () => 1), withDualStack],
        canMove: true,
        canBeForced: true,
        inputs: ['another key', 'another account'],
        accidents: accidentsOf(home),
      }
    })
  },
}
