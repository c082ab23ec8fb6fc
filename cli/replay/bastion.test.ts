import { join } from 'node:path'
import { expect, test } from 'vitest'
import { entries, events, replay } from './testing/replay-run.ts'

const saved = (name: string) => join(events, `bastion-${name}.json`)

test('a bastion needs no Cluster and no infrastructure to be replayed: what it asks for is made up', async () => {
  const { ok, text } = await replay([saved('create')], { follow: true })
  expect(ok).toBe(true)
  expect(text).toContain('RunInstances')
  expect(await replay([saved('create')], { follow: true })).toEqual({ ok, text })
})

test('a bastion that is to be deleted was there before', async () => {
  const all = await entries([saved('delete')], { follow: true })
  expect(all[0]).toMatchObject({ assumed: true })
  expect(all.at(-1)).toMatchObject({ object: { gone: true } })
})
