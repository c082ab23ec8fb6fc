import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { systemClock } from '../../../shared/clock/clock.ts'
import { codesOf } from '../../../shared/contract/classify.ts'
import { StepExpiredError } from '../../../shared/contract/errors.ts'
import { namespaces } from '../../../shared/kubernetes/core-resources.ts'
import { createClientCache } from './client-cache.ts'
import { createProviderClusters } from './provider-clusters.ts'

const planted = 'planted-secret-value'
const purpose = 'could not create client for infrastructure resources'
const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } }

const kubeconfigOf = (server: string, user: object, cluster: object = {}) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'it',
    contexts: [{ name: 'it', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster: { server, ...cluster } }],
    users: [{ name: 'u', user }],
  })

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

/** An API server that records its callers and the number of connections. */
const startServer = async () => {
  const asked: string[] = []
  let connections = 0
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? 'anonymous'}`)
    response.setHeader('content-type', 'application/json').end(JSON.stringify(namespace))
  })
  server.on('connection', () => connections++)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  open.push(
    () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, asked, connections: () => connections }
}

const step = () => ({ signal: new AbortController().signal, throwIfExpired: () => {} })

test('all steps use one connection to the cluster of the kubeconfig, with its token', async () => {
  const { url, asked, connections } = await startServer()
  const clusters = createProviderClusters({}, systemClock)
  for (let count = 0; count < 3; count++) {
    const kubernetes = await clusters.open(kubeconfigOf(url, { token: planted }), step(), purpose)
    await kubernetes.get(namespaces, { name: 'n' })
  }
  expect(new Set(asked)).toEqual(new Set([`GET /api/v1/namespaces/n Bearer ${planted}`]))
  expect(connections()).toBe(1)
})

test('another token gets another client', async () => {
  const { url, asked } = await startServer()
  const clusters = createProviderClusters({}, systemClock)
  for (const token of ['one', 'two']) {
    const kubernetes = await clusters.open(kubeconfigOf(url, { token }), step(), purpose)
    await kubernetes.get(namespaces, { name: 'n' })
  }
  expect(asked.map(text => text.split(' ').at(-1))).toEqual(['one', 'two'])
})

test('only the most recently used clients are cached, up to the limit, and the work of a step with an evicted client completes', async () => {
  const { url, connections } = await startServer()
  const cache = createClientCache(systemClock, { most: 2 })
  const use = async (token: string) => {
    const kubernetes = await cache.clientOf(kubeconfigOf(url, { token }))
    return kubernetes.get(namespaces, { name: 'n' })
  }
  const first = await cache.clientOf(kubeconfigOf(url, { token: 'a' }))
  const early = first.get(namespaces, { name: 'n' })
  await use('b')
  await use('c')
  expect(await early).toEqual(namespace)
  expect(connections()).toBe(3)
  await use('c')
  await use('b')
  expect(connections()).toBe(3)
  await use('a')
  await use('b')
  expect(connections()).toBe(4)
})

test('nothing is written once the step has expired', async () => {
  const { url, asked } = await startServer()
  const clusters = createProviderClusters({}, systemClock)
  const expired = () => {
    throw new StepExpiredError('too late')
  }
  const kubernetes = await clusters.open(
    kubeconfigOf(url, { token: planted }),
    { ...step(), throwIfExpired: expired },
    purpose,
  )
  await expect(kubernetes.apply(namespaces, namespace, { fieldManager: 'x' })).rejects.toThrow('too late')
  await expect(kubernetes.delete(namespaces, { name: 'n' })).rejects.toThrow('too late')
  expect(asked).toEqual([])
})

test.each([
  ['none', undefined, 'no kubeconfig found in provider secret'],
  ['an empty one', '', 'no kubeconfig found in provider secret'],
  ['no YAML', `{${planted}: [`, 'the kubeconfig is not valid YAML'],
  ['one without end', planted.repeat(5_000), 'the kubeconfig has more than 65536 characters'],
  [
    'a program to run',
    kubeconfigOf('https://x', { exec: { command: planted } }),
    'cannot use the kubeconfig: unsupported fields users.0.user.exec',
  ],
  [
    'an auth provider',
    kubeconfigOf('https://x', { 'auth-provider': { name: planted } }),
    'cannot use the kubeconfig: unsupported fields users.0.user.auth-provider',
  ],
  [
    'a token in a file',
    kubeconfigOf('https://x', { tokenFile: planted }),
    'cannot use the kubeconfig: unsupported field users.0.user.tokenFile',
  ],
  [
    'a key in a file',
    kubeconfigOf('https://x', { 'client-key': planted, 'client-certificate': planted }),
    'cannot use the kubeconfig: unsupported fields users.0.user.client-key, client-certificate',
  ],
  [
    'a CA in a file',
    kubeconfigOf('https://x', {}, { 'certificate-authority': planted }),
    'cannot use the kubeconfig: unsupported fields clusters.0.cluster.certificate-authority',
  ],
  [
    'no server',
    kubeconfigOf(planted, {}),
    'cannot use the kubeconfig: unsupported fields clusters.0.cluster.server',
  ],
])(
  'a kubeconfig that has %s is refused with the reason, and without any of its values',
  async (_, text, problem) => {
    const clusters = createProviderClusters({}, systemClock)
    const error: unknown = await clusters.open(text, step(), purpose).catch((thrown: unknown) => thrown)
    expect(String(error)).toContain(`${purpose}: ${problem}`)
    expect(String(error)).not.toContain(planted)
    expect(codesOf(error)).toEqual(['ERR_CONFIGURATION_PROBLEM'])
  },
)

test('a problem with endless field names is shortened', async () => {
  const user = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`field-${index}`, 1]))
  const clusters = createProviderClusters({}, systemClock)
  const error: unknown = await clusters
    .open(kubeconfigOf('https://x', user), step(), purpose)
    .catch((thrown: unknown) => thrown)
  expect(String(error).length).toBeLessThan(500)
})
