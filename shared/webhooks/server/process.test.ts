import { describe, expect, test } from 'vitest'
import { tinyWebhook } from '../admission/testing/tiny-webhook.ts'
import { review, shownBy, useWebhookSeed } from './testing/use-webhook-seed.ts'
import { configurations, following, namespace } from './testing/webhook-seed.ts'

const begin = useWebhookSeed()

describe('a webhook process', () => {
  test('registers its webhooks, and answers callers that trust its configuration', async () => {
    const { start, ask, configuration } = await begin()
    const replica = await start()
    await replica.registered
    const { status, body } = await ask(replica, '/tiny/tiny', review)
    expect(status).toBe(200)
    expect(JSON.parse(body)).toMatchObject({ response: { allowed: true, patchType: 'JSONPatch' } })
    expect((await configuration())?.metadata).toMatchObject({
      labels: { 'remediation.webhook.shoot.gardener.cloud/exclude': 'true' },
      ownerReferences: [{ kind: 'Namespace', name: namespace, controller: true, blockOwnerDeletion: false }],
    })
  })

  test('writes nothing if everything is up to date', async () => {
    const { start, clock, writes } = await begin()
    const replica = await start()
    await replica.registered
    writes.length = 0
    await clock.advance(600_000)
    expect(writes).toEqual([])
  })

  test('repairs a configuration that was changed outside', async () => {
    const { start, clock, kubernetes, configuration } = await begin()
    const replica = await start()
    await replica.registered
    const before = await configuration()
    await kubernetes.patch(configurations, { name: 'gardener-extension-provider-tiny' }, { webhooks: [] })
    await clock.advance(60_000)
    expect((await configuration())?.webhooks).toEqual(before?.webhooks)
  })

  test('without leadership writes no configuration, and presents the leader’s certificate', async () => {
    const { start, clock, configuration, kubernetes } = await begin()
    const follower = await start({ leadership: following })
    await clock.advance(120_000)
    expect(await configuration()).toBeUndefined()
    const leader = await start()
    await leader.registered
    expect(await shownBy(follower.port)).toBe(await shownBy(leader.port))
    const secrets = await kubernetes.list(
      { group: '', version: 'v1', plural: 'secrets', namespaced: true },
      { namespace },
    )
    // A CA, its bundle, a certificate and the key of the paths.
    expect(secrets.items).toHaveLength(4)
  })

  test('is ready once it serves, and no longer when it shuts down', async () => {
    const { start, clock } = await begin()
    const replica = await start({ settings: { drainAcceptMs: 5_000 } })
    const ready = async () => (await fetch(`http://127.0.0.1:${replica.probePort}/health/readiness`)).status
    expect(await ready()).toBe(200)
    const closing = replica.close()
    expect(await ready()).toBe(503)
    await clock.advance(5_000)
    await closing
  })

  test('waits for an unavailable API server', async () => {
    const { start, server, clock, log } = await begin()
    server.faults.add({ effect: { kind: 'answer', code: 403 }, times: 3 })
    const starting = start()
    await expect.poll(() => log.map(({ message }) => message)).toContain('no certificate yet')
    for (let step = 0; step < 20; step++) await clock.advance(1_000)
    await (await starting).registered
  })
})

describe('a process with an address instead of a Service', () => {
  test('presents one certificate for all of its components, and all of their configurations trust it', async () => {
    const other = tinyWebhook({ component: 'provider-other', name: 'other' })
    const { start, ask, trusted } = await begin([tinyWebhook(), other])
    const replica = await start({ settings: { url: 'https://127.0.0.1:9443' } })
    await replica.registered
    for (const [component, path] of [
      ['provider-tiny', '/tiny/tiny'],
      ['provider-other', '/other/other'],
    ] as const) {
      const ca = await trusted(`gardener-extension-${component}`)
      // A client that connects to an address sends no host name.
      expect(await ask(replica, path, review, { ca, servername: '' })).toMatchObject({ status: 200 })
    }
  })
})

describe('a process for a virtual garden', () => {
  test('is reached by the name of its Service, and its configuration is deleted with the configured namespace', async () => {
    const { start, ask, configuration, kubernetes } = await begin()
    await kubernetes.create(
      { group: '', version: 'v1', plural: 'namespaces', namespaced: false },
      {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: 'extension-tiny' },
      },
    )
    const replica = await start({ settings: { serviceUrls: true, ownerNamespace: 'extension-tiny' } })
    await replica.registered
    const { metadata, webhooks } = (await configuration()) ?? {}
    expect(metadata?.ownerReferences).toMatchObject([{ kind: 'Namespace', name: 'extension-tiny' }])
    expect(webhooks?.[0]?.clientConfig).toMatchObject({
      url: expect.stringMatching(
        /^https:\/\/gardener-extension-provider-tiny\.trellis:443\/tiny\/tiny\/[0-9a-f]{64}$/,
      ),
    })
    const servername = `gardener-extension-provider-tiny.${namespace}`
    expect(await ask(replica, '/tiny/tiny', review, { servername })).toMatchObject({ status: 200 })
  })
})
