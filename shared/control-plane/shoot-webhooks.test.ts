import { describe, expect, test } from 'vitest'
import type { Kubernetes } from '../kubernetes/kubernetes.ts'
import { readManifests } from '../resources/resources.ts'
import { readShootPath, shootRegistrations } from '../webhooks/admission/admission.ts'
import { tinyWebhook } from '../webhooks/admission/testing/tiny-webhook.ts'
import { resourceNames } from './resource-names.ts'
import { readShootWebhooks, shootWebhooksData, shootWebhooksName } from './shoot-webhooks.ts'
import { newSeed } from './testing/seed.ts'
import { tinyProvider } from './testing/tiny-provider.ts'

const [configuration] = shootRegistrations([tinyWebhook({ target: 'shoot' })], {
  namespace: 'trellis',
  caBundleOf: () => 'CERTIFICATES',
})
const pathKey = Buffer.alloc(32, 7)
const key = { namespace: 'trellis', name: shootWebhooksName('provider-tiny') }
const provider = tinyProvider({ shootWebhooks: key })
const secretsResource = { group: '', version: 'v1', plural: 'secrets', namespaced: true }

const handOver = async (kubernetes: Kubernetes): Promise<void> => {
  if (configuration === undefined) throw new Error('there is no configuration')
  await kubernetes.create(
    { group: '', version: 'v1', plural: 'namespaces', namespaced: false },
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'trellis' } },
  )
  await kubernetes.create(secretsResource, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: key,
    data: shootWebhooksData({ configuration, pathKey }),
  })
}

describe('the shoot webhooks', () => {
  test('the webhooks are written first, with the path that identifies the shoot', async () => {
    const seed = await newSeed({ provider })
    await handOver(seed.kubernetes)
    seed.requests.length = 0
    await seed.step()
    const written = seed.requests.filter(call => call.startsWith('create managedresources'))
    expect(written[0]).toBe(`create managedresources ${resourceNames.webhooks}`)
    const secret = (await seed.secrets()).find(({ metadata }) =>
      metadata.name.startsWith(resourceNames.webhooks),
    )
    const [object] = await readManifests(Object(secret?.data))
    const [webhook] = Object(object).webhooks as readonly {
      readonly clientConfig: { readonly url: string }
    }[]
    const path = webhook?.clientConfig.url.split('/').slice(-2).join('/') ?? ''
    expect(readShootPath([pathKey], path)).toBe(secret?.metadata.namespace)
  })

  test('a shoot with its control plane on its own nodes has no shoot webhooks', async () => {
    const seed = await newSeed({
      provider,
      shoot: { spec: { provider: { workers: [{ name: 'own', controlPlane: {} }] } } },
    })
    await handOver(seed.kubernetes)
    await seed.step()
    expect(seed.requests.filter(call => call.includes(resourceNames.webhooks))).toEqual([])
  })

  test('missing webhooks are ignored', async () => {
    const seed = await newSeed({ provider })
    await seed.step()
    expect(await seed.lastOperation()).toMatchObject({ state: 'Succeeded' })
    expect(seed.requests.filter(call => call.includes(resourceNames.webhooks))).toEqual([])
  })

  test('an invalid Secret is not used', async () => {
    const kubernetes = { get: async () => ({ apiVersion: 'v1', kind: 'Secret', metadata: key, data: {} }) }
    await expect(readShootWebhooks(kubernetes, key)).rejects.toThrow('contains no webhooks of shoots')
  })
})
