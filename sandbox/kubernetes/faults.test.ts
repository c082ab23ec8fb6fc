import { afterEach, describe, expect, test } from 'vitest'
import type { GroupVersionResource, Kubernetes } from '../../shared/kubernetes/kubernetes.ts'
import { createKubernetes, httpTransport, openAccess } from '../../shared/kubernetes/kubernetes.ts'
import { type TestServer, testServer, thingDefinition } from './testing/api-server-fixture.ts'

const resource: GroupVersionResource = {
  group: 'example.com',
  version: 'v1',
  plural: 'things',
  namespaced: true,
}
const key = { namespace: 'default', name: 'a' }
const object = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: key }
const once = { attempts: 1, baseMs: 0, maxMs: 0, maxRetryAfterMs: 0 }

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp()
})

const overCalls = async ({ server, clock }: TestServer): Promise<Kubernetes> =>
  createKubernetes({ transport: server.transport, clock, retry: once })

const overHttp = async ({ server, clock }: TestServer): Promise<Kubernetes> => {
  const listener = await server.listen()
  const transport = httpTransport({ access: openAccess(listener.url) })
  cleanUps.push(
    () => transport.close(),
    () => server.close(),
    () => listener.close(),
  )
  return createKubernetes({ transport: transport.send, clock, retry: once })
}

describe.each([
  ['called directly', overCalls],
  ['over HTTP', overHttp],
])('faults, %s', (_, connect) => {
  const start = async () => {
    const made = testServer({ objects: [thingDefinition()] })
    return { ...made, kubernetes: await connect(made) }
  }

  test('an error response affects the given number of matching requests', async () => {
    const { server, kubernetes } = await start()
    server.faults.add({
      times: 2,
      matches: request => request.method === 'POST',
      effect: { kind: 'answer', code: 429, reason: 'TooManyRequests', retryAfterSeconds: 3 },
    })
    expect(await kubernetes.get(resource, key)).toBeUndefined()
    for (let n = 0; n < 2; n++) {
      await expect(kubernetes.create(resource, object)).rejects.toMatchObject({
        status: 429,
        reason: 'TooManyRequests',
        retryAfterSeconds: 3,
      })
    }
    await kubernetes.create(resource, object)
    expect(server.requests.count({ verb: 'create' })).toBe(3)
    expect(server.requests.count({ verb: 'create', status: 429 })).toBe(2)
  })

  test('a broken connection can occur before or after the server acts', async () => {
    const { server, kubernetes } = await start()
    for (const acted of [false, true]) {
      server.faults.add({ effect: { kind: 'disconnect', acted } })
      await expect(kubernetes.create(resource, object)).rejects.toMatchObject({
        name: 'ConnectionError',
        sent: true,
      })
      expect((await kubernetes.get(resource, key)) !== undefined).toBe(acted)
    }
  })

  test('a response can be delayed', async () => {
    const { server, clock, kubernetes } = await start()
    server.faults.add({ effect: { kind: 'delay', milliseconds: 5_000 } })
    const created = kubernetes.create(resource, object)
    while (clock.pending().length < 2) await new Promise(resolve => setImmediate(resolve))
    expect(await kubernetes.get(resource, key)).toBeUndefined()
    await clock.advance(5_000)
    expect((await created).metadata.name).toBe('a')
  })

  test('a missing response ends when the client aborts', async () => {
    const { server, kubernetes } = await start()
    const hit = Promise.withResolvers<void>()
    const matches = () => {
      hit.resolve()
      return true
    }
    server.faults.add({ matches, effect: { kind: 'hang' } })
    const controller = new AbortController()
    const asked = kubernetes.get(resource, key, { signal: controller.signal })
    const ended = expect(asked).rejects.toThrow('enough')
    await hit.promise
    controller.abort(new Error('enough'))
    await ended
    expect(await kubernetes.get(resource, key)).toBeUndefined()
  })

  test('a frozen server sends no responses and no watch events until it thaws', async () => {
    const { server, kubernetes, call } = await start()
    const seen: string[] = []
    const watching = (async () => {
      for await (const event of kubernetes.watch(resource)) {
        seen.push(event.type)
        if (seen.length === 2) return
      }
    })()
    await kubernetes.create(resource, object)
    while (seen.length < 1) await new Promise(resolve => setImmediate(resolve))
    await call('PATCH', '/apis/example.com/v1/namespaces/default/things/a', { spec: { size: 1 } })
    server.faults.freeze()
    const asked = kubernetes.get(resource, key)
    const winner = await Promise.race([
      asked.then(() => 'answer'),
      new Promise(resolve => setImmediate(() => resolve('silence'))),
    ])
    expect(winner).toBe('silence')
    server.faults.thaw()
    expect((await asked)?.spec).toEqual({ size: 1 })
    await watching
  })
})
