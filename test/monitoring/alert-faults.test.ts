import { expect, test } from 'vitest'
import { useSeeds } from '../../bridge/testing/test-seed.ts'
import { alertNames } from '../../deploy/knative/monitoring/testing/promtool-cases.ts'
import { alertCauses } from './alert-faults.ts'
import { causeFault } from './cause-fault.ts'

const newSeed = useSeeds()

test('there is a fault for every alert', () => {
  expect(alertCauses.map(({ alert }) => alert).toSorted()).toEqual(alertNames().toSorted())
})

test.each(alertCauses)(
  'the code shows the series that $alert is made of',
  { timeout: 60_000 },
  async cause => {
    const { series } = await causeFault(cause, newSeed)
    expect(series.length).toBeGreaterThan(0)
  },
)
