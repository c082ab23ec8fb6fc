import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { shootRegistrations, type WebhookConfiguration } from '../shared/admission/admission.ts'
import { tinyWebhook } from '../shared/admission/testing/tiny-webhook.ts'
import { managedResourceKind } from '../shared/contract/resource-kinds.ts'
import {
  readShootWebhooks,
  resourceNames,
  shootWebhooksName,
  shootWebhooksResource,
} from '../shared/control-plane/control-plane.ts'
import { keepManagedResource, readManifests } from '../shared/resources/resources.ts'
import { review, useWebhookSeed } from './testing/use-webhook-seed.ts'
import { namespace } from './testing/webhook-seed.ts'

const namespaces = { group: '', version: 'v1', plural: 'namespaces', namespaced: false } as const

const begin = useWebhookSeed()

describe('a process with webhooks for shoots', () => {
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
})
