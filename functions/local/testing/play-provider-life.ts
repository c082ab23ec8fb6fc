import { expect } from 'vitest'
import type { FunctionDefinition } from '../../../shared/runtime/runtime.ts'
import type { lifeRecordings } from '../../../test/beside/beside.ts'
import { recordedLifeOf } from '../../../test/recorded/lives.ts'
import { playLife, recordedStep } from '../../testing/play-life.ts'
import { providerSeed, secretOf } from './provider-seed.ts'
import { expectedWrites, type ProviderStep, withoutWaits, writesOf } from './recorded-objects.ts'

/** Runs an object through a recorded life and compares the results of each step. */
export const expectRecordedLife = async (
  definition: FunctionDefinition,
  name: (typeof lifeRecordings)[number],
): Promise<void> => {
  const recorded = recordedLifeOf<ProviderStep>(name)
  const { object, cluster } = recorded.input
  if (cluster === undefined) throw new Error('the recording has no Cluster')
  const seed = await providerSeed({
    definition,
    object,
    cluster,
    secret: secretOf(undefined, object.metadata.namespace),
    hasNamespace: object.kind !== 'Infrastructure',
  })
  const expected = expectedWrites(recorded)
  const replayed = await playLife(seed, recorded, ({ action }, _, index) => {
    expect(writesOf(seed.providerWrites()), `step ${index}, ${action}`).toEqual(expected[index])
  })
  expect(replayed.map(withoutWaits)).toEqual(recorded.steps.map(recordedStep).map(withoutWaits))
}
