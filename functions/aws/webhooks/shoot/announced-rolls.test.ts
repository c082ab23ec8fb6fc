import { describe, expect, test } from 'vitest'
import { nodeAgentSecretNames } from '../../../../shared/worker/rolls/rolls.ts'
import { validate } from '../testing/reviews.ts'
import { recordedNames } from './testing/gardenlet-worker.ts'
import { shootsOf, shootUpdates } from './testing/shoot-updates.ts'
import { updatesGarden } from './testing/updates-garden.ts'

const garden = updatesGarden()

describe('admission', () => {
  test.each(shootUpdates.map(update => [update.name, update] as const))(
    'announces what an update of %s does to nodes',
    async (_, update) => {
      const { former, next } = shootsOf(update)
      const { allowed, message, warnings } = await validate(next, { old: former, garden })
      expect({ allowed, message }).toEqual({ allowed: true, message: '' })
      expect(warnings).toEqual(update.lines)
    },
  )
})

test("the names of the node agents' Secrets equal those of gardenlet", () => {
  const names = recordedNames()
  expect(Object.keys(names)).toEqual(shootUpdates.map(({ name }) => name))
  for (const update of shootUpdates) {
    const { former, reconciled } = shootsOf(update)
    expect(names[update.name]).toEqual({
      former: Object.fromEntries(nodeAgentSecretNames(former)),
      reconciled: Object.fromEntries(nodeAgentSecretNames(reconciled)),
    })
  }
})
