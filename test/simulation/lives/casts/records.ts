import type { Random } from '../../../../sandbox/simulation/simulation.ts'
import { annotations } from '../../../../shared/contract/constants.ts'
import type { Cast, Part, Spec } from '../cast.ts'
import { type Home, homes, otherZone } from '../homes.ts'
import { deleteAfterRead } from './record-accidents.ts'

const names = ['api.rose.example.com', '*.ingress.rose.example.com', 'api.internal.rose.example.com'] as const

const addresses = [['203.0.113.1'], ['203.0.113.1', '203.0.113.2'], ['203.0.113.3']]
/** The record of a load balancer is an alias. */
const targets = [
  ['a1b2c3-123.eu-west-1.elb.amazonaws.com'],
  ['other.example.org'],
  ['d4e5f6-456.eu-west-1.elb.amazonaws.com'],
]

/** Not of AWS, so no alias: a user may have an alias of this name, which is in the way. */
const plainTargets = [['plain.example.org'], ['plain.example.net']]

const recordOf = (random: Random, home: Home, index: number): Part => {
  const { namespace, zones } = home
  const isNamed = random.chance(0.6)
  const isAddress = random.chance(0.5)
  const isPlain = random.fork(`plain ${home.namespace} ${index}`).chance(0.3)
  const values = isAddress ? addresses : isPlain ? plainTargets : targets
  // An alias has a record set for each family of addresses.
  const isDual = random.chance(0.6)
  const name = names[index] ?? names[0]
  const move =
    (zone: string) =>
    (spec: Spec): Spec => ({ ...spec, zone })
  return {
    home,
    desired: {
      kind: 'DNSRecord',
      key: { name: `record-${index}`, namespace },
      ...(isDual && { annotations: { [annotations.ipStack]: 'dual-stack' } }),
      spec: {
        type: 'aws-route53',
        secretRef: { name: 'dns', namespace },
        name,
        ttl: 120,
        ...(isNamed && { zone: random.pick(zones) }),
        recordType: isAddress ? 'A' : 'CNAME',
        values: random.pick(values),
      },
    },
    changes: [
      ...values.map(changed => (spec: Spec) => ({ ...spec, values: changed })),
      spec => ({ ...spec, ttl: 300 }),
      ...(isNamed ? [...zones, ...zones, ...zones].map(move) : []),
    ],
    unseen: [spec => ({ ...spec, zone: otherZone(home) })],
    canMove: true,
    canBeForced: true,
    places: zones,
    inputs: ['another key'],
    accidents: !isAddress && isDual ? [deleteAfterRead(home, name)] : [],
  }
}

/** Records of both shoots with the same names, in zones of their accounts. */
export const records: Cast = {
  name: 'records',
  often: 3,
  functions: ['aws-dnsrecord'],
  from: 'empty',
  spanMs: 20_000,
  exchanges: 16,
  actions: ['ChangeResourceRecordSets', 'ListResourceRecordSets', 'ListHostedZones'].map(
    action => `route53:${action}`,
  ),
  parts: random => {
    const count = random.pick([1, 1, 2, 3])
    return homes
      .slice(0, random.chance(0.5) ? 2 : 1)
      .flatMap(home => names.slice(0, count).map((_, index) => recordOf(random, home, index)))
  },
}
