import { describe, expect, test } from 'vitest'
import { validate } from '../testing/reviews.ts'
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
