import { describe, expect, test } from 'vitest'
import { kinds } from '../../../shared/contract/kinds.ts'
import type { Leadership } from '../../../shared/leadership/leadership.ts'
import { factsOf, requestOf } from '../../../shared/lifecycle/lifecycle.ts'
import type { Selection } from '../../core/core.ts'
import { type BridgeTestSeed, type RecordChanges, useSeeds } from '../../testing/test-seed.ts'
import type { BridgeEvent } from '../bridge-event.ts'
import { createStepWatch } from './step-watch.ts'

const newSeed = useSeeds()

type Ended = Extract<BridgeEvent, { type: 'ended' }>
const ended = (seed: BridgeTestSeed) =>
  seed.observed
    .filter((event): event is Ended => event.type === 'ended')
    .map(({ operation, outcome, codes, attempt, tookMs, requestMs }) => ({
      operation,
      outcome,
      ...(codes.length > 0 && { codes }),
      attempt,
      tookMs,
      requestMs,
    }))

const claims = (event: string, until = '2026-11-21T12:01:15.000Z'): RecordChanges => ({
  last: { state: 'Processing' },
  step: { until, durationMs: 75_000, event },
})
const succeeded = (event: string): RecordChanges => ({
  ...claims(event),
  last: { state: 'Succeeded', at: '2026-11-21T12:00:02.000Z' },
})
const waits = (event: string, state: string, attempt = 0): RecordChanges => ({
  last: { state },
  step: { phase: 'waiting', until: '2026-11-21T12:10:00.000Z', durationMs: 600_000, event, attempt },
})
const succeededAt = { type: 'Delete', state: 'Succeeded', at: '2026-11-21T12:00:02.000Z' }
const everything: Selection = {
  kinds: ['DNSRecord'],
  classes: ['shoot'],
  namespaces: [],
}
const standby: Leadership = {
  leading: () => false,
  run: signal => new Promise(resolve => signal.addEventListener('abort', () => resolve())),
}

describe('an observed step', () => {
  test('its success has the time since its claim, and since the request was seen', async () => {
    const seed = newSeed()
    const { bridge } = await seed.bridge()
    seed.put('DNSRecord', 'r', { operation: 'reconcile' })
    await seed.clock.advance(300)
    expect(bridge.requests().get('DNSRecord')).toMatchObject({ open: 1, failing: 0 })
    seed.put('DNSRecord', 'r', claims('a'))
    await seed.clock.advance(700)
    seed.put('DNSRecord', 'r', succeeded('a'))
    await seed.clock.advance(0)
    expect(ended(seed)).toEqual([
      { operation: 'reconcile', outcome: 'succeeded', attempt: 0, tookMs: 700, requestMs: 1_000 },
    ])
    expect(bridge.requests().size).toBe(0)
    seed.put('DNSRecord', 'r', { ...succeeded('a'), labels: { any: 'thing' } })
    await seed.clock.advance(0)
    expect(ended(seed)).toHaveLength(1)
  })

  test('the request time covers all its steps', async () => {
    const seed = newSeed()
    const { bridge } = await seed.bridge()
    seed.put('DNSRecord', 'r', { operation: 'reconcile' })
    seed.put('DNSRecord', 'r', claims('a'))
    await seed.clock.advance(1_000)
    seed.put('DNSRecord', 'r', waits('a', 'Processing'))
    await seed.clock.advance(0)
    seed.put('DNSRecord', 'r', claims('b'))
    await seed.clock.advance(1_000)
    seed.put('DNSRecord', 'r', waits('b', 'Error', 1))
    await seed.clock.advance(0)
    expect(bridge.requests().get('DNSRecord')).toMatchObject({ open: 1, failing: 1 })
    seed.put('DNSRecord', 'r', claims('c'))
    await seed.clock.advance(1_000)
    seed.put('DNSRecord', 'r', succeeded('c'))
    await seed.clock.advance(0)
    expect(ended(seed)).toEqual([
      { operation: 'reconcile', outcome: 'continues', attempt: 0, tookMs: 1_000, requestMs: undefined },
      { operation: 'reconcile', outcome: 'failed', attempt: 1, tookMs: 1_000, requestMs: undefined },
      { operation: 'reconcile', outcome: 'succeeded', attempt: 0, tookMs: 1_000, requestMs: 3_000 },
    ])
  })

  test('a step that its process has handed back continues, however often it has failed before', async () => {
    const seed = newSeed()
    await seed.bridge()
    seed.put('DNSRecord', 'r', { operation: 'reconcile' })
    const claim = claims('a')
    seed.put('DNSRecord', 'r', { ...claim, step: { ...claim.step, attempt: 3 } })
    await seed.clock.advance(1_000)
    seed.put('DNSRecord', 'r', waits('a', 'Processing', 3))
    await seed.clock.advance(0)
    seed.put('DNSRecord', 'r', { ...claims('b'), step: { ...claims('b').step, attempt: 3 } })
    await seed.clock.advance(1_000)
    seed.put('DNSRecord', 'r', waits('b', 'Processing', 4))
    await seed.clock.advance(0)
    expect(ended(seed).map(({ outcome, attempt }) => `${outcome} ${attempt}`)).toEqual([
      'continues 3',
      'waits 4',
    ])
  })

  test('a success with a next step ends the step once, and counts the failures before it', async () => {
    const seed = newSeed()
    const { bridge } = await seed.bridge()
    seed.put('DNSRecord', 'r', { operation: 'reconcile' })
    const claim = claims('a')
    seed.put('DNSRecord', 'r', { ...claim, step: { ...claim.step, attempt: 3 } })
    await seed.clock.advance(1_000)
    const processing = { state: 'Processing', at: '2026-11-21T12:00:01.000Z' }
    const was = 'Reconcile/Processing/2026-11-21T12:00:01.000Z'
    const wait = { ...waits('a', 'Succeeded').step, was, claimedUntil: '2026-11-21T12:01:15.000Z' }
    seed.put('DNSRecord', 'r', { last: processing, step: wait })
    await seed.clock.advance(0)
    expect(ended(seed)).toEqual([])
    expect(bridge.requests().get('DNSRecord')).toMatchObject({ open: 1 })
    seed.put('DNSRecord', 'r', { last: { state: 'Succeeded', at: '2026-11-21T12:00:02.000Z' }, step: wait })
    await seed.clock.advance(0)
    expect(ended(seed)).toMatchObject([{ outcome: 'succeeded', attempt: 3 }])
    expect(bridge.requests().size).toBe(0)
  })

  test('it has expired if another step claims the object, even by the same event', async () => {
    const seed = newSeed()
    await seed.bridge()
    seed.put('DNSRecord', 'r', { operation: 'reconcile' })
    seed.put('DNSRecord', 'r', claims('a'))
    await seed.clock.advance(80_000)
    seed.put('DNSRecord', 'r', claims('a', '2026-11-21T12:02:35.000Z'))
    await seed.clock.advance(0)
    expect(ended(seed)).toMatchObject([{ outcome: 'expired', tookMs: 80_000 }])
  })

  test('it is a success if its object is deleted', async () => {
    const seed = newSeed()
    await seed.bridge()
    const object = seed.put('DNSRecord', 'r', { deleted: true })
    seed.put('DNSRecord', 'r', {
      deleted: true,
      ...claims('a'),
      step: { ...claims('a').step, operation: 'delete' },
    })
    await seed.clock.advance(500)
    seed.kubernetes.remove(
      { group: 'extensions.gardener.cloud', version: 'v1alpha1', plural: 'dnsrecords', namespaced: true },
      { name: 'r', namespace: object.metadata.namespace ?? '' },
    )
    await seed.clock.advance(0)
    expect(ended(seed)).toMatchObject([{ operation: 'delete', outcome: 'succeeded', tookMs: 500 }])
  })

  test('a deletion that ends with an error has recovered from nothing', async () => {
    const seed = newSeed()
    await seed.bridge()
    seed.put('DNSRecord', 'r', { deleted: true, ...waits('a', 'Error', 6) })
    const { metadata } = seed.put('DNSRecord', 'r', {
      deleted: true,
      last: { type: 'Delete', state: 'Error' },
      step: { ...claims('b').step, operation: 'delete', attempt: 7 },
    })
    await seed.clock.advance(0)
    seed.kubernetes.remove(kinds.DNSRecord.resource, { name: 'r', namespace: metadata.namespace ?? '' })
    await seed.clock.advance(0)
    expect(ended(seed)).toMatchObject([{ operation: 'delete', outcome: 'succeeded', attempt: 0 }])
  })

  test('it is no success while the finalizer cannot be removed, however often that is tried', async () => {
    const seed = newSeed()
    const { bridge } = await seed.bridge()
    const object = seed.put('DNSRecord', 'r', { deleted: true })
    const request = requestOf('DNSRecord', factsOf(object))?.id ?? ''
    for (const attempt of [0, 1]) {
      const step = { operation: 'delete', request, event: `e${attempt}`, attempt } as const
      const until = `2026-11-21T12:0${attempt + 1}:15.000Z`
      for (const changes of [
        { last: { state: 'Processing' }, step: { ...step, until } },
        { last: succeededAt, step: { ...step, until } },
        { last: succeededAt, step: { ...step, until, phase: 'waiting', attempt: attempt + 1 } },
      ] as const) {
        seed.put('DNSRecord', 'r', { deleted: true, ...changes })
        await seed.clock.advance(100)
      }
      expect(bridge.requests().get('DNSRecord')).toMatchObject({ open: 1, failing: 1 })
    }
    expect(ended(seed)).toMatchObject([
      { outcome: 'waits', attempt: 1 },
      { outcome: 'waits', attempt: 2 },
    ])
  })

  test('another object with the same name does not end it', async () => {
    const outcomes: string[] = []
    const watch = createStepWatch({ now: () => 0 }, event => {
      if (event.type === 'ended') outcomes.push(`${event.uid} ${event.outcome}`)
    })
    const seed = newSeed()
    const claimed = seed.put('DNSRecord', 'r', claims('a'))
    const see = (uid: string, object: typeof claimed) => {
      const replaced = { ...object, metadata: { ...object.metadata, uid } }
      const work = {
        operation: 'reconcile',
        cause: '',
        reason: 'annotation',
        attempt: 0,
        timed: false,
      } as const
      const decision = { kind: 'send', id: 'e', work } as const
      watch.objectSeen({
        kind: 'DNSRecord',
        object: replaced,
        facts: factsOf(replaced),
        initial: false,
        decision,
      })
    }
    see('first', claimed)
    see('second', seed.put('DNSRecord', 'r', { operation: 'reconcile' }))
    see('second', seed.put('DNSRecord', 'r', claims('b')))
    see('second', seed.put('DNSRecord', 'r', waits('b', 'Error', 1)))
    expect(outcomes).toEqual(['second failed'])
  })

  test('it is no success if its object is no longer selected', async () => {
    const seed = newSeed()
    const served = [{ kind: 'DNSRecord', type: 'test-dnsrecords', classes: ['shoot'] }] as const
    const { bridge } = await seed.bridge({ selection: { ...everything, served } })
    seed.put('DNSRecord', 'r', claims('a'))
    await seed.clock.advance(0)
    expect(bridge.requests().size).toBe(1)
    seed.put('DNSRecord', 'r', { ...claims('a'), spec: { type: 'another' } })
    await seed.clock.advance(0)
    expect(ended(seed)).toEqual([])
    expect(bridge.requests().size).toBe(0)
  })

  test('a bridge that does not send sees the same', async () => {
    const seed = newSeed()
    await seed.bridge({ leadership: standby })
    seed.put('DNSRecord', 'r', { operation: 'reconcile' })
    seed.put('DNSRecord', 'r', claims('a'))
    seed.put('DNSRecord', 'r', succeeded('a'))
    await seed.clock.advance(0)
    expect(ended(seed)).toMatchObject([{ outcome: 'succeeded' }])
  })

  test('a step that started before the bridge has no duration, and its request time comes from the object', async () => {
    const seed = newSeed()
    seed.put('DNSRecord', 'r', {
      ...claims('a'),
      last: { state: 'Processing', at: '2026-11-21T11:59:30Z' },
      timestamp: '2026-11-21T11:59:00.000Z',
    })
    const { bridge } = await seed.bridge()
    expect(bridge.requests().get('DNSRecord')?.oldestSince).toBe(Date.parse('2026-11-21T11:59:00.000Z'))
    seed.put('DNSRecord', 'r', succeeded('a'))
    await seed.clock.advance(0)
    expect(ended(seed)).toEqual([
      { operation: 'reconcile', outcome: 'succeeded', attempt: 0, tookMs: undefined, requestMs: undefined },
    ])
  })

  test('it leaves no request open if it checks again later, or waits for its shoot', async () => {
    const seed = newSeed()
    const { bridge } = await seed.bridge()
    seed.put('DNSRecord', 'r', { operation: 'reconcile' })
    seed.put('DNSRecord', 'r', claims('a'))
    seed.put('DNSRecord', 'r', waits('a', 'Succeeded'))
    await seed.clock.advance(0)
    expect(ended(seed)).toMatchObject([{ outcome: 'succeeded' }])
    expect(bridge.requests().size).toBe(0)
  })
})
