import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { type FunctionFolder, functionFolder, imports } from '../../../functions/testing/function-folder.ts'
import { systemClock } from '../../../shared/clock/clock.ts'
import type { AllowedNetwork } from '../../confined/allowed-network.ts'
import { plan } from '../testing/plan-run.ts'
import { startPlanProcess } from './start-plan-process.ts'

const network = {
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'Network',
  metadata: { name: 'net', namespace: 'shoot--p--s' },
  spec: { type: 'acme', podCIDR: '100.96.0.0/11', serviceCIDR: '100.64.0.0/13' },
}
const cluster = {
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'Cluster',
  metadata: { name: 'shoot--p--s' },
  spec: { cloudProfile: {}, seed: {}, shoot: {} },
}

/** A function whose plan calls its cloud in one way. */
const planning = (call: string) => `${imports}
import { get, request } from 'node:http'
import { connect } from 'node:net'
const url = process.env.TEST_URL + '/networks?token=planted'
const { port } = new URL(url)
const answerOf = sent => new Promise((done, fail) => sent.on('response', response => {
  response.resume()
  response.on('end', () => done(response.statusCode))
}).on('error', fail).end())
export const definition = defineFunction({
  name: 'acme-network', kind: 'Network', type: 'acme',
  create: () => ({ reconcile: async () => done(), remove: async () => done() }),
  planOf: async () => ({ actions: [{ kind: 'create', sentence: 'create network, after ' + await (async () => { ${call} })() }] }),
})
`
const reads: Readonly<Record<string, string>> = {
  fetch: 'return (await fetch(url)).status',
  request: 'return answerOf(request(url))',
  get: `return answerOf(get({ host: '127.0.0.1', port, path: '/networks' }))`,
  'get-name': `return answerOf(get({ host: 'localhost', port, path: '/networks' }))`,
  names: `return (await fetch(url.replace('127.0.0.1', 'localhost'))).status`,
  again: 'await fetch(url); return (await fetch(url)).status',
}
const changes: Readonly<Record<string, readonly [call: string, said: RegExp]>> = {
  post: [`await fetch(url, { method: 'post' })`, /sends POST http:\/\/127\.0\.0\.1:\d+\/networks\./],
  object: [
    `await fetch(new Request(url, { method: 'PUT' }))`,
    /sends PUT http:\/\/127\.0\.0\.1:\d+\/networks\./,
  ],
  'method-of-getter': [
    `let count = 0; await fetch(url, { get method() { return count++ === 0 ? 'GET' : 'DELETE' } })
    let more = 0; await answerOf(request({ host: '127.0.0.1', port, get method() { return more++ === 0 ? 'GET' : 'PUT' } }))
    throw new Error('only reads were sent')`,
    /only reads were sent/,
  ],
  'class-of-request': [
    `class Read extends Request { get method() { return 'GET' } }
    await fetch(new Read(url, { method: 'DELETE' }))`,
    /sends DELETE /,
  ],
  'method-after-the-check': [
    `const sent = request(url); sent.method = 'POST'; await answerOf(sent)`,
    /Cannot assign to read only property 'method'/,
  ],
  swallowed: [`try { await fetch(url, { method: 'DELETE' }) } catch {}`, /sends DELETE /],
  request: [`await answerOf(request(url, { method: 'PATCH' }))`, /sends PATCH /],
  socket: [
    `await fetch(url); await new Promise((done, fail) => connect(port, '127.0.0.1', done).on('error', fail))`,
    /connects to 127\.0\.0\.1:\d+/,
  ],
  'socket-in-response': [
    `await new Promise((done, fail) => get(url, response => {
      response.resume()
      connect(port, '127.0.0.1', done).on('error', fail)
    }))`,
    /connects to 127\.0\.0\.1:\d+/,
  ],
}

let folder: FunctionFolder
let url = ''
const methods: string[] = []
const server = createServer(({ method = '' }, response) => {
  methods.push(method)
  response.end()
})
beforeAll(async () => {
  await new Promise<void>(resolve => server.listen(0, 'localhost', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  folder = await functionFolder({
    ...Object.fromEntries(
      Object.entries(reads).map(([name, call]) => [`read-${name}/function.js`, planning(call)]),
    ),
    ...Object.fromEntries(
      Object.entries(changes).map(([name, [call]]) => [
        `change-${name}/function.js`,
        planning(`${call}; return ''`),
      ]),
    ),
  })
  await writeFile(
    join(folder.root, 'network.yaml'),
    [cluster, network].map(object => `---\n${stringify(object)}`).join(''),
  )
}, 60_000)
afterAll(async () => {
  server.close()
  await folder.remove()
})

const planWith = async (name: string, allowed: AllowedNetwork) => {
  const { planners, close } = await startPlanProcess({
    folders: [join(folder.root, name)],
    network: allowed,
    env: { ...process.env, TEST_URL: url },
    clock: systemClock,
    onOutput: () => {},
  })
  methods.length = 0
  try {
    return (await plan([join(folder.root, 'network.yaml')], { planners, providers: [] })).text
  } finally {
    close()
  }
}

describe('a plan with --allow-reads', () => {
  test.each(Object.keys(reads))('reads from the cloud: %s', async name => {
    expect(await planWith(`read-${name}`, 'reads')).toContain('+ create network, after 200')
  })

  test.each(Object.keys(changes))('refuses what may change something, and says why: %s', async name => {
    const [, said = /./] = changes[name] ?? []
    await expect(planWith(`change-${name}`, 'reads')).rejects.toThrow(said)
    expect(methods.filter(method => method !== 'GET')).toEqual([])
  })
})

test('a plan without flags refuses a read, and names the flag that allows it', async () => {
  await expect(planWith('read-fetch', 'none')).rejects.toThrow(
    /acme-network connects to 127\.0\.0\.1:\d+\. .*To let it read from its cloud, use --allow-reads/,
  )
  expect(methods).toEqual([])
})

test('a plan with --allow-network sends requests of any method', async () => {
  expect(await planWith('change-post', 'all')).toContain('+ create network')
  expect(methods).toEqual(['POST'])
})
