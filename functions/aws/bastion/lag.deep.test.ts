import { expect, test } from 'vitest'
import { dyingAt } from '../../../shared/lifecycle/testing/dying-at.ts'
import type { AwsRequestHandler } from '../../../terraform-free-infra/aws/account/aws.ts'
import { isNight } from '../../../test/cases/share.ts'
import { startAccount, type TestAccount } from './testing/account.ts'
import { blocks, namespace } from './testing/objects.ts'
import { type Interference, stepsOver } from './testing/steps.ts'

const groupName = `${namespace}-cli-abc-bsg`

const setUp = async (seed: number, least: number) => {
  const account = startAccount({
    lag: { seed, most: 90_000, least },
    shuffleLists: seed,
    ec2: { durations: { scale: 1 } },
  })
  await account.makeNetwork()
  await account.clock.advance(600_000)
  const { requestHandler } = account.aws
  let hooks: Interference = {}
  const handler: AwsRequestHandler = {
    handle: async (request, options) => {
      const action = /Action=(\w+)/.exec(String(request.body))?.[1] ?? ''
      const call = action.startsWith('Describe') ? `get ${action}` : action
      hooks.before?.(call)
      const answer = await requestHandler.handle(request, options)
      hooks.after?.(call)
      return answer
    },
  }
  const steps = stepsOver(handler, account.clock)
  /** Runs the steps of an operation until the process dies at its n-th write. Returns true if it died. */
  const dieAt = async (operation: 'reconcile' | 'remove', n: number, when: 'before' | 'after') => {
    const dying = dyingAt(n, when)
    hooks = dying.interference
    const patches = {
      before: (call: string) => call.startsWith('patch ') && dying.interference.before(call),
      after: (call: string) => call.startsWith('patch ') && dying.interference.after(),
    }
    try {
      for (let count = 0; count < 60; count++) {
        const result = await steps.step(operation, patches).catch((error: unknown) => {
          if (dying.died()) return undefined
          throw error
        })
        if (dying.died()) return true
        if (result?.kind !== 'continue') return false
        await account.clock.advance(result.afterMs)
      }
    } finally {
      hooks = {}
    }
    throw new Error('neither dead nor done after 60 steps')
  }
  return { ...account, ...steps, dieAt }
}
type World = Awaited<ReturnType<typeof setUp>>

const rangesOf = async ({ groupNamed }: TestAccount) =>
  ((await groupNamed(groupName))?.IpPermissions ?? [])
    .flatMap(({ IpRanges = [] }) => IpRanges.map(({ CidrIp }) => CidrIp))
    .sort()

const expectNothing = async ({ instances, groupNamed, clock }: World, what: string) => {
  for (let time = 0; time < 2; time++) {
    expect(await instances(), what).toEqual([])
    expect(await groupNamed(groupName), what).toBeUndefined()
    expect((await groupNamed(`${namespace}-nodes`))?.IpPermissions, what).toEqual([])
    await clock.advance(300_000)
  }
}

const lags = [0, 30_000]
const times = ['before', 'after'] as const
/** The distance of the writes at which a process dies. */
const distance = isNight ? 1 : 3
const cases = lags.flatMap(least => times.map(when => [when, least] as const))

test.each(cases)(
  'after a process died %s any write of a creation, with answers up to 90 s old (at least %i ms), nothing is doubled or left',
  async (when, least) => {
    let n = isNight || least > 0 ? 0 : -1
    for (let died = true; died; ) {
      n += distance
      const what = `write ${n}`
      const [continued, deleted] = [await setUp(n, least), await setUp(n, least)]
      died = await continued.dieAt('reconcile', n, when)
      continued.change({ spec: { ingress: blocks('198.51.100.0/24') } })
      await continued.until('reconcile')
      expect(await continued.instances(), what).toHaveLength(1)
      expect(await rangesOf(continued), what).toEqual(['198.51.100.0/24'])
      await continued.until('remove')
      await expectNothing(continued, `${what}, deleted later`)
      await deleted.dieAt('reconcile', n, when)
      await deleted.until('remove')
      await expectNothing(deleted, `${what}, deleted at once`)
    }
    expect(n).toBeGreaterThan(10)
  },
)

test.each(cases)(
  'after a process died %s any write of a deletion, with answers up to 90 s old (at least %i ms), nothing is left',
  async (when, least) => {
    let n = isNight || least > 0 ? 0 : -1
    for (let died = true; died; ) {
      n += distance
      const world = await setUp(n, least)
      await world.until('reconcile')
      died = await world.dieAt('remove', n, when)
      await world.until('remove')
      await expectNothing(world, `write ${n}`)
    }
    expect(n).toBeGreaterThan(3)
  },
)
