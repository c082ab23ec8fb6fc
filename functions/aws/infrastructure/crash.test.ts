import { expect, test } from 'vitest'
import { createAws } from '../../../sandbox/aws/aws.ts'
import { type VirtualClock, virtualClock } from '../../../shared/clock/clock.ts'
import type { AwsRequestHandler } from '../../../terraform-free-infra/aws/aws.ts'
import { accountContents, withoutIds } from './testing/account-contents.ts'
import { type ActuatorMethod, type Interference, stepsOver } from './testing/steps.ts'

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

/** Steps as they come due, until the process dies in one of them; false: it came to the end. */
const untilDeath = async (
  { step, clock }: World,
  operation: ActuatorMethod,
  dying: ReturnType<typeof dyingAt>,
): Promise<boolean> => {
  for (let count = 0; count < 60; count++) {
    const result = await step(operation, dying, { resumed: count > 0 }).catch((error: unknown) => {
      if (dying.died()) return undefined
      throw error
    })
    if (dying.died()) return true
    if (result?.kind !== 'continue') return false
    await clock.advance(result.afterMs)
  }
  throw new Error('neither dead nor done after 60 steps')
}

type World = ReturnType<typeof stepsOver> & { readonly clock: VirtualClock }

/** Two processes that die, the first at its n-th call, and one that lives. Whether the first has died. */
const survive = async (
  world: World,
  operation: ActuatorMethod,
  n: number,
  when: 'before' | 'after',
): Promise<boolean> => {
  const died = await untilDeath(world, operation, dyingAt(n, when))
  if (died) await untilDeath(world, operation, dyingAt(Math.ceil(n / 2), when))
  await world.until(operation)
  return died
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
    let n = 0
    while (died) {
      n++
      aws.account().restore(empty)
      const seed = { ...stepsOver(handler, clock), clock }
      died = await survive(seed, 'reconcile', n, when)
      expect(withoutIds(await accountContents(handler)), `call ${n}`).toEqual(whole)
      await seed.until('remove')
      expect(await accountContents(handler), `call ${n}, deleted`).toEqual(before)
    }
    expect(n).toBeGreaterThan(50)
  },
  300_000,
)

test.each(['before', 'after'] as const)(
  'a process that dies %s any call of a creation leaves nothing that a deletion does not find',
  async when => {
    const { aws, clock, handler, before } = await setUp()
    const empty = aws.account().snapshot()
    let died = true
    let n = 0
    while (died) {
      n++
      aws.account().restore(empty)
      const seed = { ...stepsOver(handler, clock), clock }
      died = await untilDeath(seed, 'reconcile', dyingAt(n, when))
      await seed.until('remove')
      expect(await accountContents(handler), `call ${n}`).toEqual(before)
    }
    expect(n).toBeGreaterThan(40)
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
    let n = 0
    while (died) {
      n++
      aws.account().restore(there)
      const seed = { ...stepsOver(handler, clock, { status: made.status() }), clock }
      died = await survive(seed, 'remove', n, when)
      expect(await accountContents(handler), `call ${n}`).toEqual(before)
    }
    expect(n).toBeGreaterThan(40)
  },
  300_000,
)
