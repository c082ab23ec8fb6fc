import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { systemClock } from '../../shared/clock/clock.ts'
import { openJournal } from './console.ts'
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
