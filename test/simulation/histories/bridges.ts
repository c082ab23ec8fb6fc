import type { ApiView } from '../../../sandbox/kubernetes/kubernetes.ts'
import { createAwsSide } from '../../../sandbox/providers/aws/simulation/aws-side.ts'
import { shootObjects } from '../../../sandbox/stepped-seed/stepped-seed.ts'
import { type History, history } from './history.ts'
import { hour, minute } from './life.ts'
import { change, credentials, hasValue, namespace, of, record, recordHistory } from './record-history.ts'

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
      // Leases are written meanwhile, so the version of the watch is an older one.
      await life.sleep(minute / 3)
      view?.cutWatches('expire')
      await life.sleep(minute)
      await life.apply(record({ values: ['203.0.113.2'] }))
      hasValue(life, '203.0.113.2')
    },
  })
}

/** Histories of bridges, with DNSRecords as objects. */
export const bridgeHistories: readonly History[] = [
  expiredWatch(),
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
