import { describe, expect, test } from 'vitest'
import { secrets } from '../../kubernetes/core-resources.ts'
import type { Kubernetes } from '../../kubernetes/kubernetes.ts'
import { review, shownBy, subjectsIn, useWebhookSeed } from './testing/use-webhook-seed.ts'
import { dayMs, following, type ReplicaOptions } from './testing/webhook-seed.ts'

const begin = useWebhookSeed()

test('a deleted CA is trusted until all replicas have a certificate of the next one', async () => {
  const { start, kubernetes, clock, trusted, ask } = await begin()
  const quick = { syncMs: 5_000, trustMs: 5_000, overlapMs: 30_000 }
  const leader = await start({ settings: quick })
  await leader.registered
  const follower = await start({ settings: quick, leadership: following })
  const labelSelector = 'name=ca-provider-tiny-webhook'
  const [authority] = (await kubernetes.list(secrets, { labelSelector })).items
  const { name = '', namespace = '' } = authority?.metadata ?? {}
  const old = (await trusted()).trim()
  /** Both replicas have ended their sync and wait for the next one. Their keys and requests take real time. */
  const bothWait = () =>
    expect
      .poll(() => clock.pending().filter(at => at === clock.now() + quick.syncMs).length)
      .toBeGreaterThanOrEqual(2)
  await kubernetes.delete(secrets, { name, namespace })
  for (let syncs = 0; syncs < 100 && (await trusted()).includes(old); syncs++) {
    for (const replica of [leader, follower])
      expect((await ask(replica, '/tiny/tiny', review)).status).toBe(200)
    await clock.advance(quick.syncMs)
    await bothWait()
  }
  expect(await trusted()).not.toContain(old)
  for (const replica of [leader, follower])
    expect((await ask(replica, '/tiny/tiny', review)).status).toBe(200)
})

describe('a renewed CA', () => {
  const tick = 4 * 3_600_000
  const slow = { syncMs: tick, trustMs: 2 * tick, overlapMs: 3 * tick }

  /** Starts a leader and another replica, and renews their CA: the configurations have both CAs. */
  const renewed = async (more: ReplicaOptions = {}) => {
    const running = await begin()
    const leader = await running.start({ settings: slow, ...more })
    await leader.registered
    const follower = await running.start({ settings: slow, leadership: following })
    const old = await shownBy(leader.port)
    await running.clock.advance(20 * dayMs - tick)
    expect(subjectsIn(await running.trusted())).toHaveLength(1)
    return { ...running, leader, follower, old }
  }

  test('is trusted by API servers before any replica presents one of its certificates', async () => {
    const { clock, trusted, ask, leader, follower, old } = await renewed()
    await clock.advance(tick)
    await expect.poll(async () => subjectsIn(await trusted())).toHaveLength(2)
    expect([await shownBy(leader.port), await shownBy(follower.port)]).toEqual([old, old])
    const issuers = new Set<string>()
    for (let ticks = 0; ticks < 10; ticks++) {
      for (const replica of [leader, follower]) {
        expect((await ask(replica, '/tiny/tiny', review)).status).toBe(200)
        issuers.add(await shownBy(replica.port))
      }
      await clock.advance(tick)
    }
    expect(issuers.size).toBe(2)
    // A day later, only the new CA is trusted, and all replicas present its certificate.
    expect(subjectsIn(await trusted())).toEqual([await shownBy(leader.port)])
    expect(await shownBy(follower.port)).toBe(await shownBy(leader.port))
  })

  test('waits again after another process has taken over', async () => {
    const { start, clock, trusted, leader, follower, old } = await renewed()
    await clock.advance(tick)
    await expect.poll(async () => subjectsIn(await trusted())).toHaveLength(2)
    const closing = leader.close()
    await clock.advance(1_000)
    await closing
    const next = await start({ settings: slow })
    await next.registered
    await clock.advance(tick)
    expect(await shownBy(next.port)).toBe(old)
    // One more sync may be needed, depending on when it saw the bundle first.
    for (let ticks = 0; ticks < 5 && (await shownBy(follower.port)) === old; ticks++)
      await clock.advance(tick)
    expect(await shownBy(next.port)).not.toBe(old)
    expect(await shownBy(follower.port)).toBe(await shownBy(next.port))
  })

  /** Starts a leader whose writes of configurations fail while `target.refuses`. */
  const refused = async () => {
    const seed = await begin()
    const { kubernetes: port } = seed
    const target = { refuses: false }
    const refusing: Kubernetes = {
      ...port,
      patch: (...of) =>
        target.refuses && of[0].group === 'admissionregistration.k8s.io'
          ? Promise.reject(new Error('forbidden'))
          : port.patch(...of),
    }
    const leader = await seed.start({ target: refusing, settings: slow })
    await leader.registered
    const old = await shownBy(leader.port)
    target.refuses = true
    return { ...seed, target, leader, old }
  }

  test('waits while the configurations cannot be written, and is trusted before it is used', async () => {
    const { target, clock, trusted, ask, leader, old } = await refused()
    await clock.advance(20 * dayMs + 10_000)
    expect(await shownBy(leader.port)).toBe(old)
    target.refuses = false
    for (let ticks = 0; ticks < 5 || ((await shownBy(leader.port)) === old && ticks < 100); ticks++) {
      expect((await ask(leader, '/tiny/tiny', review)).status).toBe(200)
      await clock.advance(tick)
    }
    expect(subjectsIn(await trusted())).toHaveLength(2)
    expect(await shownBy(leader.port)).not.toBe(old)
  })

  test('waits for the configurations even beyond the day after which the old CA is dropped', async () => {
    const { target, clock, trusted, ask, leader, old } = await refused()
    await clock.advance(20 * dayMs + 10_000)
    for (let ticks = 0; ticks < 9; ticks++) {
      await clock.advance(tick)
      expect((await ask(leader, '/tiny/tiny', review)).status).toBe(200)
    }
    expect(await shownBy(leader.port)).toBe(old)
    target.refuses = false
    for (let ticks = 0; ticks < 8 || ((await shownBy(leader.port)) === old && ticks < 100); ticks++) {
      await clock.advance(tick)
      expect((await ask(leader, '/tiny/tiny', review)).status).toBe(200)
    }
    // Then the old one is removed as usual.
    expect(await shownBy(leader.port)).not.toBe(old)
    expect(subjectsIn(await trusted())).toEqual([await shownBy(leader.port)])
  })

  test('waits if there was no leader for a day after it was created', async () => {
    const { start, clock, ask, leader, old } = await refused()
    await clock.advance(20 * dayMs + 10_000)
    const closing = leader.close()
    await clock.advance(1_000)
    await closing
    await clock.advance(2 * dayMs)
    const next = await start({ settings: slow })
    await next.registered
    expect(await shownBy(next.port)).toBe(old)
    for (let ticks = 0; ticks < 8 || ((await shownBy(next.port)) === old && ticks < 100); ticks++) {
      expect((await ask(next, '/tiny/tiny', review)).status).toBe(200)
      await clock.advance(tick)
    }
    expect(await shownBy(next.port)).not.toBe(old)
  })
})
