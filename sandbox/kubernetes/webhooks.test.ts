import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { systemClock, virtualClock } from '../../shared/clock/clock.ts'
import { httpTransport, openAccess } from '../../shared/kubernetes/kubernetes.ts'
import { createApiServer } from './api-server.ts'
import { jsonPatchOf, startWebhookServer } from './testing/webhook-server.ts'
import { webhookContract } from './testing/webhook-suite.ts'

webhookContract('the API server of the sandbox', async () => {
  const server = createApiServer({ clock: systemClock })
  const listener = await server.listen()
  const transport = httpTransport({ access: openAccess(listener.url) })
  return {
    send: transport.send,
    pause: () => sleep(1),
    close: async () => {
      transport.close()
      server.close()
      await listener.close()
    },
  }
})

describe('webhooks in the sandbox only', () => {
  const clock = virtualClock(Date.parse('2026-01-01T00:00:00Z'))
  const root = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations'
  const configuration = (name: string, webhook: object = {}) => ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: { name },
    webhooks: [
      {
        name: 'w.example.com',
        clientConfig: { url: 'https://elsewhere.example.com/x' },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['*'] }],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        ...webhook,
      },
    ],
  })
  const post = async (server: ReturnType<typeof createApiServer>, path: string, body: object) => {
    const request = { method: 'POST', path, headers: { 'content-type': 'application/json' } }
    const answer = await server.handle({ ...request, body: JSON.stringify(body) })
    return { status: answer.status, message: String(JSON.parse(String(answer.body)).message) }
  }
  const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }

  test.each([
    [
      'conditions that are no CEL',
      { matchConditions: [{ name: 'a', expression: '(' }] },
      'cannot evaluate it',
    ],
    ['reviews of v1beta1', { admissionReviewVersions: ['v1beta1'] }, 'only sends reviews of v1'],
  ])('rules %s are refused', async (_, webhook, why) => {
    const server = createApiServer({ clock })
    const { status, message } = await post(server, root, configuration('a', webhook))
    expect({ status, message }).toEqual({ status: 422, message: expect.stringContaining(why) })
  })

  test('the host of another machine is not resolved', async () => {
    const server = createApiServer({ clock })
    await post(server, root, configuration('a'))
    expect((await post(server, '/api/v1/namespaces/default/configmaps', configMap)).message).toBe(
      'Internal error occurred: failed calling webhook "w.example.com": failed to call webhook: Post "https://elsewhere.example.com/x?timeout=10s": dial tcp: lookup elsewhere.example.com: no such host',
    )
  })

  test('a Service has the address given to the sandbox, and a review is reported to observers', async () => {
    const webhooks = await startWebhookServer(['a.b.svc'])
    try {
      const reviews: object[] = []
      const server = createApiServer({
        clock,
        resolveWebhook: host => (host === 'a.b.svc' ? new URL(webhooks.url).host : undefined),
        onReview: review => reviews.push(review),
      })
      webhooks.answer('/s', () => jsonPatchOf({ op: 'add', path: '/data', value: { a: 'b' } }))
      const service = { namespace: 'b', name: 'a', path: '/s' }
      await post(server, root, configuration('a', { clientConfig: { service, caBundle: webhooks.caBundle } }))
      const { status } = await post(server, '/api/v1/namespaces/default/configmaps', configMap)
      expect(status).toBe(201)
      expect(server.store.collection('configmaps').get('default/a')?.object.data).toEqual({ a: 'b' })
      expect(reviews).toEqual([
        {
          webhook: 'w.example.com',
          kind: 'ConfigMap',
          namespace: 'default',
          name: 'a',
          operation: 'CREATE',
          outcome: 'changed',
        },
      ])
    } finally {
      webhooks.close()
    }
  })

  test('a webhook is called again if another client changes the object meanwhile', async () => {
    const webhooks = await startWebhookServer()
    try {
      const server = createApiServer({ clock })
      const path = '/api/v1/namespaces/default/configmaps'
      await post(server, path, { ...configMap, data: { n: '0' } })
      const patch = (change: object) =>
        server.handle({
          method: 'PATCH',
          path: `${path}/a`,
          headers: { 'content-type': 'application/merge-patch+json' },
          body: JSON.stringify(change),
        })
      const clientConfig = { url: `${webhooks.url}/slow`, caBundle: webhooks.caBundle }
      await post(
        server,
        root,
        configuration('a', { clientConfig, objectSelector: { matchLabels: { slow: 'yes' } } }),
      )
      webhooks.answer('/slow', ({ object }) => {
        // Another client writes first.
        const { collection } = server.store
        const entry = collection('configmaps').get('default/a')
        if (entry && object.data?.n === '1' && entry.object.data && !('other' in Object(entry.object.data)))
          collection('configmaps').put('default/a', {
            ...entry.object,
            data: { ...Object(entry.object.data), other: 'kept' },
          })
        return { allowed: true }
      })
      await patch({ metadata: { labels: { slow: 'yes' } } })
      await patch({ data: { n: '1' } })
      expect(server.store.collection('configmaps').get('default/a')?.object.data).toEqual({
        n: '1',
        other: 'kept',
      })
      expect(webhooks.reviews('/slow').map(({ object }) => object.data)).toEqual([
        { n: '0' },
        { n: '1' },
        { n: '1', other: 'kept' },
      ])
    } finally {
      webhooks.close()
    }
  })
})
