import { describe, expect, test } from 'vitest'
import { annotations } from '../../shared/contract/constants.ts'
import { RequeueAfterError } from '../../shared/contract/errors.ts'
import { clusterKind, kinds } from '../../shared/contract/kinds.ts'

import { eventResource, type Kubernetes, KubernetesError } from '../../shared/kubernetes/kubernetes.ts'
import {
  type Actuator,
  continueAfter,
  done,
  longestForcedMs,
  orphaning,
  type StepContext,
  type StepResult,
} from '../../shared/lifecycle/lifecycle.ts'
import type { Log } from '../../shared/log/log.ts'
import { type Harness, type HarnessOptions, harness } from './harness.ts'
import { shootNamespace } from './sample-objects.ts'

const failure = new Error('reaching the cloud: no')
const fail = async () => {
  throw failure
}
const hang = () => new Promise<never>(() => {})
const confirmed = { annotations: { [annotations.forceDeletionConfirmation]: 'true' } }

/** Returns a seed with a DNSRecord in forced deletion, and the function's log. */
const forced = async (actuator: Partial<Actuator>, options: HarnessOptions = {}) => {
  const lines: { readonly message: string }[] = []
  const note = (message: string, fields?: object) => void lines.push({ message, ...fields })
  const log: Log = { debug: note, info: note, warn: note, error: note }
  const seed = await harness('DNSRecord', { shoot: { metadata: confirmed }, actuator, log, ...options })
  await seed.create({ finalizers: [kinds.DNSRecord.finalizer()] })
  await seed.remove()
  return { seed, lines }
}

/** Sends each event when it is due, until the object is gone or 20 minutes have passed. Returns how long that took. */
const untilGone = async (seed: Harness, port?: Kubernetes): Promise<number> => {
  const began = seed.clock.now()
  const limit = began + 20 * 60_000
  while (!(await seed.isGone()) && seed.clock.now() < limit) {
    // As the bridge: the length of a wait or claim by its own clock.
    if ((await seed.due())?.kind === 'later')
      await seed.clock.advance((await seed.stepAnnotation())?.durationMs ?? 0)
    let isOver = false
    const step = seed.step({ id: await seed.dueId() }, port).finally(() => {
      isOver = true
    })
    while (!isOver) await seed.clock.advance(1_000)
    await step
  }
  return seed.clock.now() - began
}

const eventsOf = async (seed: Harness) =>
  (await seed.kubernetes.list(eventResource, { namespace: shootNamespace })).items as readonly {
    readonly reason?: string
    readonly type?: string
    readonly message?: string
    readonly involvedObject?: object
  }[]

/** The last status that the function wrote. */
const lastStatus = (seed: Harness) => JSON.stringify(seed.statusWrites().at(-1))

/** Time for the writes of the last step, which the tests measure in whole seconds. */
const marginMs = 5_000

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

  test('names in its last status, an Event and the log what may remain and why, before the finalizer goes', async () => {
    const { seed, lines } = await forced({ forceRemove: fail, orphans: () => ['record api.example.com'] })
    const { uid } = (await seed.live()).metadata
    await untilGone(seed)
    expect(lastStatus(seed)).toContain('record api.example.com')
    expect(seed.statusWrites().at(-1)).toMatchObject({
      status: {
        lastOperation: { type: 'Delete', state: 'Error' },
        lastError: {
          description:
            'Error deleting DNSRecord: the forced deletion is incomplete: it did not end within 90 s, and reported: Error deleting DNSRecord: reaching the cloud: no. These may still exist: record api.example.com. Delete them by hand',
          codes: null,
        },
      },
    })
    const writes = seed.requests.filter(({ verb }) => verb !== 'get').slice(-3)
    expect(writes.map(({ verb, resource }) => `${verb} ${resource}`)).toEqual([
      'patch dnsrecords/status',
      'create events',
      'patch dnsrecords',
    ])
    expect(await eventsOf(seed)).toMatchObject([
      {
        type: 'Warning',
        reason: 'Orphaned',
        message: expect.stringMatching(/reaching the cloud: no.*record api\.example\.com/),
        involvedObject: { kind: 'DNSRecord', name: 'it', namespace: shootNamespace, uid },
      },
    ])
    expect(lines).toContainEqual({
      message: 'forced deletion is incomplete',
      kind: 'DNSRecord',
      object: `${shootNamespace}/it`,
      mayExist: 'record api.example.com',
      why: expect.stringContaining('reaching the cloud: no'),
    })
  })

  test('names nothing if nothing can remain', async () => {
    const { seed } = await forced({ forceRemove: fail, orphans: () => [] })
    await untilGone(seed)
    expect((await eventsOf(seed))[0]?.message).toMatch(
      / and reported: Error deleting DNSRecord: reaching the cloud: no$/,
    )
  })

  test.each<[string, Partial<Actuator>]>([
    ['has no list of what may remain', {}],
    ['returns no list', { orphans: () => undefined as never }],
    [
      'cannot name what remains of an invalid object',
      {
        orphans: () => {
          throw new TypeError('spec is undefined')
        },
      },
    ],
  ])('names the object if its function %s', async (_, actuator) => {
    const { seed } = await forced({ forceRemove: fail, ...actuator })
    await untilGone(seed)
    const text = `everything that was created for the DNSRecord ${shootNamespace}/it`
    expect(lastStatus(seed)).toContain(text)
    expect((await eventsOf(seed))[0]?.message).toContain(text)
  })

  test('names a thousand things within the limits of an Event and a status, and counts the others', async () => {
    const orphans = () => Array.from({ length: 1_000 }, (_, index) => `record ${index} ${'ü'.repeat(1_000)}`)
    const { seed, lines } = await forced({
      forceRemove: () => Promise.reject(new Error('ü'.repeat(9_000))),
      orphans,
    })
    await untilGone(seed)
    const message = (await eventsOf(seed))[0]?.message ?? ''
    expect(Buffer.byteLength(message)).toBeLessThanOrEqual(1_024)
    expect(message).toMatch(/record 0 ü+…, record 1 ü+… and 998 more\. Delete them by hand$/)
    expect(Buffer.byteLength(lastStatus(seed))).toBeLessThan(16_384)
    expect(JSON.stringify(lines.at(-1)).length).toBeLessThan(32_768)
  })

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

describe('a forced deletion that leaves things behind on purpose', () => {
  test.each<[string, Partial<Actuator>, string]>([
    [
      'its actuator reports them',
      { forceRemove: async () => orphaning('the account is not touched', ['VPC vpc-1']) },
      'the account is not touched',
    ],
    [
      'its function deletes nothing',
      { orphans: () => ['VPC vpc-1'] },
      'its function deletes nothing by force',
    ],
  ])('names them when %s', async (_, actuator, why) => {
    const { seed, lines } = await forced(actuator)
    expect(await seed.step()).toEqual({ kind: 'recorded', how: 'succeeded' })
    expect(await seed.isGone()).toBe(true)
    expect(seed.statusWrites().at(-1)).toMatchObject({
      status: {
        lastOperation: {
          state: 'Succeeded',
          description: `Successfully deleted DNSRecord, but the forced deletion is incomplete: ${why}. These may still exist: VPC vpc-1. Delete them by hand`,
        },
      },
    })
    expect((await eventsOf(seed)).map(({ message }) => message)).toEqual([
      expect.stringContaining('VPC vpc-1'),
    ])
    expect(lines).toContainEqual(expect.objectContaining({ mayExist: 'VPC vpc-1', why }))
  })

  test.each<[string, Partial<Actuator>]>([
    ['deleted everything', { forceRemove: async () => done(), orphans: () => ['VPC vpc-1'] }],
    ['never has anything outside', { orphans: () => [] }],
    ['found nothing', { forceRemove: async () => orphaning('nothing was found', []) }],
  ])('reports nothing if its function %s', async (_, actuator) => {
    const { seed, lines } = await forced(actuator)
    await seed.step()
    expect(await seed.isGone()).toBe(true)
    expect(await eventsOf(seed)).toEqual([])
    expect(lastStatus(seed)).toContain('"Successfully deleted DNSRecord"')
    expect(lines.map(({ message }) => message)).toEqual(['step succeeded'])
  })

  test('shows no value of the Secret that its actuator read', async () => {
    const { seed, lines } = await forced({
      forceRemove: async ({ findSecret }) => {
        const { key } = (await findSecret())?.data ?? {}
        return orphaning(`it said ${key}`, [`token ${key}`])
      },
    })
    await seed.step()
    const shown = JSON.stringify([seed.statusWrites(), await eventsOf(seed), lines])
    expect(shown).toContain('token [redacted]')
    expect(shown).not.toContain('planted')
  })
})
