import type { ApiView } from '../../../sandbox/kubernetes/kubernetes.ts'
import { type AwsSide, createAwsSide } from '../../../sandbox/providers/aws/simulation/aws-side.ts'
import { addHostedZone } from '../../../sandbox/providers/aws/simulator/aws.ts'
import { shootObjects } from '../../../sandbox/stepped-seed/stepped-seed.ts'
import { annotations } from '../../../shared/contract/constants.ts'
import { kinds } from '../../../shared/contract/kinds.ts'
import { type History, type HistoryOptions, history, mustHold } from './history.ts'
import { hour, type Life, minute, type OwnObject } from './life.ts'
import { servicesOf } from './services-of.ts'

const namespace = 'shoot--garden--rose'
const name = 'api.rose.example.com'
const credentials = { accessKeyID: 'AKIAEXAMPLEROSE00001', secretAccessKey: 'not-a-real-key'.padEnd(40, '0') }

const record = (spec: object = {}, more: Partial<OwnObject> = {}): OwnObject => ({
  kind: 'DNSRecord',
  key: { name: 'rose', namespace },
  spec: {
    type: 'aws-route53',
    secretRef: { name: 'dns', namespace },
    name,
    recordType: 'A',
    values: ['203.0.113.1'],
    ttl: 120,
    ...spec,
  },
  ...more,
})

const of = /aws-dnsrecord/
const change = /^POST route53/
const claims = /^PATCH .*\/dnsrecords\/rose$/
const resource = kinds.DNSRecord.resource
const { key } = record()

const recordHistory = (
  title: string,
  course: (life: Life<AwsSide>) => Promise<void>,
  points?: HistoryOptions<AwsSide>['points'],
): History =>
  history({
    name: `aws-dnsrecord: ${title}`,
    functions: ['aws-dnsrecord'],
    kinds: ['DNSRecord'],
    ...(points && { points }),
    cloud: createAwsSide,
    ofSeeds: { objects: shootObjects({ namespace, secrets: { dns: credentials } }) },
    course,
  })

interface Zone {
  readonly name: string
  readonly recordSets: readonly {
    readonly Name: string
    readonly Type: string
    readonly ResourceRecords?: readonly { readonly Value: string }[]
  }[]
}

/** The values of the record sets of a name, as `A 203.0.113.1`. */
const recordsOf = (life: Life<AwsSide>, of = name): readonly string[] => {
  const { route53 } = servicesOf(life.world.cloud) as {
    readonly route53: { readonly zones: readonly Zone[] }
  }
  return route53.zones.flatMap(zone =>
    zone.recordSets
      .filter(set => set.Name === `${of}.`)
      .map(({ Type, ResourceRecords = [] }) =>
        [zone.name, Type, ...ResourceRecords.map(({ Value }) => Value)].join(' '),
      ),
  )
}

const freeze = (life: Life) => (process: string) =>
  life.seed
    .instances()
    .find(one => one.process.name === process)
    ?.process.freeze(10 * minute)

const leaksNothing = (life: Life<AwsSide>): void =>
  mustHold(recordsOf(life).length === 0, `the record is leaked: ${recordsOf(life).join(', ')}`)

const hasValue = (life: Life<AwsSide>, value: string): void =>
  mustHold(
    recordsOf(life).join() === `example.com. A ${value}`,
    `expected the value ${value}, found ${recordsOf(life).join(', ') || 'no record'}`,
  )

const expiredWatch = (): History => {
  let view: ApiView | undefined
  return history({
    name: 'aws-dnsrecord: a watch that has expired is replaced by a list',
    functions: ['aws-dnsrecord', 'local-dnsrecord'],
    kinds: ['DNSRecord'],
    points: 'unobserved',
    cloud: createAwsSide,
    ofSeeds: {
      objects: shootObjects({ namespace, secrets: { dns: credentials } }),
      transportOf: (process, server) => {
        view ??= server.view()
        return process.includes('bridge') ? view.transport : server.transport
      },
    },
    course: async life => {
      await life.apply(record())
      view?.cutWatches('expire')
      await life.sleep(minute)
      await life.apply(record({ values: ['203.0.113.2'] }))
      hasValue(life, '203.0.113.2')
    },
  })
}

export const dnsRecordHistories: readonly History[] = [
  expiredWatch(),
  recordHistory(
    'a late claim does not remove a finalizer of others',
    async life => {
      life.fault({ of, about: /^GET .*\/secrets\/dns$/, fate: { kind: 'pass' }, meet: freeze(life) })
      await life.apply(record())
      const { finalizers = [] } = (await life.live(record()))?.metadata ?? {}
      await life.seed.kubernetes.patch(resource, key, {
        metadata: { finalizers: [...finalizers, 'example.com/audit'] },
      })
      await life.sleep(20 * minute)
      const after = (await life.live(record()))?.metadata.finalizers ?? []
      mustHold(after.includes('example.com/audit'), 'the finalizer of another client was removed')
    },
    'stale',
  ),
  recordHistory(
    'a deletion after a crash leaks no record',
    async life => {
      life.fault({ of, about: change, fate: { kind: 'crash', when: 'after' } })
      await life.request(record())
      await life.until('the crash', () => recordsOf(life).length > 0)
      await life.drop(record())
      await life.untilGone(record())
      leaksNothing(life)
    },
    'intermediate',
  ),
  recordHistory(
    'a deletion that fails leaks no record',
    async life => {
      await life.apply(record())
      life.fault({
        of,
        about: change,
        times: 20,
        lastsMs: 5 * minute,
        fate: { kind: 'refused', status: 500 },
      })
      await life.drop(record())
      await life.untilGone(record())
      leaksNothing(life)
    },
    'unobserved',
  ),
  recordHistory(
    'a frozen step does not overwrite newer work',
    async life => {
      await life.apply(record())
      life.fault({ of, about: /^GET route53.*rrset/, fate: { kind: 'pass' }, meet: freeze(life) })
      await life.request(record({ values: ['203.0.113.2'] }))
      await life.sleep(4 * minute)
      await life.apply(record({ values: ['203.0.113.3'] }))
      await life.sleep(20 * minute)
      hasValue(life, '203.0.113.3')
    },
    'stale',
  ),
  recordHistory(
    'the end of a restore retains a newer request',
    async life => {
      await life.apply(record())
      const ask = () =>
        void life.seed.kubernetes.patch(resource, key, {
          metadata: {
            annotations: { [annotations.operation]: 'migrate', [annotations.timestamp]: 'newer' },
          },
        })
      life.fault({ of, about: claims, after: 1, fate: { kind: 'pass', beforeMs: 2_000 }, meet: ask })
      life.fault({ of, about: claims, after: 1, fate: { kind: 'pass', beforeMs: 10_000 } })
      await life.request(record(), 'restore')
      await life.until('the migration is not done', async () => {
        const { lastOperation } = Object((await life.live(record()))?.status)
        return lastOperation?.type === 'Migrate' && lastOperation.state === 'Succeeded'
      })
    },
    'stale',
  ),
  recordHistory(
    'a migration that crashes at its end can be completed',
    async life => {
      await life.apply(record())
      life.fault({ of, about: claims, after: 1, fate: { kind: 'crash', when: 'after' } })
      await life.request(record(), 'migrate')
      await life.until('the migration is not done', async () => {
        const { lastOperation } = Object((await life.live(record()))?.status)
        return lastOperation?.type === 'Migrate' && lastOperation.state === 'Succeeded'
      })
      await life.sleep(5 * minute)
      await life.drop(record())
      await life.untilGone(record())
      mustHold(recordsOf(life).length === 1, 'the migration has deleted the record')
    },
    'intermediate',
  ),
  recordHistory(
    'a request that was claimed before a crash is not lost',
    async life => {
      await life.apply(record())
      life.fault({ of, about: claims, fate: { kind: 'crash', when: 'after' } })
      await life.apply(record({ values: ['203.0.113.2'] }))
      hasValue(life, '203.0.113.2')
    },
    'intermediate',
  ),
  recordHistory(
    'an outage of several attempts does not end the retries',
    async life => {
      life.fault({
        of,
        about: change,
        times: 100,
        lastsMs: 3 * minute,
        fate: { kind: 'refused', status: 500 },
      })
      await life.apply(record())
      hasValue(life, '203.0.113.1')
    },
    'unobserved',
  ),
  recordHistory('an error of the Go extension is retried', async life => {
    await life.request(record(), 'wait-for-state')
    await life.seed.kubernetes.patch(
      resource,
      key,
      {
        status: {
          lastOperation: {
            type: 'Create',
            state: 'Error',
            progress: 50,
            description: 'failed',
            lastUpdateTime: '2026-01-01T00:00:00Z',
          },
        },
      },
      { subresource: 'status' },
    )
    await life.seed.kubernetes.patch(resource, key, {
      metadata: { annotations: { [annotations.operation]: null } },
    })
    await life.untilSucceeded(record())
    hasValue(life, '203.0.113.1')
  }),
  recordHistory('a migration retains the record', async life => {
    await life.apply(record())
    await life.request(record(), 'migrate')
    await life.until('the migration is not done', async () => {
      const { lastOperation } = Object((await life.live(record()))?.status)
      return lastOperation?.type === 'Migrate' && lastOperation.state === 'Succeeded'
    })
    hasValue(life, '203.0.113.1')
  }),
  recordHistory(
    'an object succeeds only with its record',
    async life => {
      life.fault({ of, about: change, times: 20, lastsMs: minute, fate: { kind: 'refused', status: 500 } })
      await life.apply(record())
      hasValue(life, '203.0.113.1')
    },
    'unobserved',
  ),
  recordHistory('a deletion removes a record with other values', async life => {
    await life.apply(record())
    await life.seed.kubernetes.patch(resource, key, { spec: { values: ['203.0.113.9'] } })
    await life.drop(record())
    await life.untilGone(record())
    leaksNothing(life)
  }),
  recordHistory('a change of the zone moves the record', async life => {
    addHostedZone(life.world.cloud.aws.account(), { name: 'rose.example.com', id: 'ZROSE' })
    await life.apply(record({ zone: 'Z0SANDBOXEXAMPLECOM' }))
    await life.apply(record({ zone: 'ZROSE' }))
    mustHold(
      recordsOf(life).some(text => text.startsWith('rose.example.com.')),
      `the record is not in its zone: ${recordsOf(life).join(', ')}`,
    )
  }),
  recordHistory('a record without IPv6 has no AAAA alias', async life => {
    const alias = (stack: string) =>
      record(
        { recordType: 'CNAME', values: ['a1b2c3-123.eu-west-1.elb.amazonaws.com'] },
        { annotations: { 'dns.gardener.cloud/ip-stack': stack } },
      )
    await life.apply(alias('dual-stack'))
    await life.apply(alias('ipv4'))
    mustHold(
      recordsOf(life).join() === 'example.com. A',
      `expected an A alias, found ${recordsOf(life).join()}`,
    )
  }),
  recordHistory(
    'a throttled step is retried soon',
    async life => {
      life.fault({ of, about: change, times: 100, lastsMs: minute, fate: { kind: 'refused', status: 429 } })
      await life.apply(record())
    },
    'unobserved',
  ),
  recordHistory(
    'the bridge repeats a read that failed',
    async life => {
      life.fault({ of, about: change, times: 20, lastsMs: 5_000, fate: { kind: 'refused', status: 500 } })
      life.fault({
        of: /bridge/,
        about: /^GET .*\/dnsrecords\/rose$/,
        times: 100,
        lastsMs: 2 * minute,
        fate: { kind: 'refused', status: 503 },
      })
      await life.apply(record())
    },
    'unobserved',
  ),
  recordHistory(
    'an event that the broker has lost is repeated',
    async life => {
      life.fault({
        of,
        about: /dnsrecords/,
        times: 100,
        lastsMs: 2 * minute,
        fate: { kind: 'crash', when: 'before' },
      })
      await life.apply(record())
    },
    'unobserved',
  ),
  recordHistory(
    'a new request does not rely on a lost event',
    async life => {
      life.fault({
        of,
        about: /dnsrecords/,
        times: 1_000,
        lastsMs: 30 * minute,
        fate: { kind: 'crash', when: 'before' },
      })
      await life.request(record())
      await life.sleep(30 * minute)
      await life.apply(record({ values: ['203.0.113.2'] }))
    },
    'unobserved',
  ),
  recordHistory(
    'a fast clock of a function does not delay its retry',
    async life => {
      const skew = (process: string) =>
        life.seed
          .instances()
          .find(one => one.process.name === process)
          ?.process.skew(6 * hour)
      life.fault({ of, about: /^GET .*dnsrecords/, times: 100, fate: { kind: 'pass' }, meet: skew })
      life.fault({ of, about: change, times: 20, lastsMs: 10_000, fate: { kind: 'refused', status: 500 } })
      await life.apply(record())
    },
    'unobserved',
  ),
  recordHistory('the zone of a record may be on any page', async life => {
    for (let number = 0; number < 250; number++)
      addHostedZone(life.world.cloud.aws.account(), {
        name: `a${number}.example.org`,
        id: `ZA${number}`,
      })
    addHostedZone(life.world.cloud.aws.account(), { name: 'rose.example.com', id: 'ZROSE' })
    await life.apply(record())
    mustHold(
      recordsOf(life).join() === 'rose.example.com. A 203.0.113.1',
      `the record is in another zone: ${recordsOf(life).join()}`,
    )
  }),
  recordHistory(
    'a bridge with a fast clock is succeeded soon after its death',
    async life => {
      const [first, second] = life.seed.bridges()
      first?.process.skew(6 * hour)
      await life.sleep(minute)
      const leader = first?.process.isAlive() ? first : second
      leader?.process.kill()
      await life.apply(record())
    },
    'unobserved',
  ),
]
