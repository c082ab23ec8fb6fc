import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serveConsole } from '../../cli/console/testing/served-console.ts'
import { serveIngress } from '../../sandbox/knative/knative.ts'
import { createApiServer } from '../../sandbox/kubernetes/kubernetes.ts'
import { createAws } from '../../sandbox/providers/aws/simulator/aws.ts'
import { createOpenStack } from '../../sandbox/providers/openstack/simulator/openstack.ts'
import { httpCloud } from '../../sandbox/stepped-seed/stepped-seed.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { createMetrics, serveFunctions, serveProbes } from '../../shared/runtime/runtime.ts'
import { isOfAuthor, repositoryRoot, repositorySources } from '../structure/repository-files.ts'

interface Started {
  readonly url: string
  readonly close: () => unknown
}

interface Listener {
  readonly start: () => Promise<Started>
  /** A path that it answers. */
  readonly path: string
  /** Hosts that it answers beside 127.0.0.1 and localhost. */
  readonly hosts?: readonly string[]
  /** True if a Host needs the port. */
  readonly isStrict?: true
}

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const urlOf = ({ port, close }: { readonly port: number; readonly close: () => unknown }): Started => ({
  url: `http://127.0.0.1:${port}`,
  close,
})

/** Each listener of ours, by its file. */
const listeners: Readonly<Record<string, Listener>> = {
  'cli/console/server/start-server.ts': { start: () => serveConsole(), path: '/', isStrict: true },
  'sandbox/kubernetes/http-listener.ts': {
    start: () => createApiServer({ clock: systemClock }).listen(),
    path: '/version',
  },
  'sandbox/providers/aws/simulator/serve/http.ts': {
    start: () => createAws().listen(),
    path: '/_trellis/calls',
    hosts: [
      'backup.localhost:4566',
      'backup.s3.localhost',
      'backup.s3.eu-west-1.amazonaws.com',
      'sts.amazonaws.com:443',
      'route53.amazonaws.com.cn',
    ],
  },
  'sandbox/providers/openstack/simulator/serve/listen.ts': {
    start: () => createOpenStack({ clock: systemClock }).listen({ port: 0 }),
    path: '/identity/v3',
  },
  'sandbox/stepped-seed/cloud/http-cloud.ts': {
    start: () => httpCloud({ handle: async () => new Response('ok'), things: () => [] }),
    path: '/',
  },
  'sandbox/knative/ingress.ts': {
    start: () =>
      serveIngress({
        port: 0,
        clock: systemClock,
        publish: async () => 'accepted',
        onRefused: () => {},
        tooLargeFor: () => 413,
      }),
    path: '/trellis/default',
  },
  'shared/runtime/event-endpoint.ts': {
    start: () =>
      serveFunctions({
        settings: { address: '127.0.0.1', port: 0 },
        log: silent,
        clock: systemClock,
        metrics: createMetrics(),
        handle: async () => ({ kind: 'recorded' }),
      } as unknown as Parameters<typeof serveFunctions>[0]),
    path: '/health/liveness',
  },
  'shared/runtime/probes.ts': {
    start: async () =>
      urlOf(await serveProbes({ ready: () => true, metrics: createMetrics(), host: '127.0.0.1', port: 0 })),
    path: '/health/readiness',
  },
}

/** Files that listen and need no check, with the reason. */
const others: Readonly<Record<string, string>> = {
  'shared/webhooks/server/serve/server.ts': 'TLS: a browser compares the name with the certificate',
  'sandbox/providers/local/name-server/listen.ts': 'DNS, which no page can speak',
}

const ask = async (url: string, path: string, headers: Readonly<Record<string, string>>, method = 'GET') => {
  const sent = request(new URL(path, url), { method, headers, agent: false })
  sent.end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: response.statusCode ?? 0, body: await text(response) }
}

const hostile: readonly Readonly<Record<string, string>>[] = [
  { host: 'evil.example' },
  { host: 'rebind.evil.example:PORT' },
  { host: '127.0.0.1.evil.example:PORT' },
  { host: 'localhost.evil.example:PORT' },
  { host: 'evillocalhost:PORT' },
  { host: 'evil.example.' },
  { host: '127.0.0.1:PORT.evil.example' },
  { host: 'amazonaws.com.evil.example' },
  { origin: 'http://evil.example' },
  { origin: 'https://127.0.0.1:PORT' },
  { origin: 'null' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
]

const withPort = (headers: Readonly<Record<string, string>>, url: string) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replace('PORT', new URL(url).port)]),
  )

describe.each(Object.entries(listeners))('%s', (_, { start, path, hosts = [], isStrict }) => {
  let started: Started
  beforeAll(async () => {
    started = await start()
  })
  afterAll(() => started.close())

  test.each(hostile)('it refuses the page of another site, which sends %o', async headers => {
    for (const method of ['GET', 'POST'])
      expect((await ask(started.url, path, withPort(headers, started.url), method)).status).toBe(
        method === 'POST' && isStrict ? 405 : 403,
      )
  })

  test('it answers programs and its own pages', async () => {
    const own = [
      '127.0.0.1:PORT',
      'localhost:PORT',
      ...(isStrict ? [] : ['[::1]:PORT', 'LocalHost', ...hosts]),
    ]
    for (const host of own) {
      const headers = withPort({ host }, started.url)
      expect((await ask(started.url, path, headers)).status, host).not.toBe(403)
      const page = { ...headers, origin: `http://${headers.host}`, 'sec-fetch-site': 'same-origin' }
      expect((await ask(started.url, path, page)).status, host).not.toBe(403)
    }
  })
})

test('each file of the product that listens has a row here', async () => {
  const files = repositorySources().filter(
    file =>
      /^(?:shared|functions|terraform-free-infra|bridge|cli|sandbox|knative)\//.test(file) &&
      !/\.test\.ts$|\/testing\/|\/templates\//.test(file) &&
      !isOfAuthor(file),
  )
  const sources = await Promise.all(
    files.map(async file => [file, await readFile(join(repositoryRoot, file), 'utf8')] as const),
  )
  const listening = sources.filter(([, source]) =>
    /\b(?:createServer|createSecureServer|getTestServer)\((?!\))|new (?:http|net|https)\.Server\b/.test(
      source,
    ),
  )
  expect(listening.map(([file]) => file).toSorted()).toEqual(
    [...Object.keys(listeners), ...Object.keys(others)].toSorted(),
  )
})
