import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { KubeConfig, Watch } from '@kubernetes/client-node'
import { generate } from 'selfsigned'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createApiServer } from '../../../sandbox/kubernetes/kubernetes.ts'
import { virtualClock } from '../../../shared/clock/clock.ts'
import { secrets } from '../../../shared/kubernetes/core-resources.ts'
import type { GroupVersionResource } from '../../../shared/kubernetes/kubernetes.ts'
import { kubernetesContract } from '../../../shared/kubernetes/testing/contract-suite.ts'
import { clientNode } from './client-node.ts'
import { reuseConnections } from './reuse-connections.ts'

// The promises of the Kubernetes port that client-node breaks. A test that passes with a newer version fails here.

/** Models are instances of classes, which never equal the plain values that are desired. */
const brokenInContract = new Set(['a Service with ports is written once'])

const configOf = (server: string, ca?: string) => {
  const config = new KubeConfig()
  config.loadFromClusterAndUser(
    { name: 'test', server, skipTLSVerify: ca === undefined, ...(ca && { caData: btoa(ca) }) },
    { name: 'test' },
  )
  return config
}

describe('the contract', () => {
  beforeEach(({ task }) => {
    if (brokenInContract.has(task.name)) Object.assign(task, { fails: true })
  })

  kubernetesContract('client-node', async () => {
    const clock = virtualClock(Date.parse('2026-01-01T00:00:00Z'))
    const server = createApiServer({ clock })
    const listener = await server.listen()
    return {
      kubernetes: clientNode({ config: configOf(listener.url) }),
      passTime: milliseconds => clock.advance(milliseconds),
      forgetHistory: async () => server.compact(),
      close: async () => {
        server.close()
        await listener.close()
      },
    }
  })
})

const widgets: GroupVersionResource = { group: 'a.io', version: 'v1', plural: 'widgets', namespaced: true }
const key = { namespace: 'foo', name: 'a' }
const widget = { apiVersion: 'a.io/v1', kind: 'Widget', metadata: key }
const secret = { apiVersion: 'v1', kind: 'Secret', metadata: key }
const expired = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' }

const closes: (() => void)[] = []
afterEach(() => {
  for (const close of closes.splice(0)) close()
})

const listening = async (server: ReturnType<typeof createServer>): Promise<number> => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  closes.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return (server.address() as AddressInfo).port
}

type Answer = readonly [status: number, body: object | string]

/** A client of a server with these responses, which repeats the last one. */
const scripted = async (...answers: readonly Answer[]) => {
  let requests = 0
  const respond: RequestListener = (_, outgoing) => {
    const [status, body] = answers[Math.min(requests++, answers.length - 1)] ?? [500, '']
    outgoing.writeHead(status, { 'content-type': 'application/json' })
    outgoing.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
  const port = await listening(createServer(respond))
  return clientNode({ config: configOf(`http://127.0.0.1:${port}`) })
}

const watched = async (...answers: readonly Answer[]) => {
  const kubernetes = await scripted(...answers)
  const events = []
  for await (const event of kubernetes.watch(widgets, { namespace: 'foo' })) events.push(event)
  return events
}
const line = `${JSON.stringify({ type: 'ADDED', object: widget })}\n`

describe('a built-in object', () => {
  test.fails('has its times as text', async () => {
    const stored = { ...secret, metadata: { ...key, creationTimestamp: '2026-01-01T00:00:00Z' } }
    const kubernetes = await scripted([200, stored])
    expect(await kubernetes.get(secrets, key)).toEqual(stored)
  })

  test.fails('has the fields that a newer API server adds', async () => {
    const kubernetes = await scripted([200, { ...secret, newer: true }])
    expect(await kubernetes.get(secrets, key)).toMatchObject({ newer: true })
  })

  test.fails('is sent with the fields of a newer API server', async () => {
    const sent = Promise.withResolvers<string>()
    const port = await listening(
      createServer(async (incoming, outgoing) => {
        sent.resolve(Buffer.concat(await incoming.toArray()).toString())
        outgoing.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(secret))
      }),
    )
    const kubernetes = clientNode({ config: configOf(`http://127.0.0.1:${port}`) })
    await kubernetes.create(secrets, { ...secret, newer: true })
    expect(JSON.parse(await sent.promise)).toMatchObject({ newer: true })
  })
})

describe('a request', () => {
  test.fails.each([429, 500, 503])('is repeated after %i', async status => {
    const kubernetes = await scripted([status, {}], [200, widget])
    expect(await kubernetes.get(widgets, key)).toEqual(widget)
  })

  test.fails('is repeated after half a response', async () => {
    const kubernetes = await scripted([200, '{"kind":'], [200, widget])
    expect(await kubernetes.get(widgets, key)).toEqual(widget)
  })

  test.fails('is repeated with a renewed token after 401', async () => {
    const kubernetes = await scripted([401, {}], [200, widget])
    expect(await kubernetes.get(widgets, key)).toEqual(widget)
  })

  test.fails('that is refused by 401 has the message of the server', async () => {
    const kubernetes = await scripted([401, { kind: 'Status', message: 'the token has expired' }])
    await expect(kubernetes.get(widgets, key)).rejects.toThrow('the token has expired')
  })
})

describe('a connection', () => {
  const connectionsOf = async (adapt: (config: KubeConfig) => KubeConfig) => {
    const { private: privateKey, cert } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
      keyType: 'ec',
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
    })
    let connections = 0
    const server = createTlsServer({ key: privateKey, cert }, (_, outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(widget))
    }).on('secureConnection', () => connections++)
    const config = configOf(`https://127.0.0.1:${await listening(server)}`, cert)
    const kubernetes = clientNode({ config: adapt(config) })
    for (let request = 0; request < 5; request++) await kubernetes.get(widgets, key)
    return connections
  }

  test.fails('over TLS serves several requests', async () => {
    expect(await connectionsOf(config => config)).toBe(1)
  })

  test('over TLS serves several requests if they share an agent', async () => {
    expect(await connectionsOf(reuseConnections)).toBeLessThan(5)
  })
})

describe('a watch', () => {
  test.fails('that ends within a line is a broken connection', async () => {
    await expect(watched([200, `${line}{"type":"ADD`])).rejects.toMatchObject({ name: 'ConnectionError' })
  })

  test.fails('with a line that is not JSON is a broken connection', async () => {
    await expect(watched([200, '<html>\n'])).rejects.toMatchObject({ name: 'ConnectionError' })
  })

  test.fails('is opened again after 503', async () => {
    expect(await watched([503, {}], [200, line])).toHaveLength(1)
  })

  test.fails('that is refused has the reason of the server', async () => {
    await expect(watched([410, expired])).rejects.toMatchObject({ reason: 'Expired' })
  })

  test.fails('may be silent for a minute, the time between two bookmarks', () => {
    expect(Reflect.get(new Watch(new KubeConfig()), 'requestTimeoutMs')).toBeGreaterThan(60_000)
  })
})
