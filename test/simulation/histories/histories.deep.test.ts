import { expect, test } from 'vitest'
import { historySet } from './history-set.ts'

test.each([...historySet.jobs({ seed: '1', functions: undefined })])('$id', async job => {
  const { failures } = await job.run()
  expect(failures.flatMap(({ broken }) => broken)).toEqual([])
})
