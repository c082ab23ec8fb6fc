import { randomBytes, X509Certificate } from 'node:crypto'
import { connect } from 'node:tls'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { shootRegistrations, type WebhookConfiguration } from '../shared/admission/admission.ts'
import { reviewBody } from '../shared/admission/testing/play-recording.ts'
import { tinyWebhook } from '../shared/admission/testing/tiny-webhook.ts'
import { managedResourceKind } from '../shared/contract/resource-kinds.ts'
import {
  readShootWebhooks,
  resourceNames,
  shootWebhooksName,
  shootWebhooksResource,
} from '../shared/control-plane/control-plane.ts'
import type { Kubernetes } from '../shared/kubernetes/kubernetes.ts'
import { keepManagedResource, readManifests } from '../shared/resources/resources.ts'
import { certificatesIn } from './certificates/certificate-facts.ts'
import {
  dayMs,
  following,
  namespace,
  newWebhookSeed,
  type ReplicaOptions,
  type WebhookSeed,
} from './testing/webhook-seed.ts'

const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'b' } }
const created = { operation: 'CREATE', object } as const

let seed: WebhookSeed | undefined
afterEach(async () => {
  await seed?.close()
  seed = undefined
})

const begin = async (definitions = [tinyWebhook()]): Promise<WebhookSeed> => {
  seed = await newWebhookSeed(definitions)
  return seed
}

const namespaces = { group: '', version: 'v1', plural: 'namespaces', namespaced: false } as const

const review = reviewBody(tinyWebhook(), created)

/** Issuer of what a process shows to whoever names its Service. */
const shownBy = (port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(
      {
        host: '127.0.0.1',
        port,
        servername: `gardener-extension-provider-tiny.${namespace}.svc`,
        rejectUnauthorized: false,
      },
      () => {
        resolve(socket.getPeerX509Certificate()?.issuer ?? '')
        socket.destroy()
      },
    )
    socket.on('error', reject)
  })

const subjectsIn = (bundle: string): readonly string[] =>
  certificatesIn(bundle).map(certificate => new X509Certificate(certificate).subject)

describe('a process', () => {
  test('registers what it serves, and answers whoever trusts its configuration', async () => {
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

  test('writes nothing where everything is as it shall be', async () => {
    const { start, clock, writes } = await begin()
    const replica = await start()
    await replica.registered
    writes.length = 0
    await clock.advance(600_000)
    expect(writes).toEqual([])
  })

  test('mends a configuration that somebody has changed', async () => {
    const { start, clock, kubernetes, configuration } = await begin()
    const replica = await start()
    await replica.registered
    const before = await configuration()
    await kubernetes.patch(
      {
        group: 'admissionregistration.k8s.io',
        version: 'v1',
        plural: 'mutatingwebhookconfigurations',
        namespaced: false,
      },
      { name: 'gardener-extension-provider-tiny' },
      { webhooks: [] },
    )
    await clock.advance(60_000)
    expect((await configuration())?.webhooks).toEqual(before?.webhooks)
  })

  test('that does not lead writes no configuration, and has the certificate of the one that does', async () => {
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
    expect(secrets.items).toHaveLength(3)
  })

  test('hands the configuration for shoots over', async () => {
    const inShoot = tinyWebhook({ target: 'shoot' })
    const { start, kubernetes } = await begin([inShoot])
    const replica = await start()
    await replica.registered
    const handed = await readShootWebhooks(kubernetes, {
      namespace,
      name: shootWebhooksName('provider-tiny'),
    })
    expect(handed?.configuration).toMatchObject({
      metadata: { name: 'gardener-extension-provider-tiny-shoot' },
      webhooks: [
        { clientConfig: { url: `https://gardener-extension-provider-tiny.${namespace}:443/tiny/tiny` } },
      ],
    })
  })

  test('gives shoots that have the configuration the present one, and leaves the others alone', async () => {
    const inShoot = tinyWebhook({ target: 'shoot' })
    const { start, kubernetes, trusted, writes, ask } = await begin([inShoot])
    const [stale] = shootRegistrations([inShoot], { namespace, caBundleOf: () => 'STALE' })
    const addShoot = async (name: string, provider: string) => {
      await kubernetes.create(namespaces, {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: {
          name,
          labels: { 'gardener.cloud/role': 'shoot', 'shoot.gardener.cloud/provider': provider },
        },
      })
      if (stale)
        await keepManagedResource(
          kubernetes,
          shootWebhooksResource({ configuration: stale, pathKey: randomBytes(32) }, name),
        )
    }
    await addShoot('shoot--foo--bar', 'tiny')
    await addShoot('shoot--foo--other', 'other')
    const replica = await start()
    await replica.registered
    const told = async (name: string) => {
      const { resource } = managedResourceKind
      const found = await kubernetes.get(resource, { namespace: name, name: resourceNames.webhooks })
      const [secret] = Object(found?.spec).secretRefs as readonly { readonly name: string }[]
      const content = await kubernetes.get(
        { group: '', version: 'v1', plural: 'secrets', namespaced: true },
        { namespace: name, name: secret?.name ?? '' },
      )
      const [configuration] = (await readManifests(Object(content?.data))) as readonly WebhookConfiguration[]
      return configuration?.webhooks?.[0]?.clientConfig
    }
    expect(await trusted()).toBe('')
    const handed = await readShootWebhooks(kubernetes, {
      namespace,
      name: shootWebhooksName('provider-tiny'),
    })
    const { url = '', caBundle } = (await told('shoot--foo--bar')) ?? {}
    expect(caBundle).toBe(handed?.configuration.webhooks?.[0]?.clientConfig.caBundle)
    const path = url.replace(`https://gardener-extension-provider-tiny.${namespace}:443`, '')
    expect(path).toMatch(/^\/tiny\/tiny\/shoot--foo--bar\/[\w-]{43}$/)
    const ca = Buffer.from(String(caBundle), 'base64').toString()
    expect(await ask(replica, path, review, { ca })).toMatchObject({ status: 200 })
    expect(await ask(replica, path.slice(0, -1), review, { ca })).toMatchObject({ status: 404 })
    const otherShoot = path.replace('shoot--foo--bar', 'shoot--foo--baz')
    expect(await ask(replica, otherShoot, review, { ca })).toMatchObject({ status: 404 })
    expect(Buffer.from(String((await told('shoot--foo--other'))?.caBundle), 'base64').toString()).toBe(
      'STALE',
    )
    expect(writes.filter(write => write.startsWith('patch managedresources'))).toHaveLength(1)
  })

  test('is ready once it serves, and no more when it goes', async () => {
    const { start, clock } = await begin()
    const replica = await start({ settings: { drainAcceptMs: 5_000 } })
    const ready = async () => (await fetch(`http://127.0.0.1:${replica.probePort}/health/readiness`)).status
    expect(await ready()).toBe(200)
    const closing = replica.close()
    expect(await ready()).toBe(503)
    await clock.advance(5_000)
    await closing
  })

  test('waits for an API server that is away', async () => {
    const { start, server, clock, log } = await begin()
    server.faults.add({ effect: { kind: 'answer', code: 403 }, times: 3 })
    const starting = start()
    await vi.waitFor(() => expect(log.map(({ message }) => message)).toContain('no certificate yet'))
    for (let step = 0; step < 20; step++) await clock.advance(1_000)
    await (await starting).registered
  })
})

describe('a process that is reached by an address', () => {
  test('shows one certificate for all of its components, and all of their configurations trust it', async () => {
    const other = tinyWebhook({ component: 'provider-other', name: 'other' })
    const { start, ask, trusted } = await begin([tinyWebhook(), other])
    const replica = await start({ settings: { url: 'https://127.0.0.1:9443' } })
    await replica.registered
    for (const [component, path] of [
      ['provider-tiny', '/tiny/tiny'],
      ['provider-other', '/other/other'],
    ] as const) {
      const ca = await trusted(`gardener-extension-${component}`)
      // Who is asked by an address names no host.
      expect(await ask(replica, path, review, { ca, servername: '' })).toMatchObject({ status: 200 })
    }
  })
})

describe('a request', () => {
  test.each<[string, string]>([
    ['of another provider', '/other/tiny'],
    ['without a webhook', '/tiny'],
    ['with too much', '/tiny/tiny/shoot--a--b'],
    ['at the root', '/'],
  ])('to a path of nobody is answered 404: %s', async (_, path) => {
    const { start, ask, trusted } = await begin()
    const replica = await start()
    await replica.registered
    expect(await ask(replica, path, review, { ca: await trusted() })).toMatchObject({ status: 404 })
  })

  test('that is no review is answered 400 in a line', async () => {
    const { start, ask } = await begin()
    const replica = await start()
    await replica.registered
    expect(await ask(replica, '/tiny/tiny', 'PLANTED')).toEqual({
      status: 400,
      body: 'the body is no JSON object\n',
    })
  })

  test('with an object of 3 MB, new and old, is answered', async () => {
    const { start, ask } = await begin()
    const replica = await start()
    await replica.registered
    const large = { ...object, data: { x: 'x'.repeat(3 * 1024 * 1024) } }
    const { status } = await ask(
      replica,
      '/tiny/tiny',
      reviewBody(tinyWebhook(), { operation: 'UPDATE', object: large, oldObject: large }),
    )
    expect(status).toBe(200)
  })

  test('that is larger is refused with 413', async () => {
    const { start, ask } = await begin()
    const replica = await start()
    await replica.registered
    expect(await ask(replica, '/tiny/tiny', 'x'.repeat(8 * 1024 * 1024))).toMatchObject({ status: 413 })
    expect(await ask(replica, '/tiny/tiny', review)).toMatchObject({ status: 200 })
  })

  test('leaves nothing of the object in the log', async () => {
    const quotes = tinyWebhook({
      review: ({ object: { data } }) => JSON.parse(String(Reflect.get(Object(data), 'x'))),
    })
    const { start, ask, log } = await begin([quotes])
    const replica = await start()
    await replica.registered
    const secret = { ...object, data: { x: 'PLANTED' } }
    const { body } = await ask(
      replica,
      '/tiny/tiny',
      reviewBody(quotes, { operation: 'CREATE', object: secret }),
    )
    expect(JSON.parse(body)).toMatchObject({ response: { allowed: false, status: { code: 500 } } })
    expect(log.map(({ message }) => message)).toContain('review failed')
    expect(JSON.stringify([log, body])).not.toContain('PLANTED')
  })
})

describe('a process that goes', () => {
  test('ends every review that it has, and takes new ones until the caller has left', async () => {
    const gate = Promise.withResolvers<void>()
    const slow = tinyWebhook({
      review: async () => {
        await gate.promise
        return {}
      },
    })
    const { start, ask, clock, trusted } = await begin([slow])
    const replica = await start({ settings: { drainAcceptMs: 5_000 } })
    await replica.registered
    const ca = await trusted()
    const first = ask(replica, '/tiny/tiny', review, { ca })
    await vi.waitFor(async () => expect(await shownBy(replica.port)).not.toBe(''))
    let closed = false
    const closing = replica.close().then(() => {
      closed = true
    })
    const second = ask(replica, '/tiny/tiny', review, { ca })
    await vi.waitFor(async () => expect(await shownBy(replica.port)).not.toBe(''))
    await clock.advance(60_000)
    expect(closed).toBe(false)
    gate.resolve()
    expect((await Promise.all([first, second])).map(({ status }) => status)).toEqual([200, 200])
    await closing
  })

  test('waits for an API server that does not answer no longer than for who asks', async () => {
    const { start, server, clock } = await begin()
    const replica = await start({ settings: { syncMs: 1_000 } })
    await replica.registered
    server.faults.freeze()
    await clock.advance(1_000)
    let closed = false
    const closing = replica.close().then(() => {
      closed = true
    })
    await clock.advance(6_000)
    await vi.waitFor(() => expect(closed).toBe(true))
    server.faults.thaw()
    await clock.advance(60_000)
    await closing
  })
})

describe('a CA that is renewed', () => {
  const tick = 4 * 3_600_000
  const slow = { syncMs: tick, trustMs: 2 * tick, settleMs: 3 * tick }

  /** A leader and another replica, whose CA is renewed now: the configurations have both. */
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

  test('is trusted by API servers before any replica shows a certificate by it', async () => {
    const { clock, trusted, ask, leader, follower, old } = await renewed()
    await clock.advance(tick)
    await vi.waitFor(async () => expect(subjectsIn(await trusted())).toHaveLength(2))
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
    // A day later the new one is trusted alone, and all show it.
    expect(subjectsIn(await trusted())).toEqual([await shownBy(leader.port)])
    expect(await shownBy(follower.port)).toBe(await shownBy(leader.port))
  })

  test('waits again where another process has taken over', async () => {
    const { start, clock, trusted, leader, follower, old } = await renewed()
    await clock.advance(tick)
    await vi.waitFor(async () => expect(subjectsIn(await trusted())).toHaveLength(2))
    const closing = leader.close()
    await clock.advance(1_000)
    await closing
    const next = await start({ settings: slow })
    await next.registered
    await clock.advance(tick)
    expect(await shownBy(next.port)).toBe(old)
    // How its looks fall into the time since it saw the bundle first decides about one more.
    for (let ticks = 0; ticks < 5 && (await shownBy(follower.port)) === old; ticks++)
      await clock.advance(tick)
    expect(await shownBy(next.port)).not.toBe(old)
    expect(await shownBy(follower.port)).toBe(await shownBy(next.port))
  })

  test('waits where the configurations cannot be written, and is trusted first when they can', async () => {
    let refuses = false
    const { kubernetes: port } = await begin()
    const refusing: Kubernetes = {
      ...port,
      patch: (...of) =>
        refuses && of[0].group === 'admissionregistration.k8s.io'
          ? Promise.reject(new Error('forbidden'))
          : port.patch(...of),
    }
    const { start, clock, trusted, ask } = seed as WebhookSeed
    const leader = await start({ target: refusing, settings: slow })
    await leader.registered
    const old = await shownBy(leader.port)
    refuses = true
    await clock.advance(20 * dayMs + 10_000)
    expect(await shownBy(leader.port)).toBe(old)
    refuses = false
    for (let ticks = 0; ticks < 5; ticks++) {
      expect((await ask(leader, '/tiny/tiny', review)).status).toBe(200)
      await clock.advance(tick)
    }
    expect(subjectsIn(await trusted())).toHaveLength(2)
    expect(await shownBy(leader.port)).not.toBe(old)
  })
})
