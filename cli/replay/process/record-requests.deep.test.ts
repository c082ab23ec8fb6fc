import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FunctionFolder, functionFolder, imports } from '../../../functions/testing/function-folder.ts'
import { create, root } from '../testing/replay-run.ts'

const server = createServer(({ method, url = '' }, response) => {
  if (url === '/broken') response.destroy()
  else response.writeHead(method === 'POST' ? 201 : 404).end()
})
let folder: FunctionFolder
let host = ''
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const namespace = 'shoot--garden--rose'
  folder = await functionFolder({
    'cluster.json': JSON.stringify({
      items: [
        {
          apiVersion: 'extensions.gardener.cloud/v1alpha1',
          kind: 'Cluster',
          metadata: { name: namespace },
          spec: { cloudProfile: {}, seed: {}, shoot: {} },
        },
        {
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: { name: 'dnsrecord-rose-external', namespace },
          data: { token: Buffer.from('a token / of a cloud').toString('base64') },
        },
      ],
    }),
    'sends/function.js': `${imports}
import { request } from 'node:http'
const url = path => 'http://${host}' + path
export const definition = defineFunction({
  name: 'acme-record', kind: 'DNSRecord', type: 'aws-route53',
  create: () => ({
    reconcile: async ({ secret }) => {
      const { token } = secret.data
      await fetch(url('/zones?owner=a%2Fb&token=planted&X-Amz-Signature=planted&flag'))
      await fetch(url('/of/' + encodeURIComponent(token)), { headers: { authorization: 'planted' } })
      await fetch(url('/zones'), { method: 'POST', body: 'planted' }).catch(() => {})
      await new Promise(done => request(url('/broken')).on('error', done).end())
      await new Promise(done => request(url('/records?key=planted&page=2'), answer => answer.resume().on('end', done)).end())
      return done()
    },
    remove: async () => done(),
  }),
})
`,
  })
})
afterAll(async () => {
  server.close()
  server.closeAllConnections()
  await folder.remove()
})

const replayed = (...args: readonly string[]) =>
  new Promise<string>(resolve => {
    const [sends, cluster] = ['sends', 'cluster.json'].map(name => join(folder.root, name))
    const given = [create, '--function', String(sends), '--cluster', String(cluster), ...args]
    execFile(process.execPath, [join(root, 'cli/trellis.mjs'), 'replay', ...given], (_, stdout) =>
      resolve(stdout),
    )
  })

test('a replay lists the HTTP requests of a function, without secrets', async () => {
  const output = await replayed('--allow-network')
  expect(output.slice(output.indexOf('http '))).toBe(`http        5 requests
  GET ${host}/zones?owner=a/b&token=…&X-Amz-Signature=…&flag → 404
  GET ${host}/of/[redacted] → 404
  POST ${host}/zones → 201
  GET ${host}/broken → no answer
  GET ${host}/records?key=…&page=2 → 404
`)
  expect(output).not.toContain('planted')
}, 60_000)

test('a replay with --allow-reads lists only the requests that it allows, also as JSON', async () => {
  const [entry] = JSON.parse(await replayed('--allow-reads', '--output', 'json'))
  expect(entry.http.map(({ method }: { readonly method: string }) => method)).toEqual(Array(4).fill('GET'))
  expect(entry.http[0]).toEqual({
    method: 'GET',
    host,
    path: '/zones?owner=a/b&token=…&X-Amz-Signature=…&flag',
    status: 404,
  })
}, 60_000)
