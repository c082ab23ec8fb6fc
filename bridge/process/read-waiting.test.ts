import { expect, test } from 'vitest'
import { ConnectionError, KubernetesError } from '../../shared/kubernetes/kubernetes.ts'
import { useSeeds } from '../testing/test-seed.ts'
import { readWaiting } from './read-waiting.ts'

const createSeed = useSeeds()
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const selection = {
  kinds: ['DNSRecord' as const, 'Bastion' as const],
  types: [],
  classes: ['shoot' as const],
  namespaces: [],
}

test('each object with work shows its operation and the reason for its wait', async () => {
  const seed = createSeed()
  seed.put('DNSRecord', 'done', { last: { state: 'Succeeded' } })
  seed.put('DNSRecord', 'new')
  seed.put('DNSRecord', 'asked', { operation: 'reconcile', last: { state: 'Succeeded' } })
  seed.put('DNSRecord', 'claimed', { last: { state: 'Processing' }, step: { event: 'e' } })
  seed.put('DNSRecord', 'failing', {
    timestamp: '2026-11-21T10:00:00.000Z',
    last: { state: 'Error' },
    step: { phase: 'waiting', event: 'e', attempt: 7 },
  })
  seed.put('Bastion', 'going', { deleted: true, last: { state: 'Succeeded' } })
  const reading = readWaiting({
    kubernetes: seed.kubernetes.port,
    clock: seed.clock,
    log: silent,
    selection,
    format: 'json',
    limitMs: 60_000,
  })
  await seed.clock.advance(2_000)
  const rows = (await reading)
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as Record<string, string>)
  expect(
    rows.map(({ object, state, operation, why }) => `${object} ${state} ${operation} ${why}`.trim()),
  ).toEqual([
    'shoot--foo--bar/failing waiting reconcile due later',
    'shoot--foo--bar/claimed waiting reconcile claimed',
    'shoot--foo--bar/asked ready reconcile',
    'shoot--foo--bar/going ready delete',
    'shoot--foo--bar/new ready reconcile',
  ])
  // According to the objects, and not since this process started.
  expect(rows.map(({ since }) => since)).toEqual([
    // Since the request, and not since the last attempt.
    '2026-11-21T10:00:00.000Z',
    '2026-11-21T11:00:00.000Z',
    '2026-11-21T11:59:59.123Z',
    '2026-11-21T11:59:59.123Z',
    '2026-11-21T12:00:00.000Z',
  ])
})

test('it gives up if the API server cannot be read', async () => {
  const seed = createSeed()
  const away = async () => {
    throw new ConnectionError('refused', { cause: undefined, sent: false })
  }
  const reading = readWaiting({
    kubernetes: {
      get: away,
      list: away,
      watch: () => ({ [Symbol.asyncIterator]: () => ({ next: away }) }),
    },
    clock: seed.clock,
    log: silent,
    selection,
    format: 'table',
    limitMs: 60_000,
  })
  const failing = expect(reading).rejects.toThrow('cannot read from the API server within 60 s')
  await seed.clock.advance(62_000)
  await failing
})

test('a server that knows none of the kinds is no seed without work', async () => {
  const seed = createSeed()
  const absent = async () => {
    throw new KubernetesError(404, 'NotFound', 'the server could not find the requested resource')
  }
  const reading = readWaiting({
    kubernetes: { ...seed.kubernetes.port, list: absent },
    clock: seed.clock,
    log: silent,
    selection,
    format: 'table',
    limitMs: 60_000,
  })
  const failure = expect(reading).rejects.toThrow(
    'the API server has no kind of extensions.gardener.cloud: it is another cluster, or it is starting',
  )
  await seed.clock.advance(61_000)
  await failure
})
