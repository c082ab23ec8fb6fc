import { describe, expect, test } from 'vitest'
import { annotations } from '../../shared/contract/constants.ts'
import { type KindName, kinds } from '../../shared/contract/kinds.ts'
import type { Kubernetes } from '../../shared/kubernetes/kubernetes.ts'
import { type Harness, harness } from './harness.ts'

const newer = '2026-11-21T12:00:07Z'
const ask = (seed: Harness, operation: string) =>
  seed.patch({
    metadata: { annotations: { [annotations.operation]: operation, [annotations.timestamp]: newer } },
  })
const operationOf = async (seed: Harness) => (await seed.live()).metadata.annotations?.[annotations.operation]

/** Adds a request right before a write of the step. The claim is write 0. */
const askingAt = (seed: Harness, at: number, operation: string): Kubernetes => {
  let writes = 0
  return {
    ...seed.observed,
    patch: async (resource, key, patch, options) => {
      if (writes++ === at) await ask(seed, operation)
      return seed.observed.patch(resource, key, patch, options)
    },
  }
}

const cases = (['Infrastructure', 'Network', 'Worker', 'DNSRecord'] as const).flatMap(kind =>
  (['restore', 'migrate'] as const).flatMap(operation =>
    (['reconcile', 'restore', 'migrate'] as const).map(
      next => [kind, operation, next] as readonly [KindName, 'restore' | 'migrate', typeof next],
    ),
  ),
)

const actuator = {
  restore: async () => ({ kind: 'done' }) as const,
  migrate: async () => ({ kind: 'done' }) as const,
}

describe('a request that arrives during a step', () => {
  test.each(cases)('is retained during a %s %s, and handled next: %s', async (kind, operation, next) => {
    const counted = await harness(kind, { actuator })
    await counted.create({ annotation: operation, finalizers: [kinds[kind].finalizer()] })
    await counted.step()
    const writes = counted.requests.filter(({ verb }) => verb !== 'get').length
    for (let at = 1; at < writes; at++) {
      const seed = await harness(kind, { actuator })
      await seed.create({ annotation: operation, finalizers: [kinds[kind].finalizer()] })
      await seed.step({}, askingAt(seed, at, next))
      expect(await operationOf(seed), `asked before write ${at}`).toBe(next)
      await seed.clock.advance(2_000)
      const outcome = await seed.step()
      // A migrated object is not changed in this seed, except for the annotation (docs/contract/lifecycle.md#dispatch).
      const isInert = operation === 'migrate' && next === 'reconcile'
      expect(outcome, `asked before write ${at}`).toEqual({
        kind: 'recorded',
        how: isInert ? 'migrated' : 'succeeded',
      })
      expect(seed.calls.map(call => call.operation)).toEqual(isInert ? [operation] : [operation, next])
      expect(await operationOf(seed)).toBeUndefined()
    }
  })

  test('is consumed by a reconcile that has read the object but not claimed it yet', async () => {
    const seed = await harness('Network')
    await seed.create({ annotation: 'reconcile' })
    let tries = 0
    const port: Kubernetes = {
      ...seed.observed,
      patch: async (resource, key, patch, options) => {
        if (tries++ === 0) await ask(seed, 'restore')
        return seed.observed.patch(resource, key, patch, options)
      },
    }
    await seed.step({}, port)
    expect(
      seed.calls.map(({ context }) => context.object.metadata.annotations?.[annotations.timestamp]),
    ).toEqual([newer])
    expect((await seed.live()).status?.lastOperation?.type).toBe('Restore')
  })

  test.each(['reconcile', 'restore', 'migrate'])(
    'is retained during a reconcile, and handled next: %s',
    async next => {
      const seed = await harness('Network', {
        actuator: {
          ...actuator,
          reconcile: async () => {
            if (seed.calls.length === 1) await ask(seed, next)
            return { kind: 'done' }
          },
        },
      })
      await seed.create({ annotation: 'reconcile' })
      await seed.step()
      await seed.clock.advance(2_000)
      await seed.step()
      expect(seed.calls.map(({ operation }) => operation)).toEqual(['reconcile', next])
    },
  )
})
