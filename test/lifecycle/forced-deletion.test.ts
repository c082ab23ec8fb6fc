import { describe, expect, test } from 'vitest'
import { annotations } from '../../shared/contract/constants.ts'
import { RequeueAfterError } from '../../shared/contract/errors.ts'
import { clusterKind, kinds } from '../../shared/contract/kinds.ts'
import { type Kubernetes, KubernetesError } from '../../shared/kubernetes/kubernetes.ts'
import {
  continueAfter,
  longestForcedMs,
  type StepContext,
  type StepResult,
} from '../../shared/lifecycle/lifecycle.ts'
import {
  confirmed,
  eventsOf,
  fail,
  failure,
  forced,
  hang,
  lastStatus,
  marginMs,
  untilGone,
} from './forced-seed.ts'
import { type Harness, harness } from './harness.ts'
import { shootNamespace } from './sample-objects.ts'

describe('a forced deletion that cannot complete', () => {
  test.each<[string, () => Promise<StepResult>]>([
    ['an error', fail],
    ['an error with a delay', async () => Promise.reject(new RequeueAfterError(failure, 30_000))],
    ['an error with a long delay', async () => Promise.reject(new RequeueAfterError(failure, 3_600_000))],
    ['a wait without an end', async () => continueAfter(10_000, 1, 'waiting for its turn')],
    ['a wait that wants the next step at once', async () => continueAfter(0, 1, 'waiting for its turn')],
    ['a wait of an hour', async () => continueAfter(3_600_000, 1, 'waiting for its turn')],
    ['an actuator that never ends', hang],
  ])('ends after 90 s in spite of %s', async (_, forceRemove) => {
    const { seed } = await forced({ forceRemove })
    const took = await untilGone(seed)
    expect(await seed.isGone()).toBe(true)
    expect(took).toBeGreaterThanOrEqual(longestForcedMs)
    expect(took).toBeLessThanOrEqual(longestForcedMs + marginMs)
  })

  test('ends after 90 s although its failures and waits alternate', async () => {
    let round = 0
    const forceRemove = async () => (round++ % 2 === 0 ? fail() : continueAfter(1_000, 1, 'waiting'))
    const { seed } = await forced({ forceRemove })
    expect(await untilGone(seed)).toBeLessThanOrEqual(longestForcedMs + marginMs)
    expect(round).toBeGreaterThan(4)
  })

  test('has all of its time, however long the delete had failed before it was forced', async () => {
    const seed = await harness('Bastion', { actuator: { remove: fail, forceRemove: fail } })
    await seed.create({ finalizers: [kinds.Bastion.finalizer()] })
    await seed.remove()
    for (let step = 0; step < 12; step++) {
      await seed.step({ id: await seed.dueId() })
      await seed.clock.advance(1_000_000)
    }
    await seed.patch({ metadata: confirmed })
    const before = seed.calls.length
    expect(await untilGone(seed)).toBeGreaterThanOrEqual(longestForcedMs)
    expect(seed.calls.slice(before).map(({ operation }) => operation)).toEqual(
      Array.from({ length: 7 }, () => 'forceRemove'),
    )
  })

  test('does not begin again with each request of gardenlet', async () => {
    const { seed } = await forced({ forceRemove: fail })
    let requests = 0
    const began = seed.clock.now()
    while (!(await seed.isGone()) && requests++ < 200) {
      await seed.patch({
        metadata: { annotations: { [annotations.timestamp]: `2026-11-21T12:${requests}` } },
      })
      await seed.step()
      await seed.clock.advance(10_000)
    }
    expect(seed.clock.now() - began).toBeLessThanOrEqual(longestForcedMs + 2 * 10_000)
  })

  test('does not begin again if each step is killed', async () => {
    const { seed } = await forced({ forceRemove: hang })
    const began = seed.clock.now()
    const died = new Error('the process has crashed')
    let steps = 0
    while (!(await seed.isGone()) && steps++ < 20) {
      let isDead = false
      const dying: Kubernetes = {
        ...seed.observed,
        patch: async (...args) => {
          if (isDead) throw died
          return seed.observed.patch(...args)
        },
      }
      void seed.step({ id: await seed.dueId() }, dying)
      await seed.clock.advance(0)
      isDead = true
      const due = await seed.due()
      if (due?.kind === 'later') await seed.clock.advance(due.at - seed.clock.now())
    }
    // A killed step holds its claim until the end of its last write.
    expect(seed.clock.now() - began).toBeLessThanOrEqual(longestForcedMs + 2 * 15_000)
  })

  test.each([-3_600_000, 3_600_000])(
    'has its time if one process has a clock that is off by %s ms',
    async off => {
      const { seed } = await forced({ forceRemove: fail })
      const { now } = seed.clock
      await seed.step({ id: await seed.dueId() })
      seed.clock.now = () => now() + off
      await seed.clock.advance(1_000)
      await seed.step({ id: await seed.dueId() })
      seed.clock.now = now
      expect(await seed.isGone()).toBe(false)
      const took = await untilGone(seed)
      expect(took).toBeGreaterThan(longestForcedMs - 30_000)
      expect(took).toBeLessThan(longestForcedMs + 30_000)
    },
  )

  test('writes nothing after the release, even if its actuator is still running', async () => {
    const contexts: StepContext[] = []
    const { seed } = await forced({
      forceRemove: step => {
        contexts.push(step)
        return hang()
      },
    })
    await untilGone(seed)
    const before = seed.requests.length
    for (const { throwIfExpired, kubernetes, saveStatus } of contexts) {
      expect(throwIfExpired).toThrow()
      await expect(kubernetes.delete(kinds.DNSRecord.resource, { name: 'it' })).rejects.toThrow()
      await expect(saveStatus({ zone: 'late' })).rejects.toThrow()
    }
    expect(seed.requests.slice(before).filter(({ verb }) => verb !== 'get')).toEqual([])
  })

  const refusing = (seed: Harness, refused: string): Kubernetes => ({
    ...seed.observed,
    create: async (of, ...args) => {
      if (of.plural === refused) throw new KubernetesError(403, 'Forbidden', 'no')
      return seed.observed.create(of, ...args)
    },
    patch: async (of, key, patch, options) => {
      if (`${of.plural}/${options?.subresource}` === refused)
        throw new KubernetesError(403, 'Forbidden', 'no')
      return seed.observed.patch(of, key, patch, options)
    },
  })

  test.each(['events', 'dnsrecords/status'])(
    'ends although the API server refuses writes of %s',
    async refused => {
      const { seed, lines } = await forced({ forceRemove: fail })
      expect(await untilGone(seed, refusing(seed, refused))).toBeLessThanOrEqual(longestForcedMs + marginMs)
      expect(await seed.isGone()).toBe(true)
      expect(lines.at(-1)).toMatchObject({ message: expect.stringMatching(/^cannot write|incomplete$/) })
    },
  )

  test('ends although the API server does not answer the request for its Event', async () => {
    const { seed } = await forced({ forceRemove: fail })
    const silent: Kubernetes = {
      ...seed.observed,
      create: (_, __, { signal } = {}) =>
        new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    }
    expect(await untilGone(seed, silent)).toBeLessThanOrEqual(longestForcedMs + 5_000 + marginMs)
    expect(await seed.isGone()).toBe(true)
  })

  test('is retried with backoff if its finalizer cannot be removed, and reports the reason once', async () => {
    const { seed } = await forced({ forceRemove: fail })
    let refusals = 0
    const port: Kubernetes = {
      ...seed.observed,
      patch: async (of, key, patch, options) => {
        if ('finalizers' in Object(Object(patch).metadata) && refusals++ < 3)
          throw new KubernetesError(500, 'InternalError', 'etcd is slow')
        return seed.observed.patch(of, key, patch, options)
      },
    }
    await untilGone(seed, port)
    expect(refusals).toBe(4)
    expect(await eventsOf(seed)).toHaveLength(1)
    expect(lastStatus(seed).match(/the forced deletion is incomplete/g)).toHaveLength(2)
    expect(lastStatus(seed)).toContain('reaching the cloud: no')
  })

  test.each([
    [
      'is gone',
      async (seed: Harness) => seed.kubernetes.delete(clusterKind.resource, { name: shootNamespace }),
    ],
    [
      'cannot be decoded',
      async (seed: Harness) =>
        seed.kubernetes.patch(
          clusterKind.resource,
          { name: shootNamespace },
          { spec: { shoot: { spec: 'none' } } },
        ),
    ],
  ])('remains forced if the Cluster %s', async (_, change) => {
    const { seed } = await forced({ forceRemove: fail })
    await seed.step()
    await change(seed)
    expect(await untilGone(seed)).toBeLessThanOrEqual(longestForcedMs + marginMs)
    expect(new Set(seed.calls.map(({ operation }) => operation))).toEqual(new Set(['forceRemove']))
  })

  test('remains forced if the Cluster cannot be read', async () => {
    const { seed } = await forced({ forceRemove: fail })
    await seed.step()
    const port: Kubernetes = {
      ...seed.observed,
      get: async (of, ...args) => {
        if (of.plural === 'clusters') throw new KubernetesError(503, 'ServiceUnavailable', 'no')
        return seed.observed.get(of, ...args)
      },
    }
    expect(await untilGone(seed, port)).toBeLessThanOrEqual(longestForcedMs + marginMs)
    expect(await seed.isGone()).toBe(true)
  })
})
