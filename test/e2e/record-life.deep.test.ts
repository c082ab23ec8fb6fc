import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { annotations } from '../../shared/contract/constants.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import { startTestSeed, type TestSeed, zoneId } from './harness.ts'
import { namespace, type RecordSpec } from './shoot.ts'

let seed: TestSeed
beforeAll(async () => {
  seed = await startTestSeed()
})
afterAll(() => seed.close())
beforeEach(() => {
  seed.aws.calls.clear()
  seed.observed.length = 0
})

const loadBalancer = 'a1b2c3-123.eu-west-1.elb.amazonaws.com'
const zoneOfLoadBalancers = 'Z32O12XQLNTSW2'

interface Case {
  readonly what: string
  readonly spec: RecordSpec
  readonly ipStack?: string
  /** The records in the hosted zone then. */
  readonly records: readonly string[]
  readonly change: RecordSpec
  readonly changed: readonly string[]
}

const cases: readonly Case[] = [
  {
    what: 'an A record with two addresses',
    spec: { name: 'a.rose.example.com', values: ['203.0.113.10', '203.0.113.11'], ttl: 60 },
    records: ['A a.rose.example.com. 60 203.0.113.10 203.0.113.11'],
    change: { values: ['203.0.113.12'], ttl: 300 },
    changed: ['A a.rose.example.com. 300 203.0.113.12'],
  },
  {
    what: 'an AAAA record',
    spec: { name: 'v6.rose.example.com', recordType: 'AAAA', values: ['2001:db8::10'] },
    records: ['AAAA v6.rose.example.com. 120 2001:db8::10'],
    change: { values: ['2001:db8::11'] },
    changed: ['AAAA v6.rose.example.com. 120 2001:db8::11'],
  },
  {
    what: 'a CNAME record',
    spec: { name: 'c.rose.example.com', recordType: 'CNAME', values: ['target.example.org'] },
    records: ['CNAME c.rose.example.com. 120 target.example.org'],
    change: { values: ['other.example.org'] },
    changed: ['CNAME c.rose.example.com. 120 other.example.org'],
  },
  {
    what: 'a TXT record',
    spec: { name: 't.rose.example.com', recordType: 'TXT', values: ['owner=rose', 'say "hi"'] },
    records: ['TXT t.rose.example.com. 120 "owner=rose" "say \\"hi\\""'],
    change: { values: ['owner=lily'] },
    changed: ['TXT t.rose.example.com. 120 "owner=lily"'],
  },
  {
    what: 'a wildcard',
    spec: { name: '*.w.rose.example.com' },
    records: ['A \\052.w.rose.example.com. 120 203.0.113.10'],
    change: { values: ['203.0.113.11'] },
    changed: ['A \\052.w.rose.example.com. 120 203.0.113.11'],
  },
  {
    what: 'a load balancer, which becomes an alias',
    spec: { name: 'lb.rose.example.com', recordType: 'CNAME', values: [loadBalancer] },
    records: [`A lb.rose.example.com. -> ${loadBalancer}. ${zoneOfLoadBalancers}`],
    change: { values: ['d4e5f6-456.eu-west-1.elb.amazonaws.com'] },
    changed: [`A lb.rose.example.com. -> d4e5f6-456.eu-west-1.elb.amazonaws.com. ${zoneOfLoadBalancers}`],
  },
  {
    what: 'a load balancer of both families, behind a wildcard',
    spec: { name: '*.ingress.rose.example.com', recordType: 'CNAME', values: [loadBalancer] },
    ipStack: 'dual-stack',
    records: [
      `A \\052.ingress.rose.example.com. -> ${loadBalancer}. ${zoneOfLoadBalancers}`,
      `AAAA \\052.ingress.rose.example.com. -> ${loadBalancer}. ${zoneOfLoadBalancers}`,
    ],
    change: { values: ['plain.example.org'] },
    changed: ['CNAME \\052.ingress.rose.example.com. 120 plain.example.org'],
  },
]

describe.each(cases)('$what', ({ spec, ipStack, records, change, changed }) => {
  const name = (spec.name ?? '').replace('*', 'any').split('.').slice(0, 2).join('-')

  test('is created', async () => {
    await seed.create(name, spec, ipStack === undefined ? {} : { [annotations.ipStack]: ipStack })
    const live = await seed.untilReady(name)
    expect(seed.records()).toEqual(records)
    // Only a CNAME may have an earlier form.
    const reads = spec.recordType === 'CNAME' ? ['ListResourceRecordSets'] : []
    expect(seed.actions()).toEqual(['ListHostedZones', ...reads, 'ChangeResourceRecordSets'])
    expect(live.metadata.finalizers).toEqual(['extensions.gardener.cloud/dnsrecord'])
    expect(live.status).toMatchObject({
      lastOperation: {
        type: 'Create',
        state: 'Succeeded',
        progress: 100,
        description: 'Successfully reconciled DNSRecord',
      },
      observedGeneration: 1,
      zone: zoneId,
    })
    expect(live.status?.lastError).toBeUndefined()
  })

  test('costs one AWS read and six Kubernetes requests if nothing differs', async () => {
    await seed.ask(name, 'reconcile')
    seed.server.requests.clear()
    await seed.until('the end of the step', () => seed.observed.find(event => event.part === 'step'))
    expect(seed.actions()).toEqual(['ListResourceRecordSets'])
    expect(seed.server.requests.entries().map(requested)).toEqual([
      'get dnsrecords',
      'get clusters',
      'get secrets',
      'patch dnsrecords',
      'patch dnsrecords/status',
      'patch dnsrecords/status',
    ])
    expect(seed.live(name)?.status?.lastOperation).toMatchObject({ type: 'Reconcile', state: 'Succeeded' })
  })

  test('changes with the spec in one batch', async () => {
    await seed.ask(name, 'reconcile', change)
    const live = await seed.untilReady(name)
    expect(live.status?.observedGeneration).toBe(2)
    expect(seed.records()).toEqual(changed)
    expect(seed.changes()).toHaveLength(1)
  })

  test('is deleted without leftovers', async () => {
    await seed.remove(name)
    await seed.untilGone(name)
    expect(seed.records()).toEqual([])
    expect(seed.changes()).toHaveLength(1)
  })
})

const requested = ({
  verb,
  resource,
  subresource,
}: ReturnType<TestSeed['server']['requests']['entries']>[0]) =>
  `${verb} ${resource?.split('.')[0]}${subresource === undefined ? '' : `/${subresource}`}`

test('a changed spec without an annotation waits for it', async () => {
  await seed.create('patient')
  await seed.untilReady('patient')
  seed.aws.calls.clear()
  const before = seed.observed.length
  await seed.ask('patient', 'none of the four', { values: ['203.0.113.99'] })
  // A later record is served, so an event of the first would have arrived too.
  await seed.create('later')
  await seed.untilReady('later')
  expect(seed.live('patient')?.status?.observedGeneration).toBe(1)
  const due = seed.observed
    .slice(before)
    .filter(event => event.part === 'bridge' && event.event.type === 'due')
  expect(due).toHaveLength(1)
  await seed.ask('patient', 'reconcile')
  await seed.untilReady('patient')
  expect(seed.records()).toContain('A patient.rose.example.com. 120 203.0.113.99')
  await Promise.all(['patient', 'later'].map(name => seed.remove(name)))
  await Promise.all(['patient', 'later'].map(name => seed.untilGone(name)))
})

test('a deletion without confirmation is refused, and the record remains', async () => {
  await seed.create('guarded')
  await seed.untilReady('guarded')
  await expect(
    seed.kubernetes.delete(kinds.DNSRecord.resource, { name: 'guarded', namespace }),
  ).rejects.toThrow('confirmation.gardener.cloud/deletion')
  expect(seed.records()).toEqual(['A guarded.rose.example.com. 120 203.0.113.10'])
  await seed.remove('guarded')
  await seed.untilGone('guarded')
})

test('two hundred concurrent records all become ready, and share changes', async () => {
  const names = Array.from({ length: 200 }, (_, index) => `many-${index}`)
  await Promise.all(names.map(name => seed.create(name)))
  await Promise.all(names.map(name => seed.untilReady(name)))
  expect(seed.records()).toHaveLength(200)
  const { length } = seed.changes()
  expect(length).toBeGreaterThan(0)
  expect(length).toBeLessThanOrEqual(200)
  await Promise.all(names.map(name => seed.remove(name)))
  await Promise.all(names.map(name => seed.untilGone(name)))
  expect(seed.records()).toEqual([])
})
