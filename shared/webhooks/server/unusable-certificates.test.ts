import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { reviewBody } from '../../../sandbox/reviews/reviews.ts'
import { secrets } from '../../kubernetes/core-resources.ts'
import type { Kubernetes, KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { tinyWebhook } from '../admission/testing/tiny-webhook.ts'
import { object, review, useWebhookSeed } from './testing/use-webhook-seed.ts'
import { dayMs, namespace, type WebhookSeed } from './testing/webhook-seed.ts'

const begin = useWebhookSeed()
const other = tinyWebhook({ component: 'provider-other', name: 'other' })

const secretOf = async (kubernetes: Kubernetes, config: string): Promise<KubernetesObject> => {
  const { items } = await kubernetes.list(secrets, { namespace, labelSelector: `name=${config}` })
  if (items[0] === undefined) throw new Error(`there is no Secret of ${config}`)
  return items[0]
}

/** Damages a Secret, as after an incomplete restore from a backup. */
const spoil = async (kubernetes: Kubernetes, config: string, key: string): Promise<string> => {
  const found = await secretOf(kubernetes, config)
  const { name, labels } = found.metadata
  await kubernetes.delete(secrets, { namespace, name })
  await kubernetes.create(secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace, name, ...(labels && { labels }) },
    data: { ...Object(found.data), [key]: btoa('no certificate') },
  })
  return name
}

const stopped = async (seed: WebhookSeed): Promise<void> => {
  const replica = await seed.start()
  await replica.registered
  const closing = replica.close()
  for (let step = 0; step < 30; step++) await seed.clock.advance(1_000)
  await closing
}

test.each([
  ['certificate', 'provider-tiny-webhook-server', 'tls.crt'],
  ['key', 'provider-tiny-webhook-server', 'tls.key'],
  ['CA', 'ca-provider-tiny-webhook', 'ca.crt'],
  ['bundle', 'ca-provider-tiny-webhook-bundle', 'bundle.crt'],
])('a %s that cannot be read stops no new replica, is named, and is recreated', async (_, config, key) => {
  const seed = await begin([tinyWebhook(), other])
  await stopped(seed)
  const name = await spoil(seed.kubernetes, config, key)
  const replica = await seed.start()
  await replica.registered
  expect(await seed.ask(replica, '/tiny/tiny', review)).toMatchObject({ status: 200 })
  const ca = await seed.trusted('gardener-extension-provider-other')
  const servername = `gardener-extension-provider-other.${namespace}.svc`
  const body = reviewBody(other, { operation: 'CREATE', object })
  expect(await seed.ask(replica, '/other/other', body, { ca, servername })).toMatchObject({ status: 200 })
  const warnings = seed.log.filter(({ level }) => level === 'warn')
  expect(JSON.stringify(warnings)).toContain(name)
})

test('the metric reports the end of the CA if it is earlier than that of the certificate', async () => {
  const { start, kubernetes } = await begin()
  const replica = await start()
  await replica.registered
  const text = await (await fetch(`http://127.0.0.1:${replica.probePort}/metrics`)).text()
  const [, value] =
    /trellis_webhook_certificate_expiry_seconds\{component="provider-tiny"\} (\S+)/.exec(text) ?? []
  const authority = await secretOf(kubernetes, 'ca-provider-tiny-webhook')
  const certificate = Buffer.from(Object(authority.data)['ca.crt'], 'base64')
  expect(Number(value) * 1000).toBe(Date.parse(new X509Certificate(certificate).validTo))
  const leaf = await secretOf(kubernetes, 'provider-tiny-webhook-server')
  const ends = Date.parse(new X509Certificate(Buffer.from(Object(leaf.data)['tls.crt'], 'base64')).validTo)
  expect(ends - Number(value) * 1000).toBeGreaterThan(365 * dayMs)
})
