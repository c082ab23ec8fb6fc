import { expect, test } from 'vitest'
import { contractDrift } from '../../../build/contract/contract-drift.ts'
import { driftTable } from '../../../build/contract/drift.ts'
import { describeWith } from '../with-part.ts'

describeWith('modules', "Gardener's modules", ({ pinned }) => {
  test('have the CRDs, constants and words that Trellis uses', async () => {
    const drifts = await contractDrift(pinned)
    expect(drifts, driftTable(drifts)).toEqual([])
  })
})
