import fc from 'fast-check'
import { shootObjects } from '../../../../sandbox/stepped-seed/stepped-seed.ts'
import { kinds } from '../../../../shared/contract/kinds.ts'
import {
  cidrProblems,
  cloudProfileProblems,
  configProblems,
  configSchema,
  decodeConfig,
  updateProblems,
} from '../../../../terraform-free-infra/aws/infrastructure/rules.ts'
import { makeAddresses, makeSubnets, makeVpc } from '../../../infrastructure/account.ts'
import { absent, arbitraryOf, schemaOf } from '../space/arbitrary-of.ts'
import { refusedCalls, withoutKey } from '../space/troubles.ts'
import type { Configuration, WalkSpace } from '../space/walk-space.ts'
import { preparedAccount } from '../world/prepared-account.ts'

const namespace = 'shoot--garden--rose'
const region = 'eu-west-1'
const letters = ['a', 'b', 'c'] as const

/** Ids of the user's resources, which `prepare` creates. */
const own = (kind: string, letter: string, number: number) => `${kind}-0000000000000${letter}00${number}`

const zoneOf = (letter: (typeof letters)[number], index: number) =>
  fc.record({
    name: fc.constant(`${region}${letter}`),
    workers: fc.constant(`10.250.${index * 32}.0/19`),
    public: fc.constant(`10.250.${96 + index * 4}.0/22`),
    internal: fc.constant(`10.250.${112 + index * 4}.0/22`),
    // Two zones cannot share an address. The account has two.
    ...(letter !== 'c' && { elasticIPAllocationID: fc.constantFrom(undefined, own('eipalloc', letter, 1)) }),
  })

const ownZoneOf = (letter: string) =>
  fc.constant({
    name: `${region}${letter}`,
    workersSubnetID: own('subnet', letter, 1),
    publicSubnetID: own('subnet', letter, 2),
    internalSubnetID: own('subnet', letter, 3),
  })

/** The zones of a shoot: one more or fewer is a change. A zone that the region lacks is refused. */
const listOf = <Z>(zoneIn: (letter: (typeof letters)[number], index: number) => fc.Arbitrary<Z>) =>
  fc.integer({ min: 1, max: 3 }).chain(count => fc.tuple(...letters.slice(0, count).map(zoneIn)))

const strange = fc.constant([
  { name: `${region}x`, workers: '10.250.0.0/19', public: '10.250.96.0/22', internal: '10.250.112.0/22' },
])

const shapes = { managed: 8, existing: 2, own: 2 } as const
type Shape = keyof typeof shapes

/** Mostly the same value for a shoot; a change is refused. */
const nearly = <T>(value: T, other: T) =>
  fc.oneof({ weight: 30, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: fc.constant(other) })

interface ShootChoice {
  readonly shape: Shape
  readonly efs: boolean
  readonly tenancy: boolean | undefined
}

const configOf = ({ shape, efs, tenancy }: ShootChoice) =>
  arbitraryOf(schemaOf(configSchema), {
    apiVersion: fc.constant('aws.provider.extensions.gardener.cloud/v1alpha1'),
    'networks.vpc.id':
      shape === 'managed' ? absent : fc.constant(shape === 'own' ? 'vpc-00000000000000001' : 'vpc-existing'),
    'networks.vpc.cidr': shape === 'managed' ? fc.constant('10.250.0.0/16') : absent,
    'networks.vpc.gatewayEndpoints': shape === 'own' ? absent : fc.subarray(['s3', 'dynamodb']),
    'networks.vpc.ipv6IpamPool': absent,
    'networks.nodesSecurityGroupID': absent,
    'networks.zones':
      shape === 'own'
        ? listOf(ownZoneOf)
        : fc.oneof({ weight: 12, arbitrary: listOf(zoneOf) }, { weight: 1, arbitrary: strange }),
    enableDedicatedTenancyForVPC: shape === 'managed' ? nearly(tenancy, true) : absent,
    elasticFileSystem:
      shape === 'own'
        ? absent
        : efs
          ? nearly({ enabled: true }, { enabled: false })
          : fc.constantFrom(undefined, {}, { enabled: false }),
    // The user's VPC has no IPv6 block.
    ...(shape !== 'managed' && { dualStack: absent }),
    'ignoreTags.keys': fc.constantFrom(undefined, ['team'], ['team', 'owner'], ['owner'], [], ['Name']),
    'ignoreTags.keyPrefixes': fc.constantFrom(undefined, ['cost-']),
  })

const key = (text: string) => Buffer.from(text).toString('base64')
const keys = [
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJTWEEGTZBxg4zPWyAO0zKfNO0BkQ7yTFNo6WyQpXLtd gardener@test',
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIO3Z9Vh0mLx4YnqLXOSSa3SvRk1fJ9fz3vqkvlU8G8oE gardener@test',
]

const specOf = (choice: ShootChoice) =>
  arbitraryOf(schemaOf(kinds.Infrastructure.schema.shape.spec), {
    type: fc.constant('aws'),
    class: absent,
    providerConfig: configOf(choice),
    region: fc.constant(region),
    'secretRef.name': fc.constant('cloudprovider'),
    'secretRef.namespace': fc.constant(namespace),
    sshPublicKey: fc.constantFrom(undefined, ...keys.map(key)),
  })

const families = fc.oneof(
  { weight: 6, arbitrary: fc.constant(['IPv4']) },
  fc.constant(['IPv4', 'IPv6']),
  fc.constant(['IPv6']),
)

/** Shoots of a shape. A shoot with IPv4 may get IPv6, and a file system. */
const shootOf = (shape: Shape) =>
  fc
    .record({
      efs: fc.boolean(),
      tenancy: fc.constantFrom(undefined, undefined, false, true),
      first: shape === 'managed' ? families : fc.constant(['IPv4']),
    })
    .map(
      ({ first, ...choice }) =>
        fc.record({
          spec: specOf({ shape, ...choice }),
          families:
            first.join() === 'IPv4' && shape === 'managed'
              ? fc.constantFrom(first, first, first, ['IPv4', 'IPv6'])
              : fc.constant(first),
          overlay: fc.boolean(),
        }) as fc.Arbitrary<Configuration>,
    )

const networking = { nodes: '10.250.0.0/16', pods: '100.96.0.0/11', services: '100.64.0.0/13' }

/** The rules of admission (functions/aws/webhooks/shoot/infrastructure-problems.ts). */
const isAdmitted = (before: Configuration | undefined, after: Configuration): boolean => {
  const decoded = decodeConfig(after.spec.providerConfig)
  const former = before && decodeConfig(before.spec.providerConfig)
  if (!decoded.ok || former?.ok === false) return false
  const problems = [
    ...configProblems(decoded.config, 'admission'),
    ...cidrProblems(decoded.config, { ...networking, ipFamilies: after.families as string[] }),
    ...cloudProfileProblems(
      decoded.config,
      letters.map(letter => `${region}${letter}`),
      () => false,
    ),
    ...(former === undefined ? [] : updateProblems(former.config, decoded.config)),
  ]
  return problems.length === 0
}

export const awsInfrastructure: WalkSpace = {
  name: 'aws/infrastructure',
  load: async () => {
    const { definition } = await import('../../../../functions/aws/infrastructure/function.ts')
    const { account, made } = await preparedAccount(async ({ requestHandler }) => {
      const existing = await makeVpc(requestHandler)
      return new Map([
        ...(await makeSubnets(requestHandler)),
        ...(await makeAddresses(requestHandler)),
        ['vpc-existing', [...existing.values()].join()],
      ])
    })
    const withIds = <T>(value: T): T =>
      JSON.parse(
        [...made].reduce(
          (text, [id, real]) => text.replaceAll(`"${id}"`, `"${real}"`),
          JSON.stringify(value),
        ),
      ) as T
    return {
      definition,
      shoots: fc.oneof(
        ...Object.entries(shapes).map(([shape, weight]) => ({ weight, arbitrary: shootOf(shape as Shape) })),
      ),
      account,
      admission: (before, after) => {
        // gardener, pkg/api/extensions/validation: ValidateIPFamiliesUpdate
        if (before !== undefined && !String(after.families).startsWith(String(before.families)))
          return 'impossible'
        return isAdmitted(before, after) ? 'admitted' : 'refused'
      },
      objects: ({ spec, families, overlay }) => [
        ...shootObjects({
          namespace,
          cloudProfile: {
            metadata: { name: 'aws' },
            spec: {
              type: 'aws',
              regions: [{ name: region, zones: letters.map(letter => ({ name: `${region}${letter}` })) }],
            },
          },
          shoot: {
            metadata: { name: 'rose', uid: '0c1f3a52-6a3f-4a0b-9d55-2f1f4f3f6d11' },
            spec: {
              region,
              networking: {
                type: 'calico',
                ...networking,
                ipFamilies: families,
                providerConfig: { overlay: { enabled: overlay } },
              },
              provider: { type: 'aws', workers: [] },
            },
            status: { technicalID: namespace },
          },
          secrets: {
            cloudprovider: {
              accessKeyID: 'AKIAEXAMPLE000000001',
              secretAccessKey: 'not-a-real-secret-access-key',
            },
          },
        }),
        {
          apiVersion: 'extensions.gardener.cloud/v1alpha1',
          kind: 'Infrastructure',
          metadata: { name: 'rose', namespace },
          spec: withIds(spec),
        },
      ],
      troubles: {
        'a Secret without a key': { objects: withoutKey('cloudprovider', 'secretAccessKey') },
        'no more addresses': { cloud: refusedCalls('ec2', 'AllocateAddress', 'AddressLimitExceeded') },
        'no more NAT gateways': { cloud: refusedCalls('ec2', 'CreateNatGateway', 'NatGatewayLimitExceeded') },
        'no more endpoints': { cloud: refusedCalls('ec2', 'CreateVpcEndpoint', 'VpcEndpointLimitExceeded') },
        'no permission for routes': {
          cloud: refusedCalls('ec2', 'CreateRoute', 'UnauthorizedOperation', 403),
        },
        'no permission for identities': { cloud: refusedCalls('iam', 'Put*', 'AccessDenied', 403) },
        'no permission to tag': { cloud: refusedCalls('ec2', '*Tags', 'UnauthorizedOperation', 403) },
        'no permission to delete': { cloud: refusedCalls('ec2', 'Delete*', 'UnauthorizedOperation', 403) },
        'no file systems': {
          cloud: refusedCalls('elasticfilesystem', 'Create*', 'FileSystemLimitExceeded', 403),
        },
      },
    }
  },
}
