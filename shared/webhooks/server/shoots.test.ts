import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { managedResourceKind } from '../../contract/resource-kinds.ts'
import {
  readShootWebhooks,
  resourceNames,
  shootWebhooksName,
  shootWebhooksResource,
} from '../../control-plane/control-plane.ts'
import { namespaces } from '../../kubernetes/core-resources.ts'
import type { Kubernetes } from '../../kubernetes/kubernetes.ts'
import { ensureManagedResource, readManifests } from '../../resources/resources.ts'
import { shootRegistrations, type WebhookConfiguration } from '../admission/admission.ts'
import { tinyWebhook } from '../admission/testing/tiny-webhook.ts'
import { review, shownBy, useWebhookSeed } from './testing/use-webhook-seed.ts'
import { dayMs, namespace } from './testing/webhook-seed.ts'

const begin = useWebhookSeed()

/** Adds a shoot with this configuration. */
const addShoot = async (
  kubernetes: Kubernetes,
  configuration: WebhookConfiguration | undefined,
  name: string,
  provider: string,
): Promise<void> => {
  await kubernetes.create(namespaces, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name,
      labels: { 'gardener.cloud/role': 'shoot', 'shoot.gardener.cloud/provider': provider },
    },
  })
  if (configuration)
    await ensureManagedResource(
      kubernetes,
      shootWebhooksResource({ configuration, pathKey: randomBytes(32) }, name),
    )
}

describe('a process with webhooks for shoots', () => {
  test('passes on the configuration for shoots', async () => {
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

  test('updates shoots that have the configuration, and no others', async () => {
    const inShoot = tinyWebhook({ target: 'shoot' })
    const { start, kubernetes, trusted, writes, ask } = await begin([inShoot])
    const [stale] = shootRegistrations([inShoot], { namespace, caBundleOf: () => 'STALE' })
    await addShoot(kubernetes, stale, 'shoot--foo--bar', 'tiny')
    await addShoot(kubernetes, stale, 'shoot--foo--other', 'other')
    const replica = await start()
    await replica.registered
    const given = async (name: string) => {
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
    const { url = '', caBundle } = (await given('shoot--foo--bar')) ?? {}
    expect(caBundle).toBe(handed?.configuration.webhooks?.[0]?.clientConfig.caBundle)
    const path = url.replace(`https://gardener-extension-provider-tiny.${namespace}:443`, '')
    expect(path).toMatch(/^\/tiny\/tiny\/shoot--foo--bar\/[\w-]{43}$/)
    const ca = Buffer.from(String(caBundle), 'base64').toString()
    expect(await ask(replica, path, review, { ca })).toMatchObject({ status: 200 })
    expect(await ask(replica, path.slice(0, -1), review, { ca })).toMatchObject({ status: 404 })
    const otherShoot = path.replace('shoot--foo--bar', 'shoot--foo--baz')
    expect(await ask(replica, otherShoot, review, { ca })).toMatchObject({ status: 404 })
    expect(Buffer.from(String((await given('shoot--foo--other'))?.caBundle), 'base64').toString()).toBe(
      'STALE',
    )
    expect(writes.filter(write => write.startsWith('patch managedresources'))).toHaveLength(1)
  })

  test('presents a certificate of a new CA a day later if a shoot never gets its configuration', async () => {
    const inShoot = tinyWebhook({ target: 'shoot', name: 'inside' })
    const { start, kubernetes, clock, ask } = await begin([tinyWebhook(), inShoot])
    const [given] = shootRegistrations([inShoot], { namespace, caBundleOf: () => 'STALE' })
    // No controller applies its ManagedResource.
    await addShoot(kubernetes, given, 'shoot--foo--asleep', 'tiny')
    const tick = 4 * 3_600_000
    const replica = await start({ settings: { syncMs: tick, trustMs: 2 * tick, overlapMs: 3 * tick } })
    await replica.registered
    const old = await shownBy(replica.port)
    await clock.advance(20 * dayMs)
    const shown: string[] = []
    // Keys are generated in real time, so the virtual clock may be some ticks ahead of the new certificate.
    while (shown.length < 12 || (shown.at(-1) === old && shown.length < 100)) {
      shown.push(await shownBy(replica.port))
      expect((await ask(replica, '/tiny/tiny', review)).status).toBe(200)
      await clock.advance(tick)
    }
    expect(shown.slice(0, 6)).toEqual(Array.from({ length: 6 }, () => old))
    expect(shown.at(-1)).not.toBe(old)
  })
})
