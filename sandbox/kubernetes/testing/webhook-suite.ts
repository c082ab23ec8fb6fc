import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Transport, TransportRequest } from '../../../shared/kubernetes/kubernetes.ts'
import { readText } from '../../../shared/kubernetes/kubernetes.ts'
import { type Answered, failureContract, type TestWebhook } from './webhook-failures.ts'
import { jsonPatchOf, startWebhookServer, type WebhookServer } from './webhook-server.ts'
import { servicePathContract } from './webhook-service-paths.ts'
import { warningContract } from './webhook-warnings.ts'

export interface WebhookSubject {
  readonly send: Transport
  /** Waits until the API server has read a configuration. */
  readonly pause: () => Promise<void>
  readonly close: () => Promise<void>
}

const root = '/apis/admissionregistration.k8s.io/v1'

/** The contract for webhook calls of API servers, as tests. The sandbox's API server and kube-apiserver run them. */
export const webhookContract = (name: string, makeSubject: () => Promise<WebhookSubject>): void => {
  describe(`webhooks are called by ${name}`, () => {
    let subject: WebhookSubject
    let server: WebhookServer
    const namespace = `webhooks-${randomUUID().slice(0, 8)}`
    const configMaps = `/api/v1/namespaces/${namespace}/configmaps`
    const registered: string[] = []

    const call = async (
      method: TransportRequest['method'],
      path: string,
      body?: object,
      type = 'application/json',
    ): Promise<Answered> => {
      const answer = await subject.send({
        method,
        path,
        headers: { accept: 'application/json', 'content-type': type },
        ...(body && { body: JSON.stringify(body) }),
      })
      const text = await readText(answer.body)
      return {
        status: answer.status,
        warning: String(Object(answer.headers).warning ?? ''),
        body: text.startsWith('{') ? JSON.parse(text) : { message: text },
      }
    }
    const configMap = (name: string, data: object = {}, metadata: object = {}) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, ...metadata },
      data,
    })
    const create = (object: object, query = '') => call('POST', `${configMaps}${query}`, object)

    /** Registers webhooks for the ConfigMaps of the namespace, and waits until they are active. */
    const register = async (
      action: 'mutating' | 'validating',
      webhooks: readonly TestWebhook[],
      prefix = 'a',
    ): Promise<void> => {
      const configuration = `${prefix}-${randomUUID().slice(0, 8)}`
      const probe = `/probe/${configuration}`
      const webhook = ({ path, ...more }: TestWebhook, index: number) => ({
        name: `${path.slice(1).replaceAll('/', '-')}.w${index}.example.com`,
        clientConfig: { url: `${server.url}${path}`, caBundle: server.caBundle },
        rules: [
          {
            apiGroups: [''],
            apiVersions: ['v1'],
            resources: ['configmaps'],
            operations: ['CREATE', 'UPDATE'],
          },
        ],
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
        objectSelector: { matchExpressions: [{ key: 'probe', operator: 'DoesNotExist' }] },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        ...more,
      })
      const { status, body } = await call('POST', `${root}/${action}webhookconfigurations`, {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: action === 'mutating' ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration',
        metadata: { name: configuration },
        webhooks: [
          ...webhooks.map(webhook),
          webhook(
            {
              path: probe,
              failurePolicy: 'Ignore',
              objectSelector: { matchLabels: { probe: 'yes' } },
            },
            webhooks.length,
          ),
        ],
      })
      expect(status, body.message).toBe(201)
      registered.push(`${root}/${action}webhookconfigurations/${configuration}`)
      for (let tries = 0; server.reviews(probe).length === 0 && tries < 200; tries++) {
        await create(configMap('probe', {}, { labels: { probe: 'yes' } }), '?dryRun=All')
        await subject.pause()
      }
      expect(server.reviews(probe).length).toBeGreaterThan(0)
    }

    beforeAll(async () => {
      subject = await makeSubject()
      server = await startWebhookServer()
      await call('POST', '/api/v1/namespaces', {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: namespace },
      })
    })
    afterEach(async () => {
      for (const path of registered.splice(0)) await call('DELETE', path)
    })
    afterAll(async () => {
      server?.close()
      await subject?.close()
    })

    const setting = (name: string, value: string) => () =>
      jsonPatchOf({ op: 'add', path: `/data/${name}`, value })

    test('a patch is applied at creation and update, and the review has the fields of kube-apiserver', async () => {
      server.answer('/patch', setting('added', 'yes'))
      await register('mutating', [{ path: '/patch', timeoutSeconds: 7 }])
      expect((await create(configMap('patched', { a: '1' }))).body.data).toEqual({ a: '1', added: 'yes' })
      const merge = 'application/merge-patch+json'
      const changed = await call('PATCH', `${configMaps}/patched`, { data: { a: '2', added: null } }, merge)
      expect(changed.body.data).toEqual({ a: '2', added: 'yes' })
      const [first, second] = server.reviews('/patch')
      expect(first).toMatchObject({
        kind: { group: '', version: 'v1', kind: 'ConfigMap' },
        resource: { group: '', version: 'v1', resource: 'configmaps' },
        requestKind: { group: '', version: 'v1', kind: 'ConfigMap' },
        requestResource: { group: '', version: 'v1', resource: 'configmaps' },
        name: 'patched',
        namespace,
        operation: 'CREATE',
        object: {
          kind: 'ConfigMap',
          apiVersion: 'v1',
          metadata: { name: 'patched', namespace },
          data: { a: '1' },
        },
        oldObject: null,
        dryRun: false,
        options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' },
      })
      expect(first?.object.metadata.uid).toBeUndefined()
      expect(second).toMatchObject({
        operation: 'UPDATE',
        object: { data: { a: '2' } },
        oldObject: { data: { a: '1', added: 'yes' } },
      })
      expect(server.paths()).toContain('/patch?timeout=7s')
    })

    test('a generated name is unknown until the object is validated', async () => {
      await register('mutating', [{ path: '/early' }])
      await register('validating', [{ path: '/late' }])
      const { body } = await call('POST', configMaps, {
        ...configMap(''),
        metadata: { generateName: 'made-' },
      })
      expect(body.metadata?.name).toMatch(/^made-\w{5}$/)
      expect(server.reviews('/early')[0]?.name ?? '').toBe('')
      expect(server.reviews('/late')[0]?.name).toBe(body.metadata?.name)
      expect(server.reviews('/late')[0]?.object.metadata.uid).toMatch(/./)
    })

    test('a denial has the message and code of the webhook', async () => {
      server.answer('/deny', ({ name }) => ({
        allowed: false,
        status:
          name === 'coded'
            ? { code: 422, reason: 'Invalid', message: 'it is odd' }
            : name === 'reasoned'
              ? { code: 403, reason: 'Forbidden' }
              : name === 'low'
                ? { code: 200, message: 'no' }
                : undefined,
      }))
      await register('validating', [{ path: '/deny' }])
      const denied = 'admission webhook "deny.w0.example.com" denied the request'
      expect(await create(configMap('coded'))).toMatchObject({
        status: 422,
        body: { message: `${denied}: it is odd`, reason: 'Invalid', code: 422 },
      })
      expect(await create(configMap('reasoned'))).toMatchObject({
        status: 403,
        body: { message: `${denied}: Forbidden` },
      })
      expect(await create(configMap('low'))).toMatchObject({
        status: 400,
        body: { message: `${denied}: no` },
      })
      expect(await create(configMap('silent'))).toMatchObject({
        status: 400,
        body: { message: `${denied} without explanation` },
      })
      expect((await call('GET', `${configMaps}/coded`)).status).toBe(404)
    })

    warningContract({ server: () => server, register, create, configMap })

    describe('webhooks are selected by', () => {
      const asked = async (path: string, object: object, query = '') => {
        const before = server.reviews(path).length
        await create(object, query)
        return server.reviews(path).length > before
      }

      test('the object selector, for the new or the old object', async () => {
        await register('mutating', [{ path: '/chosen', objectSelector: { matchLabels: { chosen: 'yes' } } }])
        expect(await asked('/chosen', configMap('other'))).toBe(false)
        expect(await asked('/chosen', configMap('chosen', {}, { labels: { chosen: 'yes' } }))).toBe(true)
        const merge = 'application/merge-patch+json'
        const { body } = await call('PATCH', `${configMaps}/chosen`, { metadata: { labels: null } }, merge)
        // kube-apiserver begins an update with its cached object, which still has the label for a moment.
        await call('GET', `${configMaps}/chosen?resourceVersion=${body.metadata?.resourceVersion}`)
        expect(server.reviews('/chosen').map(({ operation }) => operation)).toEqual(['CREATE', 'UPDATE'])
        await call('PATCH', `${configMaps}/chosen`, { data: { a: '1' } }, merge)
        expect(server.reviews('/chosen')).toHaveLength(2)
      })

      test.each([
        ['In', ['yes', 'no'], true],
        ['NotIn', ['yes'], false],
        ['Exists', undefined, true],
        ['DoesNotExist', undefined, false],
      ])('expressions: %s', async (operator, values, expected) => {
        const path = `/${operator.toLowerCase()}`
        await register('mutating', [
          {
            path,
            objectSelector: { matchExpressions: [{ key: 'chosen', operator, ...(values && { values }) }] },
          },
        ])
        expect(await asked(path, configMap('a', {}, { labels: { chosen: 'yes' } }), '?dryRun=All')).toBe(
          expected,
        )
        expect(await asked(path, configMap('b'), '?dryRun=All')).toBe(!expected)
      })

      test('conditions that must all be true; a condition that cannot be evaluated fails the request or is ignored', async () => {
        const condition = (expression: string) => ({ name: expression.length.toString(), expression })
        const isA = condition("object.data.which == 'a'")
        await register('mutating', [
          { path: '/both', matchConditions: [isA, condition("request.operation in ['CREATE']")] },
          { path: '/neither', matchConditions: [isA, condition('false')] },
          { path: '/passed-over', failurePolicy: 'Ignore', matchConditions: [isA] },
        ])
        await create(configMap('a', { which: 'a' }))
        await create(configMap('b', { which: 'b' }))
        expect(server.reviews('/both')).toHaveLength(1)
        expect(server.reviews('/neither')).toHaveLength(0)
        // The expression names a missing field.
        const { status } = await create(configMap('c', { other: 'c' }))
        expect(status).toBe(403)
        expect(server.reviews('/passed-over')).toHaveLength(1)
      })

      test('groups, versions, resources, operations, scope and the namespace', async () => {
        const rule = { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['*'] }
        await register('mutating', [
          { path: '/any', rules: [{ ...rule, resources: ['*/*'], apiGroups: ['*'], apiVersions: ['*'] }] },
          { path: '/group', rules: [{ ...rule, apiGroups: ['apps'] }] },
          { path: '/version', rules: [{ ...rule, apiVersions: ['v2'] }] },
          { path: '/resource', rules: [{ ...rule, resources: ['secrets'] }] },
          { path: '/sub', rules: [{ ...rule, resources: ['configmaps/status'] }] },
          { path: '/operation', rules: [{ ...rule, operations: ['UPDATE'] }] },
          { path: '/cluster', rules: [{ ...rule, scope: 'Cluster' }] },
          { path: '/inside', rules: [{ ...rule, scope: 'Namespaced' }] },
          { path: '/elsewhere', namespaceSelector: { matchLabels: { missing: 'label' } } },
        ])
        await create(configMap('ruled'))
        const paths = ['/any', '/group', '/version', '/resource', '/sub', '/operation', '/cluster', '/inside']
        expect([...paths, '/elsewhere'].filter(path => server.reviews(path).length > 0)).toEqual([
          '/any',
          '/inside',
        ])
      })

      test('a deletion is validated with the deleted object', async () => {
        await create(configMap('going', { a: '1' }))
        server.answer('/going', () => ({ allowed: false, status: { message: 'stay' } }))
        await register('validating', [
          {
            path: '/going',
            rules: [
              { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['DELETE'] },
            ],
          },
        ])
        expect((await call('DELETE', `${configMaps}/going`)).body.message).toMatch(
          /denied the request: stay$/,
        )
        expect(server.reviews('/going')[0]).toMatchObject({ object: null, oldObject: { data: { a: '1' } } })
      })
    })

    test('the calling order is by configuration name, then by the order in the configuration', async () => {
      const append = (name: string) => () =>
        jsonPatchOf({ op: 'add', path: `/data/${name}`, value: String(server.paths().length) })
      for (const name of ['first', 'second', 'third']) server.answer(`/${name}`, append(name))
      await register('mutating', [{ path: '/third' }], 'z')
      await register('mutating', [{ path: '/first' }, { path: '/second' }], 'b')
      const { first, second, third } = (await create(configMap('ordered', { a: '' }))).body.data ?? {}
      expect(Number(first)).toBeLessThan(Number(second))
      expect(Number(second)).toBeLessThan(Number(third))
      expect(server.reviews('/third')[0]?.object.data).toMatchObject({ first, second })
    })

    test('a webhook with reinvocation is called again if another one has changed the object', async () => {
      server.answer('/again', () => ({ allowed: true }))
      server.answer('/never', () => ({ allowed: true }))
      server.answer('/changes', ({ object }) =>
        jsonPatchOf({ op: 'add', path: '/data/n', value: String(Number(object.data?.n ?? 0) + 1) }),
      )
      await register('mutating', [
        { path: '/again', reinvocationPolicy: 'IfNeeded' },
        { path: '/never' },
        { path: '/changes', reinvocationPolicy: 'IfNeeded' },
        { path: '/after', reinvocationPolicy: 'IfNeeded' },
      ])
      const { body } = await create(configMap('again', { a: '' }))
      expect(body.data).toMatchObject({ n: '1' })
      expect(server.reviews('/again').map(({ object }) => object.data)).toEqual([
        { a: '' },
        { a: '', n: '1' },
      ])
      expect(['/never', '/changes', '/after'].map(path => server.reviews(path).length)).toEqual([1, 1, 1])
    })

    failureContract({ server: () => server, register, create, configMap })

    servicePathContract({ call, namespace })

    test('a dry run is reported to the webhook and stores nothing', async () => {
      server.answer('/dry', setting('dry', 'yes'))
      await register('mutating', [{ path: '/dry' }])
      const { status, body } = await create(configMap('dry', { a: '1' }), '?dryRun=All')
      expect({ status, data: body.data }).toEqual({ status: 201, data: { a: '1', dry: 'yes' } })
      expect(server.reviews('/dry')[0]?.dryRun).toBe(true)
      expect((await call('GET', `${configMaps}/dry`)).status).toBe(404)
    })

    test('validation sees the result of mutation, also in a dry run', async () => {
      server.answer('/left', setting('left', 'yes'))
      await register('mutating', [{ path: '/left' }])
      await register('validating', [{ path: '/seen' }])
      await create(configMap('left', { a: '1' }))
      const merge = 'application/merge-patch+json'
      await call('PATCH', `${configMaps}/left`, { data: { a: '1' } }, merge)
      expect(server.reviews('/seen').map(({ object }) => object.data)).toEqual([
        { a: '1', left: 'yes' },
        { a: '1', left: 'yes' },
      ])
    })

    test('the review has the data of a Secret, including values sent as text', async () => {
      await register('mutating', [
        {
          path: '/secret',
          rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['secrets'], operations: ['CREATE'] }],
        },
      ])
      await call('POST', `/api/v1/namespaces/${namespace}/secrets`, {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'told' },
        stringData: { a: 'b' },
      })
      expect(server.reviews('/secret')[0]?.object.data).toEqual({ a: 'Yg==' })
    })
  })
}
