import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import { freePort } from '../../free-port.ts'
import { createEndpoints } from './endpoints.ts'
import { startIngressProxy } from './ingress-proxy.ts'
import { type Ingress, pathsByHost, routeOf } from './ingress-routes.ts'
import { answerTo } from './name-server.ts'
import { serviceNames } from './service-names.ts'
import { createServiceProxy, type Service } from './service-proxy.ts'

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

/** Starts a server that answers with the headers and the body that it received. */
const startEcho = async (): Promise<number> => {
  const server = createServer(async (incoming, outgoing) => {
    const body = await text(incoming)
    outgoing.writeHead(202).end(JSON.stringify({ headers: incoming.headers, body }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  undo.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return (server.address() as AddressInfo).port
}

const service = (
  spec: Service['spec'],
  name = 'bridge',
  annotations: Readonly<Record<string, string>> = {},
): Service => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { namespace: 'trellis', name, annotations },
  spec,
})

const slice = (
  endpoints: readonly { address: string; ready?: boolean }[],
  port: number,
  name = 'bridge-1',
) => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { namespace: 'trellis', name, labels: { 'kubernetes.io/service-name': 'bridge' } },
  addressType: 'IPv4',
  ports: [{ name: 'http', port }],
  endpoints: endpoints.map(({ address, ready = true }) => ({ addresses: [address], conditions: { ready } })),
})

test('endpoints are the ready ones of all slices of a Service, in turn', () => {
  const changed: string[] = []
  const endpoints = createEndpoints(name => changed.push(name))
  endpoints.upsert(slice([{ address: '10.1.0.1' }, { address: '10.1.0.2', ready: false }], 80))
  endpoints.upsert(slice([{ address: '10.1.0.3' }], 80, 'bridge-2'))
  const chosen = [1, 2, 3, 4].map(() => endpoints.next('trellis/bridge', 'http')?.address)
  expect(new Set(chosen)).toEqual(new Set(['10.1.0.1', '10.1.0.3']))
  expect(chosen[0]).toBe(chosen[2])
  endpoints.delete('trellis/bridge-1')
  expect(endpoints.of('trellis/bridge', 'http')).toEqual([{ address: '10.1.0.3', port: 80 }])
  endpoints.delete('trellis/bridge-2')
  expect(endpoints.next('trellis/bridge', 'http')).toBeUndefined()
  expect(changed).toHaveLength(4)
})

describe('the address of a Service', () => {
  const connects = (port: number) =>
    new Promise<boolean>(resolve => {
      const socket = connect({ host: '127.0.0.1', port })
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
      undo.push(() => socket.destroy())
    })

  test('forwards to an endpoint, and refuses connections while none is ready', async () => {
    const [echo, port] = [await startEcho(), await freePort()]
    const endpoints = createEndpoints(name => proxy.changed(name))
    const proxy = createServiceProxy(endpoints)
    undo.push(proxy.close)
    proxy.upsert(service({ clusterIP: '127.0.0.1', ports: [{ name: 'http', port }] }))
    expect(await connects(port)).toBe(false)
    endpoints.upsert(slice([{ address: '127.0.0.1' }], echo))
    await expect.poll(() => connects(port)).toBe(true)
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: 'x'.repeat(1_000_000) })
    expect(((await answer.json()) as { body: string }).body).toHaveLength(1_000_000)
    endpoints.upsert(slice([{ address: '127.0.0.1', ready: false }], echo))
    await expect.poll(() => connects(port)).toBe(false)
  })
})

test('names of Services have their address, of headless ones those of endpoints, of aliases those of the target', () => {
  const names = serviceNames(
    [
      service({ clusterIP: '10.0.0.7' }),
      service({ clusterIP: 'None' }, 'headless'),
      service({ type: 'ExternalName', externalName: 'gateway.test' }, 'alias'),
      service({ type: 'ExternalName', externalName: 'unknown.test' }, 'lost'),
      service({ clusterIP: '10.0.0.8' }, 'front', {
        'external-dns.alpha.kubernetes.io/hostname': 'api.test',
      }),
    ],
    () => ['10.1.0.1', '10.1.0.2'],
    new Map([['gateway.test', ['10.2.0.1']]]),
  )
  for (const suffix of ['', '.svc', '.svc.cluster.local'])
    expect(names.get(`bridge.trellis${suffix}`)).toEqual(['10.0.0.7'])
  expect(names.get('headless.trellis')).toEqual(['10.1.0.1', '10.1.0.2'])
  expect(names.get('alias.trellis')).toEqual(['10.2.0.1'])
  expect(names.get('lost.trellis')).toEqual([])
  expect(names.get('api.test')).toEqual(['10.0.0.8'])
})

describe('the name server', () => {
  const query = (name: string, type: number) =>
    Buffer.from([
      ...[0xab, 0xcd, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0],
      ...name.split('.').flatMap(label => [label.length, ...Buffer.from(label)]),
      ...[0, 0, type, 0, 1],
    ])
  const names = new Map([['bridge.trellis', ['10.0.0.7']]])

  test.each([
    ['Bridge.trellis', 1, 0, 1],
    ['bridge.trellis', 28, 0, 0],
    ['other.trellis', 1, 3, 0],
  ])('answers a query for %s of type %i with code %i and %i addresses', (name, type, code, count) => {
    const answer = answerTo(query(name, type), names)
    expect(answer.readUInt16BE(0)).toBe(0xabcd)
    expect(answer.readUInt16BE(2) & 0xf).toBe(code)
    expect(answer.readUInt16BE(6)).toBe(count)
    if (count > 0) expect([...answer.subarray(-4)]).toEqual([10, 0, 0, 7])
  })
})

describe('an Ingress', () => {
  const split = (serviceName: string, percent?: number) => ({
    serviceNamespace: 'trellis',
    serviceName,
    servicePort: 80,
    ...(percent !== undefined && { percent }),
    appendHeaders: { 'Knative-Serving-Revision': serviceName },
  })
  const ingress: Ingress = {
    apiVersion: 'networking.internal.knative.dev/v1alpha1',
    kind: 'Ingress',
    metadata: { namespace: 'trellis', name: 'dns' },
    spec: {
      rules: [
        {
          hosts: ['dns.trellis'],
          http: {
            paths: [
              { splits: [split('dns-1', 20), split('dns-2', 80)] },
              { headers: { Tag: { exact: 'new' } }, splits: [split('dns-3')], rewriteHost: 'new.trellis' },
            ],
          },
        },
      ],
    },
  }
  const paths = pathsByHost([ingress])
  const routed = (random: number, headers = {}) =>
    routeOf(paths, { host: 'dns.trellis:80', path: '/', headers }, random)

  test('splits requests by percent, and prefers paths with matching headers', () => {
    expect(routed(0.1)?.service.name).toBe('dns-1')
    expect(routed(0.2)?.service.name).toBe('dns-2')
    expect(routed(0.2, { tag: 'new' })).toMatchObject({ service: { name: 'dns-3' }, host: 'new.trellis' })
    expect(routeOf(paths, { host: 'other.trellis', path: '/', headers: {} }, 0)).toBeUndefined()
  })

  const post = (port: number, host: string, body: string) =>
    new Promise<{ readonly status: number | undefined; readonly body: string }>((resolve, reject) => {
      request({ host: '127.0.0.1', port, method: 'POST', headers: { host } }, async answer =>
        resolve({ status: answer.statusCode, body: await text(answer) }),
      )
        .once('error', reject)
        .end(body)
    })

  test('forwards a request with its host, its body and the headers of the split', async () => {
    const [echo, port] = [await startEcho(), await freePort()]
    let isUp = true
    const proxy = await startIngressProxy({
      address: '127.0.0.1',
      port,
      routeOf: request => routeOf(paths, request, 0),
      endpointOf: () => (isUp ? { address: '127.0.0.1', port: echo } : undefined),
    })
    undo.push(proxy.close)
    const { status, body } = await post(port, 'dns.trellis', 'an event')
    expect(status).toBe(202)
    expect(JSON.parse(body)).toMatchObject({
      headers: { host: 'dns.trellis', 'knative-serving-revision': 'dns-1' },
      body: 'an event',
    })
    expect((await post(port, 'other.trellis', '')).status).toBe(404)
    isUp = false
    expect((await post(port, 'dns.trellis', '')).status).toBe(503)
  })
})
