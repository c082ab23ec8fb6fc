import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { entries, events, replay } from './testing/replay-run.ts'

const saved = (name: string) => join(events, `${name}.json`)

describe('the output', () => {
  test.each(['backupbucket-create', 'backupbucket-delete', 'backupentry-create'])(
    'for %s, it is the same every time',
    async name => {
      const first = await replay([saved(name)])
      expect(await replay([saved(name)])).toEqual(first)
      expect(first.ok).toBe(true)
      await expect(first.text).toMatchFileSnapshot(`golden/${name}.txt`)
    },
  )
})

test('a bucket that exists according to its status needs no change', async () => {
  const [entry] = await entries([saved('backupbucket-unchanged')])
  expect(entry).toMatchObject({ assumed: true, aws: { reads: 4, writes: [] } })
})

test('the bucket of an entry exists, though no object says so', async () => {
  const [entry] = await entries([saved('backupentry-delete')])
  // The object would be the same without a bucket; this one was listed.
  expect(entry).toMatchObject({ object: { gone: true }, aws: { reads: 1, writes: [] } })
})
