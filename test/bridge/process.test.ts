import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createApiServer } from '../../sandbox/kubernetes/api-server.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { allCrds } from '../../shared/contract/crds/crd-of.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import { createKubernetes } from '../../shared/kubernetes/client.ts'
import { record, shootObjects } from './harness.ts'

const main = fileURLToPath(new URL('../../bridge/main.ts', import.meta.url))
const server = createApiServer({ clock: systemClock, objects: allCrds() })
const kubernetes = createKubernetes({ transport: server.transport, clock: systemClock })

/** Ids of the events that the sink got, by object. */
const received = new Map<string, string[]>()
let arrived = Promise.withResolvers<void>()
const sink = createServer((request, response) => {
  const name = String(request.headers['ce-name'])
  received.set(name, [...(received.get(name) ?? []), String(request.headers['ce-id'])])
  request.resume().on('end', () => response.writeHead(202).end())
  arrived.resolve()
  arrived = Promise.withResolvers()
})

let folder = ''
let listener: Awaited<ReturnType<typeof server.listen>>
const children = new Set<ChildProcess>()

beforeAll(async () => {
  for (const [resource, object] of shootObjects) await kubernetes.create(resource, object)
  listener = await server.listen()
  sink.listen(0, '127.0.0.1')
  await once(sink, 'listening')
  folder = await mkdtemp(join(tmpdir(), 'trellis-bridge-'))
  await writeFile(join(folder, 'kubeconfig'), server.kubeconfig(listener.url))
})

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  server.close()
  await listener.close()
  sink.close()
  sink.closeAllConnections()
  await rm(folder, { recursive: true })
})

const startProcess = () => {
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env.PATH,
      TRELLIS_SEED: 'test',
      TRELLIS_KUBECONFIG: join(folder, 'kubeconfig'),
      TRELLIS_HOST: '127.0.0.1',
      TRELLIS_PORT: '0',
      TRELLIS_KINDS: 'DNSRecord',
      K_SINK: `http://127.0.0.1:${(sink.address() as AddressInfo).port}/`,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  children.add(child)
  return {
    end: async (signal: 'SIGKILL' | 'SIGTERM') => {
      const ended = once(child, 'exit')
      child.kill(signal)
      children.delete(child)
      return (await ended) as [number | null, string | null]
    },
  }
}

const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await arrived.promise
}

it('killed and started again, it loses nothing, repeats ids only, and ends cleanly when asked to', async () => {
  const first = startProcess()
  await kubernetes.create(kinds.DNSRecord.resource, record('before'))
  await until(() => received.has('before'))
  expect(await first.end('SIGKILL')).toEqual([null, 'SIGKILL'])
  for (let index = 0; index < 50; index++) {
    await kubernetes.create(kinds.DNSRecord.resource, record(`meanwhile-${index}`))
  }
  const second = startProcess()
  await until(() => received.size === 51 && received.get('before')?.length === 2)
  for (const [name, ids] of received) expect(new Set(ids).size, name).toBe(1)
  expect(await second.end('SIGTERM')).toEqual([0, null])
})
