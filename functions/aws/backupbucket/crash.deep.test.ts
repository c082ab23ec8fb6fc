import { expect, test } from 'vitest'
import { dyingAt } from '../../../shared/lifecycle/testing/dying-at.ts'
import { newAccount } from './testing/account.ts'
import { type Interference, stepsOver } from './testing/steps.ts'

/** Runs a step in a process that dies during it. Returns false if the step ended first. */
const survives = async (
  step: (dying: Interference) => Promise<unknown>,
  dying: ReturnType<typeof dyingAt>,
) => {
  await step(dying.interference).catch((error: unknown) => {
    if (!dying.died()) throw error
  })
  return dying.died()
}

const parts = {
  immutability: { retentionType: 'bucket', retentionPeriod: '24h', mode: 'governance' },
  deletionTimestamp: '2026-11-21T00:00:00Z',
}

test.each(['before', 'after'] as const)(
  'after a process dies %s any call of a creation, the next one completes it',
  async when => {
    const whole = newAccount()
    await stepsOver(whole.aws.requestHandler, whole.clock, parts).step('reconcile')
    const { lifecycle, ...expected } = await whole.settings()
    let died = true
    let n = 0
    while (died) {
      n++
      const { aws, clock, settings, actions } = newAccount()
      const { step, until } = stepsOver(aws.requestHandler, clock, parts)
      died = await survives(dying => step('reconcile', dying), dyingAt(n, when))
      await until('reconcile')
      const made = await settings()
      expect(made, `call ${n}`).toMatchObject(expected)
      expect(made.lifecycle, `call ${n}`).toHaveLength((lifecycle as readonly object[]).length)
      aws.calls.clear()
      await step('reconcile')
      expect(
        actions().every(action => action.startsWith('Get')),
        `call ${n}, again`,
      ).toBe(true)
    }
    expect(n).toBe(8)
  },
)

test.each(['before', 'after'] as const)(
  'after a process dies %s any call of a creation, a deletion finds everything',
  async when => {
    for (let n = 1; n <= 7; n++) {
      const { aws, clock, exists } = newAccount()
      const { step, until } = stepsOver(aws.requestHandler, clock, parts)
      await survives(dying => step('reconcile', dying), dyingAt(n, when))
      await until('remove')
      expect(await exists(), `call ${n}`).toBe(false)
    }
  },
)

test.each(['before', 'after'] as const)(
  'after a process dies %s any call of a deletion, the next one completes it',
  async when => {
    let died = true
    let n = 0
    while (died) {
      n++
      const { aws, clock, exists, fill } = newAccount()
      const { step, until } = stepsOver(aws.requestHandler, clock, {
        deletionTimestamp: parts.deletionTimestamp,
      })
      await step('reconcile')
      fill(1_200)
      died = await survives(dying => step('remove', dying), dyingAt(n, when))
      await until('remove')
      expect(await exists(), `call ${n}`).toBe(false)
    }
    expect(n).toBe(8)
  },
)
