import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sampleEvent } from '../events/testing/sample-event.ts'
import { done } from '../lifecycle/lifecycle.ts'
import { defineFunction } from './define-function.ts'
import { wireFunction } from './wire-function.ts'

const definition = defineFunction({
  name: 'acme-dnsrecord',
  kind: 'DNSRecord',
  type: 'acme-dns',
  create: () => ({ reconcile: async () => done(), remove: async () => done() }),
})

test('requests without a response from the API server and a step that could not be recorded are counted', async () => {
  const away = createServer(socket => socket.destroy()).listen(0, '127.0.0.1')
  await once(away, 'listening')
  const folder = await mkdtemp(join(tmpdir(), 'trellis-wire-'))
  onTestFinished(async () => {
    away.close()
    await rm(folder, { recursive: true })
  })
  const file = join(folder, 'kubeconfig.yaml')
  await writeFile(
    file,
    JSON.stringify({
      clusters: [
        { name: 'c', cluster: { server: `http://127.0.0.1:${(away.address() as AddressInfo).port}` } },
      ],
      users: [{ name: 'u', user: {} }],
      contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'c',
    }),
  )
  const wired = await wireFunction(definition, { KUBECONFIG: file, TRELLIS_LOG_LEVEL: 'silent' })
  const event = { ...sampleEvent, kind: 'DNSRecord', provider: 'acme-dns' } as const
  expect(await wired.handle(event, new AbortController().signal)).toMatchObject({ kind: 'unrecorded' })
  const { text } = await wired.metrics.render()
  expect(text).toMatch(/trellis_function_kubernetes_requests_total\{method="GET",status="none"\} [1-9]/)
  expect(text).toMatch(/trellis_function_steps_total\{.*outcome="unrecorded".*\} 1/)
})
