import { join } from 'node:path'
import { expect, test } from 'vitest'
import { entries, events, replay } from './testing/replay-run.ts'

const saved = (name: string) => join(events, `bastion-${name}.json`)

test('the replay of a bastion needs neither a Cluster nor an infrastructure: it creates them', async () => {
  const { ok, text } = await replay([saved('create')], { follow: true })
  expect(ok).toBe(true)
  expect(text).toContain('RunInstances')
  expect(await replay([saved('create')], { follow: true })).toEqual({ ok, text })
})

test('a bastion that is deleted is created first', async () => {
  const all = await entries([saved('delete')], { follow: true })
  expect(all[0]).toMatchObject({ assumed: true })
  expect(all.at(-1)).toMatchObject({ object: { gone: true } })
})
