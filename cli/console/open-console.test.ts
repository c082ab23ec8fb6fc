import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { systemClock } from '../../shared/clock/clock.ts'
import { apiVersion } from '../../shared/contract/constants.ts'
import { exportView, openJournal } from './console.ts'
import type { Overview } from './model/history.ts'
import { header, recordEntry } from './testing/served-console.ts'

test('a journal begins with the steps that the bridge remembered, although they were recorded later', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-console-'))
  const file = join(folder, 'seed.journal')
  const step = {
    ...{ type: 'step', at: '2026-11-20T23:59:50.000Z', began: '2026-11-20T23:59:49.000Z', event: 'e' },
    ...{ object: 'DNSRecord a/api', function: 'f', operation: 'reconcile', ms: 1, outcome: 'failed' },
    ...{ reason: 'no zone', calls: [] },
  }
  const lines = [header, recordEntry('a', 'Succeeded', 1), step]
  await writeFile(file, lines.map(line => `${JSON.stringify(line)}\n`).join(''))
  const server = await openJournal({ file, port: 0, providers: [], clock: systemClock })
  try {
    const overview = (await (await fetch(`${server.url}api/overview`)).json()) as Overview
    expect(new Date(overview.from).toISOString()).toBe(step.at)
    expect(overview.shoots[0]?.states.map(({ at, state }) => [at - overview.from, state])).toEqual([
      [0, 'failed'],
      [11_000, 'ok'],
    ])
  } finally {
    await server.close()
    await rm(folder, { recursive: true })
  }
})

test('a page of trellis trace has no files of machines, and no tokens', async () => {
  const metadata = { namespace: 'shoot--dev--rose', name: 'rose' }
  const file = {
    path: '/var/lib/token',
    content: { inline: { encoding: '', data: 'abcdef.0123456789abcdef' } },
  }
  const html = await exportView(
    {
      ...{ at: Date.parse('2026-11-21T12:00:00Z'), clustersRead: true, steps: [], missing: [] },
      objects: [
        { apiVersion, kind: 'OperatingSystemConfig', metadata, spec: { type: 'ubuntu', files: [file] } },
        {
          ...{ apiVersion, kind: 'Infrastructure', metadata, spec: { type: 'aws' } },
          status: { state: { kubeconfig: 'token: 0123456789abcdef-token' } },
        },
      ],
    },
    [],
    'shoot--dev--rose',
  )
  const chunks = [...html.matchAll(/data-chunk="[^"]*">([^<]*)</g)].map(([, data = '']) =>
    gunzipSync(Buffer.from(data, 'base64')).toString(),
  )
  expect(chunks.join()).toContain('/var/lib/token')
  expect(chunks.join()).not.toContain('0123456789abcdef')
})
