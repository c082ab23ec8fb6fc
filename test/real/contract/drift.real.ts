import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../../../build/programs/programs.ts'
import { compareDefinitions, type Definition } from '../../contract/compare-definitions.ts'
import { contractDrift } from '../../contract/contract-drift.ts'
import { seedDefinitions } from '../../contract/definitions.ts'
import { driftTable } from '../../contract/drift.ts'
import { monitoringDefinitions } from '../../definitions/monitoring.ts'
import { verticalPodAutoscalers } from '../../definitions/vertical-pod-autoscaler.ts'
import { describeWith } from '../with-part.ts'

describeWith('modules', "Gardener's modules", ({ pinned }) => {
  test('have the CRDs, constants and words that Trellis uses', async () => {
    const drifts = await contractDrift(pinned)
    expect(drifts, driftTable(drifts)).toEqual([])
  })

  test('have every field of the CRDs that tests use in place of theirs', async () => {
    const standIns = [...monitoringDefinitions, verticalPodAutoscalers] as unknown as Definition[]
    const drifts = compareDefinitions(standIns, await seedDefinitions(pinned))
    // Every stand-in has a status.
    const missing = drifts.filter(
      ({ problem, subject }) => problem === 'missing' && !/ \.status$/.test(subject),
    )
    expect(missing, driftTable(missing)).toEqual([])
  })

  test('are parsed by a program that passes its own tests', async () => {
    const cwd = join(import.meta.dirname, '..', '..', 'contract', 'go-constants')
    await run('go', ['test', './...'], { cwd })
  })
})
