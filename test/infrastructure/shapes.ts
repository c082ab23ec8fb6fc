import { clusterOf, zones } from '../../functions/aws/infrastructure/testing/objects.ts'
import { type Made, makeAddresses, makeSubnets, makeVpc } from './account.ts'
import type { ShootShape } from './made-shoot.ts'

const vpcOf = (made: Made) => ({ id: made.get('vpc-00000000000000001') })
const ownZone = (made: Made, letter: string) => ({
  name: `eu-west-1${letter}`,
  workersSubnetID: made.get(`subnet-0000000000000${letter}001`),
  publicSubnetID: made.get(`subnet-0000000000000${letter}002`),
  internalSubnetID: made.get(`subnet-0000000000000${letter}003`),
})
const withAddress = (made: Made, letter: string, zone: object) => ({
  ...zone,
  elasticIPAllocationID: made.get(`eipalloc-0000000000000${letter}001`),
})
const cidr = '10.250.0.0/16'

/** The possible shapes of a shoot. Each takes a number of zones: one to three, but at most two for own addresses. */
export const shapes = {
  standard: count => ({ parts: () => ({ zones: zones(count) }) }),
  'gateway endpoint': count => ({
    parts: () => ({ zones: zones(count), networks: { vpc: { cidr, gatewayEndpoints: ['s3'] } } }),
  }),
  'file system': count => ({
    parts: () => ({ zones: zones(count), rest: { elasticFileSystem: { enabled: true } } }),
  }),
  'dual stack': count => ({
    parts: () => ({ zones: zones(count), rest: { dualStack: { enabled: true } } }),
    cluster: clusterOf({ networking: { ipFamilies: ['IPv4', 'IPv6'] } }),
  }),
  'IPv6 only': count => ({
    parts: () => ({ zones: zones(count) }),
    cluster: clusterOf({ networking: { ipFamilies: ['IPv6'] } }),
  }),
  'existing VPC': count => ({
    given: makeVpc,
    parts: made => ({ vpc: vpcOf(made), zones: zones(count) }),
  }),
  'own subnets': count => ({
    given: makeSubnets,
    parts: made => ({
      vpc: vpcOf(made),
      zones: ['a', 'b', 'c'].slice(0, count).map(letter => ownZone(made, letter)),
    }),
    // Without an overlay, the route tables are tagged too.
    cluster: clusterOf({ networking: { type: 'calico', providerConfig: { overlay: { enabled: false } } } }),
  }),
  'own addresses': count => ({
    given: makeAddresses,
    parts: made => ({
      zones: zones(count).map((zone, index) => withAddress(made, ['a', 'b'][index] ?? 'a', zone)),
    }),
  }),
} as const satisfies Readonly<Record<string, (count: number) => ShootShape>>
export type ShapeName = keyof typeof shapes
