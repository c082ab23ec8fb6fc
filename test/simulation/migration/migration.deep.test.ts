// First: see `simulation.ts`.
import '../../../sandbox/simulation/simulation.ts'
import { expect, test } from 'vitest'
import { share } from '../../cases/share.ts'
import { migrationSet } from './migration-set.ts'

/** Courses with different clouds, deliveries and faults that together take some seconds. `make simulate` runs all. */
const selected = [
  'local seed process, given up in the restore',
  'aws nats, with a state from before a NAT gateway was replaced',
  'local kafka, given up and reconciled, given up, 62 of 64',
  'local rabbitmq, given up in the reconciliation, frozen before, 63 of 64',
  'openstack kafka, with a state from before a machine was replaced',
]

test.each(share(selected, 2))('%s: the shoot is as without faults', { timeout: 120_000 }, async id => {
  let job: ReturnType<typeof jobs.next>['value']
  const jobs = migrationSet.jobs({ seed: '1', functions: undefined })[Symbol.iterator]()
  do job = jobs.next().value
  while (job?.id !== id)
  expect((await job.run()).failures).toEqual([])
})
