import { addHostedZone } from '../../../sandbox/providers/aws/simulator/aws.ts'
import { annotations } from '../../../shared/contract/constants.ts'
import { type History, mustHold } from './history.ts'
import { minute } from './life.ts'
import {
  change,
  claims,
  freeze,
  hasValue,
  key,
  leaksNothing,
  of,
  record,
  recordHistory,
  recordsOf,
  resource,
} from './record-history.ts'

export const dnsRecordHistories: readonly History[] = [
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
  recordHistory('an object that has left the seed is not reconciled', async life => {
    await life.apply(record())
    await life.request(record(), 'migrate')
    await life.until('the migration is not done', async () => {
      const { lastOperation } = Object((await life.live(record()))?.status)
      return lastOperation?.type === 'Migrate' && lastOperation.state === 'Succeeded'
    })
    await life.request(record({ values: ['203.0.113.2'] }))
    await life.sleep(10 * minute)
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
]
