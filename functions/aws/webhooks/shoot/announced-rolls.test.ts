import { describe, expect, test } from 'vitest'
import { nodeAgentSecretNames } from '../../../../shared/worker/rolls/rolls.ts'
import { validate, withOther } from '../testing/reviews.ts'
import { recordedNames } from './testing/gardenlet-worker.ts'
import { shootUpdates } from './testing/shoot-updates.ts'
import { base, shootsOf } from './testing/updated-shoot.ts'
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

const type = 'spec.provider.workers.0.machine.type'

test('hostile names and values are escaped and short', async () => {
  const [hidden, pools] = ['a\u001b[31m\u202e'.repeat(500), 'spec.provider.workers.0']
  const config = { apiVersion: 'aws.provider.extensions.gardener.cloud/v1alpha1', kind: 'WorkerConfig' }
  const old = withOther(base(), { 'spec.kubernetes.version': '1.34.1', [`${pools}.name`]: hidden })
  const next = withOther(old, { [`${pools}.providerConfig`]: { ...config, placement: { groupId: hidden } } })
  const { allowed, warnings } = await validate(next, { old, garden })
  expect(allowed).toBe(true)
  expect(warnings).toHaveLength(1)
  expect(warnings[0]).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  expect(warnings[0]).toMatch(/^rolls 1 to 3 nodes of pool "a\\/)
  expect(warnings[0]?.length).toBeLessThanOrEqual(256)
})

test('a Shoot whose nodes cannot be computed is allowed without warnings', async () => {
  const old = withOther(base(), { 'spec.kubernetes.version': 'unknown' })
  const { allowed, warnings } = await validate(withOther(base(), { [type]: 'm5.xlarge' }), { old, garden })
  expect({ allowed, warnings }).toEqual({ allowed: true, warnings: [] })
})

test('a refused update, a creation and a deletion have no warnings', async () => {
  const next = withOther(base(), { [type]: 'm5.xlarge' })
  const refused = await validate(withOther(next, { 'spec.provider.workers.0.volume': undefined }), {
    old: base(),
    garden,
  })
  expect(refused).toMatchObject({ allowed: false, warnings: [] })
  expect(await validate(next, { garden })).toMatchObject({ allowed: true, warnings: [] })
  const deleting = withOther(next, { 'metadata.deletionTimestamp': '2026-11-21T12:00:00Z' })
  expect(await validate(deleting, { old: base(), garden })).toMatchObject({ allowed: true, warnings: [] })
})
