import { afterEach, describe, expect, test } from 'vitest'
import { type ApiServer, createApiServer } from '../../sandbox/kubernetes/kubernetes.ts'
import { type VirtualClock, virtualClock } from '../clock/clock.ts'
import { namespaces } from '../kubernetes/core-resources.ts'
import type { Kubernetes } from '../kubernetes/kubernetes.ts'
import { createKubernetes } from '../kubernetes/kubernetes.ts'
import type { Log } from '../log/log.ts'
import { createElection } from './election.ts'
import type { Leadership } from './leadership.ts'
import { leaseOf, leases } from './lease.ts'

const lease = { namespace: 'trellis', name: 'trellis-bridge' }
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

interface Candidate {
  readonly leadership: Leadership
  /** The reported changes of its leadership. */
  readonly announced: readonly boolean[]
  stop(): Promise<void>
}

let clock: VirtualClock
let server: ApiServer
let kubernetes: Kubernetes
const candidates = new Set<Candidate>()

const createNamespace = () =>
  kubernetes.create(namespaces, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: lease.namespace },
  })

const begin = async () => {
  clock = virtualClock(Date.parse('2026-11-21T12:00:00.000Z'))
  server = createApiServer({ clock, objects: [] })
  kubernetes = createKubernetes({ transport: server.transport, clock, random: () => 0.5 })
  await createNamespace()
}

const join = async (
  identity: string,
  port: Kubernetes = kubernetes,
  log: Log = silent,
): Promise<Candidate> => {
  const announced: boolean[] = []
  const controller = new AbortController()
  const leadership = createElection({
    kubernetes: port,
    lease,
    identity,
    times: { durationMs: 15_000, renewMs: 10_000, retryMs: 2_000 },
    clock,
    elapsed: clock.now,
    log,
    random: () => 0.5,
  })
  let ended = false
  const running = leadership.run(controller.signal, leading => announced.push(leading))
  void running.then(() => {
    ended = true
  })
  const candidate: Candidate = {
    leadership,
    announced,
    stop: async () => {
      candidates.delete(candidate)
      controller.abort()
      for (let step = 0; !ended && step < 50; step++) await clock.advance(100)
      expect(ended, `${identity} ends`).toBe(true)
    },
  }
  candidates.add(candidate)
  await clock.advance(0)
  return candidate
}

const holder = async () => {
  const object = await kubernetes.get(leases, lease)
  return object === undefined ? undefined : leaseOf(object).holder
}

afterEach(async () => {
  server.faults.clear()
  for (const candidate of candidates) await candidate.stop()
  expect(clock.pending(), 'no timer is left behind').toEqual([])
  server.close()
})

describe('the election', () => {
  test('the first candidate becomes the leader at once, and writes a Lease as client-go does', async () => {
    await begin()
    const first = await join('a')
    expect(first.leadership.leading()).toBe(true)
    expect(first.announced).toEqual([true])
    expect((await kubernetes.get(leases, lease))?.spec).toEqual({
      holderIdentity: 'a',
      leaseDurationSeconds: 15,
      acquireTime: '2026-11-21T12:00:00.000000Z',
      renewTime: '2026-11-21T12:00:00.000000Z',
      leaseTransitions: 0,
    })
  })

  test('a missing namespace is reported once, and the candidate leads when it exists', async () => {
    await begin()
    await kubernetes.delete(namespaces, { name: lease.namespace })
    const warnings: unknown[] = []
    const log: Log = { ...silent, warn: (_, fields) => warnings.push(fields) }
    const only = await join('a', kubernetes, log)
    await clock.advance(10_000)
    expect(only.leadership.leading()).toBe(false)
    expect(warnings).toMatchObject([{ error: { message: 'the namespace trellis does not exist' } }])
    await createNamespace()
    await clock.advance(3_000)
    expect(only.leadership.leading()).toBe(true)
  })

  test('no other candidate leads while the leader renews', async () => {
    await begin()
    const first = await join('a')
    const second = await join('b')
    for (let seconds = 0; seconds < 120; seconds++) {
      await clock.advance(1_000)
      expect([first.leadership.leading(), second.leadership.leading()]).toEqual([true, false])
    }
    expect(first.announced).toEqual([true])
    expect(second.announced).toEqual([])
  })

  test('another candidate leads at once when the leader ends', async () => {
    await begin()
    const first = await join('a')
    const second = await join('b')
    await clock.advance(30_000)
    await first.stop()
    await clock.advance(0)
    expect(first.announced).toEqual([true, false])
    expect(second.leadership.leading()).toBe(true)
    expect(leaseOf((await kubernetes.get(leases, lease)) ?? fail())).toMatchObject({
      holder: 'b',
      transitions: 1,
    })
  })

  test('another candidate leads at once when the leader ends during a renewal that the API server has stored', async () => {
    await begin()
    let isAnswerLost = false
    const first = await join('a', {
      ...kubernetes,
      replace: async (...of) => {
        const stored = await kubernetes.replace(...of)
        const [, , { signal } = {}] = of
        if (isAnswerLost && !signal?.aborted)
          await new Promise((_, reject) => {
            signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
          })
        return stored
      },
    })
    const second = await join('b')
    isAnswerLost = true
    await clock.advance(2_000)
    const stopping = first.stop()
    isAnswerLost = false
    await stopping
    await clock.advance(0)
    expect(second.leadership.leading()).toBe(true)
    expect(await holder()).toBe('b')
  })

  test('the lease of a killed leader is taken over when it was not renewed for its duration', async () => {
    await begin()
    // A Lease of a crashed process, which never renews it.
    await kubernetes.create(leases, {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: lease,
      // Times from another process's clock have no effect.
      spec: {
        holderIdentity: 'dead',
        leaseDurationSeconds: 15,
        renewTime: '1999-01-01T00:00:00.000000Z',
        leaseTransitions: 4,
      },
    })
    const next = await join('b')
    await clock.advance(14_000)
    expect(next.leadership.leading()).toBe(false)
    await clock.advance(4_000)
    expect(next.leadership.leading()).toBe(true)
    expect(await holder()).toBe('b')
  })

  test('the leadership ends before others may take it when the API server does not respond', async () => {
    await begin()
    const first = await join('a')
    await clock.advance(1_000)
    server.faults.freeze()
    await clock.advance(8_000)
    expect(first.leadership.leading()).toBe(true)
    await clock.advance(3_000)
    expect(first.leadership.leading()).toBe(false)
    expect(first.announced).toEqual([true, false])
    server.faults.thaw()
    await clock.advance(2_500)
    expect(first.announced).toEqual([true, false, true])
  })

  test('the leader knows from the clock that its time is over, before any timer has fired', async () => {
    await begin()
    let jump = 0
    const leadership = createElection({
      kubernetes,
      lease,
      identity: 'paused',
      times: { durationMs: 15_000, renewMs: 10_000, retryMs: 2_000 },
      clock,
      elapsed: () => clock.now() + jump,
      log: silent,
    })
    const controller = new AbortController()
    const running = leadership.run(controller.signal, () => undefined)
    await clock.advance(0)
    expect(leadership.leading()).toBe(true)
    jump = 60_000
    expect(leadership.leading()).toBe(false)
    controller.abort()
    await clock.advance(2_000)
    await running
  })

  test('there is always some activity, but none once a request hangs and cannot be ended', async () => {
    await begin()
    let isStuck = false
    const gate = Promise.withResolvers<never>()
    const stuckWhen = <T>(request: () => Promise<T>) => (isStuck ? gate.promise : request())
    const first = await join('a', {
      ...kubernetes,
      get: (...of) => stuckWhen(() => kubernetes.get(...of)),
      replace: (...of) => stuckWhen(() => kubernetes.replace(...of)),
    })
    const silentFor = () => clock.now() - (first.leadership.lastActivity?.() ?? 0)
    server.faults.freeze()
    for (let minute = 0; minute < 10; minute++) {
      await clock.advance(60_000)
      expect(silentFor()).toBeLessThan(120_000)
    }
    server.faults.thaw()
    await clock.advance(60_000)
    expect(first.leadership.leading()).toBe(true)
    isStuck = true
    await clock.advance(600_000)
    expect(silentFor()).toBeGreaterThan(500_000)
    expect(first.leadership.leading()).toBe(false)
    isStuck = false
    gate.reject(new Error('the test is over'))
  })

  test('the leader steps back when another candidate has taken the lease', async () => {
    await begin()
    const first = await join('a')
    const object = await kubernetes.get(leases, lease)
    await kubernetes.replace(leases, {
      ...(object ?? fail()),
      spec: { holderIdentity: 'b', leaseDurationSeconds: 15 },
    })
    await clock.advance(0)
    expect(first.announced).toEqual([true, false])
    expect(await holder()).toBe('b')
  })

  test('the leader continues when its Lease is deleted', async () => {
    await begin()
    const first = await join('a')
    await kubernetes.delete(leases, lease)
    await clock.advance(0)
    expect(first.leadership.leading()).toBe(true)
    expect(await holder()).toBe('a')
  })

  test('two candidates never lead at the same time, whatever requests fail', async () => {
    await begin()
    const all = [await join('a'), await join('b'), await join('c')]
    const leaders = () => all.filter(({ leadership }) => leadership.leading()).length
    for (let second = 0; second < 600; second++) {
      server.faults.add({ effect: { kind: 'answer', code: 500 }, times: (second * 7) % 5 })
      if (second % 97 === 60) server.faults.freeze()
      if (second % 97 === 80) server.faults.thaw()
      await clock.advance(1_000)
      expect(leaders()).toBeLessThanOrEqual(1)
    }
    server.faults.clear()
    server.faults.thaw()
    await clock.advance(20_000)
    expect(leaders()).toBe(1)
    expect(all.flatMap(({ announced }) => announced).length).toBeGreaterThan(6)
  })
})

const fail = (): never => {
  throw new Error('there is no lease')
}
