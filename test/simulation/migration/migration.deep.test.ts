// First: see `simulation.ts`.
import '../../../sandbox/simulation/simulation.ts'
import { expect, test } from 'vitest'
import { migrationSet } from './migration-set.ts'

/** Each class of faults and each course once. `make simulate` runs all. */
const selected = [
  'local in-memory, moved',
  'local seed process, given up in the restore',
  'aws nats, with the state of Go',
  'aws in-memory, with a state from before a NAT gateway was replaced',
  'local in-memory, moved, crash after, 1 of 64',
  'local in-memory, given up in the migration, given up, 6 of 64',
]

test.each(selected)('%s: the shoot is as without faults', { timeout: 120_000 }, async id => {
  let job: ReturnType<typeof jobs.next>['value']
  const jobs = migrationSet.jobs({ seed: '1', functions: undefined })[Symbol.iterator]()
  do job = jobs.next().value
  while (job?.id !== id)
  expect((await job.run()).failures).toEqual([])
})
