import { describe, expect, test } from 'vitest'
import { secrets } from '../../kubernetes/core-resources.ts'
import type { Kubernetes } from '../../kubernetes/kubernetes.ts'
import { registrations } from '../admission/admission.ts'
import { tinyWebhook } from '../admission/testing/tiny-webhook.ts'
import { clusterKeyName } from './registration/cluster-paths.ts'
import { review, useWebhookSeed } from './testing/use-webhook-seed.ts'
import { configurations, following, namespace } from './testing/webhook-seed.ts'

const begin = useWebhookSeed()
const keyName = { namespace, name: clusterKeyName('provider-tiny') }
const times = { syncMs: 60_000, trustMs: 120_000, overlapMs: 900_000 }

/** Writes a configuration of an older process, with paths without a proof. */
const writeFormer = async (kubernetes: Kubernetes): Promise<void> => {
  const [former] = registrations([tinyWebhook()], { namespace, caBundleOf: () => '' })
  if (former !== undefined) await kubernetes.create(configurations, former)
}

describe('the path of a webhook in the cluster', () => {
  test('has a proof, and a request without it gets no answer', async () => {
    const { start, ask, named, trusted } = await begin()
    const replica = await start()
    await replica.registered
    const path = await named('/tiny/tiny')
    expect(path).toMatch(/^\/tiny\/tiny\/[0-9a-f]{64}$/)
    const ca = await trusted()
    expect(await ask(replica, path, review, { ca })).toMatchObject({ status: 200 })
    const other = `${path.slice(0, -2)}${path.at(-2) === 'a' ? 'b' : 'a'}${path.at(-1)}`
    for (const wrong of [
      '/tiny/tiny/',
      other,
      path.toUpperCase().replace('/TINY/TINY', '/tiny/tiny'),
      `${path}/`,
      `${path}=`,
      path.replace('tiny/tiny', 'tiny/other'),
    ])
      expect(await ask(replica, wrong, review, { ca }), wrong).toMatchObject({ status: 404 })
  })

  test('is known to every replica before a configuration has it', async () => {
    const { start, ask, named } = await begin()
    const follower = await start({ leadership: following })
    const leader = await start()
    await leader.registered
    expect(await named('/tiny/tiny')).not.toBe('/tiny/tiny')
    expect(await ask(follower, '/tiny/tiny', review)).toMatchObject({ status: 200 })
  })

  test('remains without a proof until every replica accepts proofs', async () => {
    const { start, ask, named, kubernetes, clock } = await begin()
    await writeFormer(kubernetes)
    const leader = await start({ settings: times })
    await leader.registered
    const follower = await start({ leadership: following, settings: times })
    for (let minute = 0; minute < 15; minute++) {
      expect(await named('/tiny/tiny')).toBe('/tiny/tiny')
      for (const replica of [leader, follower])
        expect(await ask(replica, '/tiny/tiny', review)).toMatchObject({ status: 200 })
      await clock.advance(60_000)
    }
    await clock.advance(60_000)
    expect(await named('/tiny/tiny')).not.toBe('/tiny/tiny')
    for (let minute = 0; minute < 5; minute++) {
      for (const replica of [leader, follower])
        expect(await ask(replica, '/tiny/tiny', review)).toMatchObject({ status: 200 })
      await clock.advance(60_000)
    }
  })

  test('is refused without a proof once no configuration has it in that form', async () => {
    const { start, ask, named, kubernetes, clock, trusted } = await begin()
    await writeFormer(kubernetes)
    const replica = await start({ settings: times })
    await replica.registered
    for (let minute = 0; minute < 20; minute++) await clock.advance(60_000)
    expect(await named('/tiny/tiny')).not.toBe('/tiny/tiny')
    // Not exactly `/tiny/tiny`, because `ask` replaces that by the configured path.
    expect(await ask(replica, '/tiny//tiny', review, { ca: await trusted() })).toMatchObject({ status: 404 })
    expect(await ask({ port: replica.port }, '/tiny/tiny?', review)).toMatchObject({ status: 404 })
  })

  test('changes with the key, and is served throughout', async () => {
    const { start, ask, named, kubernetes, clock } = await begin()
    const leader = await start({ settings: times })
    await leader.registered
    const follower = await start({ leadership: following, settings: times })
    const before = await named('/tiny/tiny')
    await kubernetes.delete(secrets, keyName)
    const seen = new Set<string>()
    for (let minute = 0; minute < 6; minute++) {
      await clock.advance(60_000)
      seen.add(await named('/tiny/tiny'))
      for (const replica of [leader, follower])
        expect(await ask(replica, '/tiny/tiny', review)).toMatchObject({ status: 200 })
    }
    expect([...seen]).toEqual([before, await named('/tiny/tiny')])
    // A new replica also knows the key.
    expect(await ask(await start({ leadership: following }), '/tiny/tiny', review)).toMatchObject({
      status: 200,
    })
  })

  test('is served throughout, even if a replica that does not know the former key creates another one', async () => {
    const { start, ask, named, kubernetes, clock } = await begin()
    const leader = await start({ settings: times })
    await leader.registered
    const follower = await start({ leadership: following, settings: times })
    const before = await named('/tiny/tiny')
    // The follower has synced. The leader syncs next, then the follower.
    await clock.advance(60_000)
    await kubernetes.delete(secrets, keyName)
    await start({ leadership: following, settings: times })
    await clock.advance(60_000)
    expect(await named('/tiny/tiny')).toBe(before)
    for (let minute = 0; minute < 5; minute++) {
      for (const replica of [leader, follower])
        expect(await ask(replica, '/tiny/tiny', review)).toMatchObject({ status: 200 })
      await clock.advance(60_000)
    }
    expect(await named('/tiny/tiny')).not.toBe(before)
  })

  test('remains without a proof in an upgrade after a rollback, during which the key became old', async () => {
    const { start, named, kubernetes, clock } = await begin()
    await writeFormer(kubernetes)
    const made = new Date(clock.now()).toISOString()
    await kubernetes.create(secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: keyName,
      data: {
        'path.key': Buffer.alloc(32, 1).toString('base64'),
        made: Buffer.from(made).toString('base64'),
      },
    })
    await clock.advance(2 * times.overlapMs)
    const leader = await start({ settings: times })
    await leader.registered
    expect(await named('/tiny/tiny')).toBe('/tiny/tiny')
    for (let minute = 0; minute < 17; minute++) await clock.advance(60_000)
    expect(await named('/tiny/tiny')).not.toBe('/tiny/tiny')
  })

  test('has another key if that of the Secret is unusable', async () => {
    const { start, ask, kubernetes } = await begin()
    await kubernetes.create(secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: keyName,
      data: { 'path.key': Buffer.from('short').toString('base64') },
    })
    const replica = await start()
    await replica.registered
    expect(await ask(replica, '/tiny/tiny', review)).toMatchObject({ status: 200 })
  })
})
