import fc from 'fast-check'
import { addHostedZone } from '../../../../sandbox/providers/aws/simulator/aws.ts'
import { shootObjects } from '../../../../sandbox/stepped-seed/stepped-seed.ts'
import { kinds } from '../../../../shared/contract/kinds.ts'
import { absent, arbitraryOf, schemaOf } from '../space/arbitrary-of.ts'
import { refusedCalls, withoutKey } from '../space/troubles.ts'
import type { Configuration, WalkSpace } from '../space/walk-space.ts'
import { preparedAccount } from '../world/prepared-account.ts'

const namespace = 'shoot--garden--rose'
const zones = { 'example.com': 'ZEXAMPLE', 'rose.example.com': 'ZROSE', 'example.org': 'ZOTHER' }
const secretRef = { name: 'dnsrecord-rose-external', namespace }

const addresses = fc.uniqueArray(fc.constantFrom('203.0.113.10', '203.0.113.11', '198.51.100.7'), {
  minLength: 1,
})
const addresses6 = fc.uniqueArray(fc.constantFrom('2001:db8::10', '2001:db8::11'), { minLength: 1 })
const targets = fc.constantFrom(
  'target.example.org',
  'a1b2c3-123.eu-west-1.elb.amazonaws.com',
  'd4e5f6-456.elb.eu-west-1.amazonaws.com',
)
const texts = fc.uniqueArray(fc.constantFrom('heritage=gardener', 'owner="rose"', 'a;b'), { minLength: 1 })

/** By record type. A refused list of values is among them. */
const values = {
  A: addresses,
  AAAA: addresses6,
  CNAME: fc.oneof(
    { weight: 9, arbitrary: targets.map(target => [target]) },
    fc.constant(['a.example.org', 'b.example.org']),
  ),
  TXT: texts,
} as const

const specOf = (type: keyof typeof values, name: string) =>
  arbitraryOf(schemaOf(kinds.DNSRecord.schema.shape.spec), {
    type: fc.constant('aws-route53'),
    class: absent,
    providerConfig: absent,
    'secretRef.name': fc.constant(secretRef.name),
    'secretRef.namespace': fc.constant(namespace),
    region: fc.constantFrom(undefined, 'eu-west-1', 'us-east-1'),
    // A zone that does not exist, and one that does not contain the name.
    zone: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(undefined, 'ZROSE', 'ZEXAMPLE') },
      { weight: 1, arbitrary: fc.constantFrom('ZMISSING', 'ZOTHER') },
    ),
    // A change is refused.
    name: fc.oneof({ weight: 30, arbitrary: fc.constant(name) }, fc.constant('other.rose.example.com')),
    recordType: fc.constant(type),
    values: values[type],
    ttl: fc.constantFrom(undefined, 60, 120, 180, 240, 300, -1),
  })

export const awsDnsRecord: WalkSpace = {
  name: 'aws/dnsrecord',
  load: async () => {
    const { definition } = await import('../../../../functions/aws/dnsrecord/function.ts')
    const { account } = await preparedAccount(aws => {
      for (const [name, id] of Object.entries(zones)) addHostedZone(aws.account(), { name, id })
    })
    return {
      definition,
      shoots: fc
        .tuple(
          fc.constantFrom('A', 'AAAA', 'CNAME', 'TXT'),
          fc.constantFrom('api.rose.example.com', '*.rose.example.com'),
        )
        .map(
          ([type, name]) =>
            fc.record({
              spec: specOf(type, name),
              ipStack: fc.constantFrom('ipv4', 'ipv6', 'dual-stack'),
            }) as fc.Arbitrary<Configuration>,
        ),
      account,
      objects: ({ spec, ipStack }) => [
        ...shootObjects({
          namespace,
          secrets: {
            [secretRef.name]: {
              AWS_ACCESS_KEY_ID: 'AKIAEXAMPLEROSE00001',
              AWS_SECRET_ACCESS_KEY: 'not-a-real-key',
            },
          },
        }),
        {
          apiVersion: 'extensions.gardener.cloud/v1alpha1',
          kind: 'DNSRecord',
          metadata: {
            name: 'rose-external',
            namespace,
            annotations: { 'dns.gardener.cloud/ip-stack': String(ipStack) },
          },
          spec,
        },
      ],
      troubles: {
        'a Secret without a key': { objects: withoutKey(secretRef.name, 'AWS_ACCESS_KEY_ID') },
        'AWS refuses changes': {
          cloud: refusedCalls('route53', 'ChangeResourceRecordSets', 'AccessDenied', 403),
        },
      },
    }
  },
}
