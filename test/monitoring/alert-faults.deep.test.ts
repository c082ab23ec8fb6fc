import { expect, test } from 'vitest'
import { useSeeds } from '../../bridge/testing/test-seed.ts'
import { alertNames } from '../../knative/monitoring/testing/promtool-cases.ts'
import { alertCauses } from './alert-faults.ts'
import { causeFault } from './cause-fault.ts'

const newSeed = useSeeds()

test('every alert has a fault', () => {
  expect(alertCauses.map(({ alert }) => alert).toSorted()).toEqual(alertNames().toSorted())
})

test.each(alertCauses)('the code exposes the series of $alert', { timeout: 60_000 }, async cause => {
  const { series } = await causeFault(cause, newSeed)
  expect(series.length).toBeGreaterThan(0)
})
