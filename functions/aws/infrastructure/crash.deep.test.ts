import { expect, test } from 'vitest'
import { type AccountSnapshot, createAws } from '../../../sandbox/providers/aws/simulator/aws.ts'
import { type VirtualClock, virtualClock } from '../../../shared/clock/clock.ts'
import { dyingAt } from '../../../shared/lifecycle/testing/dying-at.ts'
import type { AwsRequestHandler } from '../../../terraform-free-infra/aws/account/aws.ts'
import { accountContents, withoutIds } from './testing/account-contents.ts'
import { repeatedBytes, statesMet } from './testing/states-met.ts'
import { type ActuatorMethod, stepsOver } from './testing/steps.ts'

const setUp = async () => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const { bytes, restart } = repeatedBytes()
  const aws = createAws({ clock, bytes })
  const handler: AwsRequestHandler = aws.requestHandler
  /** Restores the account. Later resources get the same ids each time. */
  const restore = (snapshot: AccountSnapshot) => {
    restart()
    aws.account().restore(snapshot)
  }
  return { aws, clock, handler, restore, before: await accountContents(handler) }
}

/** Runs the due steps until the process dies in one. Returns false if they completed. */
const untilDeath = async (
  { step, clock }: World,
  operation: ActuatorMethod,
  dying: ReturnType<typeof dyingAt>,
): Promise<boolean> => {
  for (let count = 0; count < 60; count++) {
    const result = await step(operation, dying.interference, { resumed: count > 0 }).catch(
      (error: unknown) => {
        if (dying.died()) return undefined
        throw error
      },
    )
    if (dying.died()) return true
    if (result?.kind !== 'continue') return false
    await clock.advance(result.afterMs)
  }
  throw new Error('neither dead nor done after 60 steps')
}

type World = ReturnType<typeof stepsOver> & { readonly clock: VirtualClock }

/** Runs two processes that die, the first at its n-th call, and one that completes. Returns true if the first died. */
const dieTwice = async (world: World, operation: ActuatorMethod, n: number, when: 'before' | 'after') => {
  const died = await untilDeath(world, operation, dyingAt(n, when))
  if (died) await untilDeath(world, operation, dyingAt(Math.ceil(n / 2), when))
  return died
}

const moments = ['before', 'after'] as const

test('after a process dies at any call of a creation, the next one takes up everything', async () => {
  const { aws, clock, handler, restore, before } = await setUp()
  const empty = aws.account().snapshot()
  await stepsOver(handler, clock).until('reconcile')
  const whole = withoutIds(await accountContents(handler))
  const isNew = statesMet()
  for (const when of moments) {
    let died = true
    let n = 0
    while (died) {
      n++
      restore(empty)
      const began = clock.now()
      const seed = { ...stepsOver(handler, clock), clock }
      died = await dieTwice(seed, 'reconcile', n, when)
      if (!isNew(aws.account().snapshot(), seed.status(), began, clock.now())) continue
      await seed.until('reconcile')
      expect(withoutIds(await accountContents(handler)), `${when} call ${n}`).toEqual(whole)
      await seed.until('remove')
      expect(await accountContents(handler), `${when} call ${n}, deleted`).toEqual(before)
    }
    expect(n).toBeGreaterThan(50)
  }
})

test('after a process dies at any call of a creation, a deletion finds everything', async () => {
  const { aws, clock, handler, restore, before } = await setUp()
  const empty = aws.account().snapshot()
  const isNew = statesMet()
  for (const when of moments) {
    let died = true
    let n = 0
    while (died) {
      n++
      restore(empty)
      const began = clock.now()
      const seed = { ...stepsOver(handler, clock), clock }
      died = await untilDeath(seed, 'reconcile', dyingAt(n, when))
      if (!isNew(aws.account().snapshot(), seed.status(), began, clock.now())) continue
      await seed.until('remove')
      expect(await accountContents(handler), `${when} call ${n}`).toEqual(before)
    }
    expect(n).toBeGreaterThan(40)
  }
})

test('after a process dies at any call of a deletion, the next one completes it', async () => {
  const { aws, clock, handler, restore, before } = await setUp()
  const made = stepsOver(handler, clock)
  await made.until('reconcile')
  const there = aws.account().snapshot()
  const isNew = statesMet()
  for (const when of moments) {
    let died = true
    let n = 0
    while (died) {
      n++
      restore(there)
      const began = clock.now()
      const seed = { ...stepsOver(handler, clock, { status: made.status() }), clock }
      died = await dieTwice(seed, 'remove', n, when)
      if (!isNew(aws.account().snapshot(), seed.status(), began, clock.now())) continue
      await seed.until('remove')
      expect(await accountContents(handler), `${when} call ${n}`).toEqual(before)
    }
    expect(n).toBeGreaterThan(40)
  }
})
