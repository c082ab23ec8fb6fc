import { TerminateInstancesCommand } from '@aws-sdk/client-ec2'
import { expect } from 'vitest'
import type { VirtualClock } from '../../../../shared/clock/clock.ts'
import type { StepResult } from '../../../../shared/lifecycle/lifecycle.ts'
import { startAccount, type TestAccount } from './account.ts'
import { namespace } from './objects.ts'
import { stepsOver } from './steps.ts'

export const groupName = `${namespace}-cli-abc-bsg`
/** The key of the function. Other calls see everything at once. */
export const accessKeyId = 'AKIAEXAMPLE'
export const minute = 60_000

export const setUp = async (...[parts, surroundings]: [Parts?, Surroundings?]) => {
  const account = startAccount()
  const network = await account.makeNetwork()
  const steps = stepsOver(account.aws.requestHandler, account.clock, parts, surroundings)
  return { ...account, ...steps, network }
}
type Parts = Parameters<typeof stepsOver>[2]
type Surroundings = Parameters<typeof stepsOver>[3]

/** Hides one resource from calls of the function for a while. */
export const hide = (
  { aws }: TestAccount,
  { action = '*', id, lasts }: { action?: string; id: string; lasts: number },
) => aws.faults.add({ accessKeyId, action, times: null, lasts, effect: { kind: 'not-found', id } })

export const errorOf = (step: Promise<unknown>): Promise<Error> =>
  step.then(
    result => {
      throw new Error(`it did not fail: ${JSON.stringify(result)}`)
    },
    (error: Error) => error,
  )

/** Returns the error that ends the waits of an operation. */
export const errorAfterWaits = async (
  clock: VirtualClock,
  step: () => Promise<StepResult>,
): Promise<Error> => {
  for (let count = 0; count < 200; count++) {
    const result = await step().catch((error: Error) => error)
    if (result instanceof Error) return result
    if (result.kind === 'done') break
    await clock.advance(result.afterMs)
  }
  throw new Error('it did not fail')
}

export const expectNothingLeft = async ({ instances, groupNamed }: TestAccount) => {
  expect(await instances()).toEqual([])
  expect(await groupNamed(groupName)).toBeUndefined()
  expect((await groupNamed(`${namespace}-nodes`))?.IpPermissions).toEqual([])
}

/** EC2 shows each change after exactly a minute. */
export const setUpLate = async () => {
  const account = startAccount({ lag: { seed: 1, least: minute, most: minute } })
  const network = await account.makeNetwork()
  await account.clock.advance(10 * minute)
  account.aws.calls.clear()
  return { ...account, ...stepsOver(account.aws.requestHandler, account.clock), network }
}

export const terminate = ({ ec2 }: Pick<TestAccount, 'ec2'>, id: string) =>
  ec2.send(new TerminateInstancesCommand({ InstanceIds: [id] }))
