import { expect, test } from 'vitest'
import { createAws } from '../../../sandbox/aws/simulator.ts'
import { virtualClock } from '../../../shared/clock/virtual-clock.ts'
import type { AwsRequestHandler } from '../../../terraform-free-infra/aws/client/request-handler.ts'
import { accountContents, withoutIds } from './account-contents.testing.ts'
import { type Interference, type Operation, stepsOver } from './steps.testing.ts'

const setUp = async () => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const aws = createAws({ clock })
  const handler: AwsRequestHandler = aws.requestHandler
  return { aws, clock, handler, before: await accountContents(handler) }
}

/** A process that dies at its n-th call, to AWS or to the API server: from then on nothing of it arrives anywhere. */
const dyingAt = (n: number, when: 'before' | 'after'): Interference & { readonly died: () => boolean } => {
  let calls = 0
  let dead = false
  const die = () => {
    dead = true
    throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
  }
  return {
    before: () => {
      if (dead) die()
      calls++
      if (when === 'before' && calls === n) die()
    },
    after: () => {
      if (when === 'after' && calls >= n) die()
    },
    died: () => dead,
  }
}

/** Steps of processes that die at their n-th call, twice, then of ones that live. */
const survive = async (
  { step, until }: ReturnType<typeof stepsOver>,
  operation: Operation,
  n: number,
  when: 'before' | 'after',
): Promise<boolean> => {
  const [first, second] = [dyingAt(n, when), dyingAt(Math.ceil(n / 2), when)]
  await step(operation, first).catch(() => undefined)
  if (!first.died()) return false
  await step(operation, second).catch(() => undefined)
  await until(operation)
  return true
}

test.each(['before', 'after'] as const)(
  'a process that dies %s any call of a creation leaves nothing that the next one does not take up',
  async when => {
    const { aws, clock, handler, before } = await setUp()
    const empty = aws.account().snapshot()
    const undisturbed = stepsOver(handler, clock)
    await undisturbed.until('reconcile')
    const whole = withoutIds(await accountContents(handler))
    let died = true
    for (let n = 1; died; n++) {
      aws.account().restore(empty)
      const seed = stepsOver(handler, clock)
      died = await survive(seed, 'reconcile', n, when)
      if (!died) await seed.until('reconcile')
      expect(withoutIds(await accountContents(handler)), `call ${n}`).toEqual(whole)
      await seed.until('remove')
      expect(await accountContents(handler), `call ${n}, deleted`).toEqual(before)
    }
  },
  300_000,
)

test.each(['before', 'after'] as const)(
  'a process that dies %s any call of a creation leaves nothing that a deletion does not find',
  async when => {
    const { aws, clock, handler, before } = await setUp()
    const empty = aws.account().snapshot()
    let died = true
    for (let n = 1; died; n++) {
      aws.account().restore(empty)
      const seed = stepsOver(handler, clock)
      const dying = dyingAt(n, when)
      await seed.step('reconcile', dying).catch(() => undefined)
      died = dying.died()
      await seed.until('remove')
      expect(await accountContents(handler), `call ${n}`).toEqual(before)
    }
  },
  300_000,
)

test.each(['before', 'after'] as const)(
  'a process that dies %s any call of a deletion is followed by one that ends it',
  async when => {
    const { aws, clock, handler, before } = await setUp()
    const made = stepsOver(handler, clock)
    await made.until('reconcile')
    const there = aws.account().snapshot()
    let died = true
    for (let n = 1; died; n++) {
      aws.account().restore(there)
      const seed = stepsOver(handler, clock, { status: made.status() })
      died = await survive(seed, 'remove', n, when)
      if (!died) await seed.until('remove')
      expect(await accountContents(handler), `call ${n}`).toEqual(before)
    }
  },
  300_000,
)
