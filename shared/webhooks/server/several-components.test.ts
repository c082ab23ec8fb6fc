import { expect, test } from 'vitest'
import { reviewBody } from '../../../sandbox/reviews/reviews.ts'
import { readShootWebhooks, shootWebhooksName } from '../../control-plane/control-plane.ts'
import type { Kubernetes } from '../../kubernetes/kubernetes.ts'
import { certificateNames } from '../admission/admission.ts'
import { tinyWebhook } from '../admission/testing/tiny-webhook.ts'
import { object, review, shownBy, useWebhookSeed } from './testing/use-webhook-seed.ts'
import { namespace } from './testing/webhook-seed.ts'

const begin = useWebhookSeed()
const other = tinyWebhook({ component: 'provider-other', name: 'other' })
const otherReview = reviewBody(other, { operation: 'CREATE', object })
const otherName = `gardener-extension-provider-other.${namespace}.svc`

test('each component has its own certificate, configuration and path', async () => {
  const { start, ask, trusted, configuration } = await begin([tinyWebhook(), other])
  const replica = await start()
  await replica.registered
  expect(await shownBy(replica.port)).not.toBe(await shownBy(replica.port, 'provider-other'))
  const [tinyCa, otherCa] = await Promise.all(
    ['gardener-extension-provider-tiny', 'gardener-extension-provider-other'].map(trusted),
  )
  expect(await ask(replica, '/tiny/tiny', review, { ca: tinyCa ?? '' })).toMatchObject({ status: 200 })
  const options = { ca: otherCa ?? '', servername: otherName }
  expect(await ask(replica, '/other/other', otherReview, options)).toMatchObject({ status: 200 })
  await expect(ask(replica, '/other/other', otherReview, { ...options, ca: tinyCa ?? '' })).rejects.toThrow()
  const names = async (name: string) => (await configuration(name))?.webhooks?.map(webhook => webhook.name)
  expect(await names('gardener-extension-provider-tiny')).toEqual(['tiny.tiny.extensions.gardener.cloud'])
  expect(await names('gardener-extension-provider-other')).toEqual(['other.other.extensions.gardener.cloud'])
})

test('each component passes its configuration to its own ControlPlane function, with its own key', async () => {
  const { start, kubernetes } = await begin([
    tinyWebhook({ target: 'shoot' }),
    tinyWebhook({ component: 'provider-other', name: 'other', target: 'shoot' }),
  ])
  await (await start()).registered
  const handed = await Promise.all(
    ['provider-tiny', 'provider-other'].map(component =>
      readShootWebhooks(kubernetes, { namespace, name: shootWebhooksName(component) }),
    ),
  )
  expect(handed.map(one => one?.configuration.metadata.name)).toEqual([
    'gardener-extension-provider-tiny-shoot',
    'gardener-extension-provider-other-shoot',
  ])
  const [tinyKey, otherKey] = handed.map(one => Buffer.from(one?.pathKey ?? []).toString('hex'))
  expect(tinyKey).not.toBe(otherKey)
})

test('a component with an unreadable certificate does not stop the others, and is served once it is readable', async () => {
  const { start, ask, trusted, clock, kubernetes, log } = await begin([tinyWebhook(), other])
  const { identity } = certificateNames('provider-other')
  let isBroken = true
  const refusing: Kubernetes = {
    ...kubernetes,
    list: (resource, options) =>
      isBroken && options?.labelSelector?.includes(identity)
        ? Promise.reject(new Error('it has no tls.key'))
        : kubernetes.list(resource, options),
  }
  const replica = await start({ kubernetes: refusing, target: refusing, settings: { syncMs: 1_000 } })
  await clock.advance(10_000)
  await expect.poll(() => trusted('gardener-extension-provider-tiny')).not.toBe('')
  const trustedByTiny = await trusted('gardener-extension-provider-tiny')
  expect(await ask(replica, '/tiny/tiny', review, { ca: trustedByTiny })).toMatchObject({ status: 200 })
  expect(log.filter(({ level }) => level === 'warn').map(({ fields }) => fields)).toContainEqual({
    component: 'provider-other',
    error: 'it has no tls.key',
  })
  isBroken = false
  for (let step = 0; step < 20; step++) await clock.advance(1_000)
  const asked = async () => {
    const ca = await trusted('gardener-extension-provider-other')
    return (await ask(replica, '/other/other', otherReview, { ca, servername: otherName })).status
  }
  await expect.poll(asked).toBe(200)
})
