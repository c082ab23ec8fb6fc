import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { entries, events } from './testing/replay-run.ts'

test.each(readdirSync(events).filter(name => name.endsWith('.json')))('the event %s plays', async name => {
  const all = await entries([join(events, name)])
  expect(all.length).toBeGreaterThanOrEqual(1)
  for (const { outcome } of all) expect(outcome.kind).toBe('recorded')
})
