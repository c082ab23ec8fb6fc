import { expect, test } from 'vitest'
import { matching } from '../../contract/classify.ts'
import { machineDeployment } from '../testing/machine-objects.ts'
import { unwantedGone } from './unwanted-gone.ts'

const classifiers = [matching('ERR_INFRA_UNAUTHORIZED', /denied/)]
const failed = machineDeployment('c', {
  status: {
    failedMachines: [
      { name: 'm2', lastOperation: { description: 'gone' } },
      { name: 'm1', lastOperation: { description: 'denied' } },
    ],
  },
})

test('desired deployments are not waited for', () => {
  expect(unwantedGone([failed], new Set(['c']), { classifiers })).toEqual({ kind: 'over' })
  expect(unwantedGone([], new Set(), { classifiers })).toEqual({ kind: 'over' })
})

test('deployments that no pool needs are waited for, in any order', () => {
  const others = [machineDeployment('b'), machineDeployment('a')]
  for (const deployments of [others, others.toReversed()]) {
    expect(unwantedGone(deployments, new Set(['c']), { classifiers })).toMatchObject({
      kind: 'waiting',
      message: 'at least one unwanted machine deployment (a) still exists',
    })
  }
})

test('a failed machine of one of them ends the wait with its code', () => {
  expect(unwantedGone([machineDeployment('a'), failed], new Set(), { classifiers })).toMatchObject({
    kind: 'failed',
    error: { message: 'machine m1 failed: denied', codes: ['ERR_INFRA_UNAUTHORIZED'] },
  })
})
