import { describe, expect, test } from 'vitest'
import { readDeadLetter } from '../../bridge/bridge.ts'
import { succeeded, useSeeds } from '../../bridge/testing/test-seed.ts'
import { createBrokerCore, ingressStatus, profileNames, readMessage } from '../../sandbox/knative/knative.ts'
import { eventMessage, type Post, parseEvent } from '../../shared/events/events.ts'
import { applied } from './applied.ts'

const newSeed = useSeeds()
const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const seconds = (count: number) => count * 1_000
const workersAnnotation = 'rabbitmq.eventing.knative.dev/parallelism'

interface Options {
  readonly profile: (typeof profileNames)[number]
  readonly records: number
  readonly stepMs: number
  /** Returns true if the function refuses the event of this object now. */
  readonly fails?: (name: string, afterMs: number) => boolean
  readonly workers?: number
}

/**
 * A bridge, the broker of a profile and a function for DNSRecords, on a virtual clock. A function that has claimed an
 * object finishes its step, even if the broker goes.
 */
const start = async ({ profile, records, stepMs, fails = () => false, workers }: Options) => {
  const seed = newSeed()
  const { clock } = seed
  const { kind: _, broker: __, ...manifests } = await applied(profile)
  if (workers !== undefined)
    for (const { metadata } of manifests.triggers) metadata.annotations[workersAnnotation] = String(workers)
  const began = clock.now()
  const attempts = new Map<string, number>()
  const doneAt = new Map<string, number>()
  const claims = new Set<string>()
  const step = async (name: string, id: string): Promise<void> => {
    claims.add(name)
    seed.put('DNSRecord', name, { ...record, last: { state: 'Processing' }, step: { event: id } })
    await clock.sleep(stepMs)
    doneAt.set(name, clock.now() - began)
    seed.put('DNSRecord', name, { ...record, last: succeeded })
  }
  const record = { spec: { type: 'aws-route53' } }
  const post: Post = async (url, { headers, body }, signal) => {
    const answer = (status: number) => ({ status, headers: {}, body: new Uint8Array() })
    if (!url.startsWith('http://aws-dnsrecord')) {
      expect(url).toBe('http://bridge.trellis.svc:8080/undelivered')
      const letter = readDeadLetter(headers)
      if (letter !== undefined) bridge.lost(letter)
      return answer(letter === undefined ? 400 : 204)
    }
    const { id, name } = parseEvent(headers, Buffer.from(body))
    attempts.set(name, (attempts.get(name) ?? 0) + 1)
    if (fails(name, clock.now() - began)) return answer(503)
    if (claims.has(name)) return answer(doneAt.has(name) ? 204 : 503)
    const gone = new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
    )
    await Promise.race([step(name, id), gone])
    return answer(204)
  }
  const broker = createBrokerCore({
    manifests,
    resolve: async service => `http://${service}/`,
    resolveUri: async uri => uri,
    clock,
    log: quiet,
    scale: () => 100,
    postWithin: () => post,
  })
  seed.sink = async (event, signal) => {
    const result = await broker.take(readMessage(eventMessage(event)), 'trellis', 'default', signal)
    const status = ingressStatus[result]
    return status < 300 ? { kind: 'accepted' } : { kind: 'retry', status, reason: `answered ${status}` }
  }
  for (let index = 0; index < records; index++)
    seed.put('DNSRecord', `r${index}`, { ...record, operation: 'reconcile' })
  const { bridge } = await seed.bridge({ initialPerSecond: 10_000 })
  return {
    ...{ seed, clock, broker, attempts, doneAt },
    /** Advances the clock until the objects are done, or for ten minutes. Returns when the last one was, in ms. */
    untilDone: async (count: number): Promise<number> => {
      for (let second = 0; second < 600 && doneAt.size < count; second++) await clock.advance(seconds(1))
      expect(doneAt.size).toBe(count)
      return Math.max(...doneAt.values())
    },
    close: async () => {
      await broker.close()
      // Steps of functions that outlive the broker.
      await clock.advance(stepMs)
    },
  }
}

describe.each(profileNames)('with the profile %s', profile => {
  test('an event that always fails delays no other event, and no event comes twice', async () => {
    const records = 60
    const options = { profile, records, stepMs: seconds(24) }
    const usual = await start(options)
    const took = await usual.untilDone(records)
    await usual.close()

    // Its last attempt ends while the others are in the middle of their steps.
    const world = await start({ ...options, fails: name => name === 'r0', records: 1 })
    await world.clock.advance(seconds(50))
    for (let index = 1; index < records; index++)
      world.seed.put('DNSRecord', `r${index}`, { spec: { type: 'aws-route53' }, operation: 'reconcile' })
    expect(await world.untilDone(records - 1)).toBeLessThanOrEqual(seconds(50) + took + seconds(1))
    expect([...world.attempts].filter(([name, times]) => name !== 'r0' && times > 1)).toEqual([])
    expect(world.broker.counts()['channel-closed']).toBe(0)
    // The bridge sends it again a second after the broker gave it up.
    expect(world.seed.events.filter(({ name }) => name === 'r0').length).toBeGreaterThan(1)
    await world.close()
  })
})

describe.each(['kafka', 'rabbitmq', 'nats'] as const)('with the profile %s', profile => {
  test.each([100, 40])(
    'a rolling update of the dispatchers (%i workers) delays no event by more than 15 s',
    async workers => {
      const records = 150
      const options = { profile, records, stepMs: seconds(12), workers }
      const usual = await start(options)
      const took = await usual.untilDone(records)
      await usual.close()

      const world = await start(options)
      await world.clock.advance(seconds(5))
      world.broker.replaceDispatchers('SIGTERM')
      expect(await world.untilDone(records)).toBeLessThanOrEqual(took + seconds(15))
      await world.close()
    },
  )
})
