import { DescribeTagsCommand, EC2Client } from '@aws-sdk/client-ec2'
import { accountContents, operator } from '../../functions/aws/infrastructure/testing/account-contents.ts'
import { type ActuatorMethod, stepsOver } from '../../functions/aws/infrastructure/testing/steps.ts'
import { type AwsOptions, isRead } from '../../sandbox/providers/aws/simulator/aws.ts'
import { countedBytes } from '../../sandbox/providers/aws/simulator/testing/counted-bytes.ts'
import { shuffledAws } from '../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import { virtualClock } from '../../shared/clock/clock.ts'
import { CodedError } from '../../shared/contract/errors.ts'
import type { StepResult } from '../../shared/lifecycle/lifecycle.ts'
import type { AwsRequestHandler } from '../../terraform-free-infra/aws/account/aws.ts'
import { consistentAfterMs } from '../../terraform-free-infra/aws/account/consistent-after.ts'
import { type ShapeName, shapes } from './shapes.ts'

export interface HostileWorld extends Omit<AwsOptions, 'clock'> {
  readonly shape: ShapeName
  /** Default: 1. */
  readonly zones?: number
}

/** An Infrastructure in an AWS that answers late, out of order or not at all, and is called until it is done. */
export const hostileWorld = async ({ shape, zones = 1, ...settings }: HostileWorld) => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const aws = shuffledAws({ clock, bytes: countedBytes(), ...settings })
  const { visibleAfter = 0 } = settings
  const { given, parts, cluster } = { given: undefined, cluster: undefined, ...shapes[shape](zones) }
  const patient: AwsRequestHandler = {
    ...aws.requestHandler,
    handle: async (...call) => {
      await clock.advance(visibleAfter)
      return aws.requestHandler.handle(...call)
    },
  }
  const made = (await given?.(patient)) ?? new Map<string, string>()
  // A user's resources are older than the shoot, so that AWS shows them everywhere.
  if (given !== undefined) await clock.advance(consistentAfterMs)
  const contents = async () => {
    await clock.advance(visibleAfter)
    return accountContents(aws.requestHandler)
  }
  const tags = async () => {
    const { Tags = [] } = await new EC2Client(operator(aws.requestHandler)).send(new DescribeTagsCommand({}))
    // The role tag on a user's subnet remains, as in the Go extension.
    return Tags.filter(({ Key = '' }) => !Key.startsWith('kubernetes.io/role/'))
      .map(({ ResourceId, Key, Value }) => `tag of ${ResourceId}: ${Key}=${Value}`)
      .sort()
  }
  /** Includes the tags of existing resources. EC2 still lists those of a deleted NAT gateway. */
  const everything = async () => [
    ...(await contents()),
    ...(await tags()).filter(line => !line.startsWith('tag of nat-')),
  ]
  const before = await everything()
  let steps = stepsOver(aws.requestHandler, clock, parts(made))
  /** Errors with a code, which would stop the shoot until its user acts. */
  const finalErrors: string[] = []
  const lastErrors: string[] = []

  const step = async (operation: ActuatorMethod, resumed: boolean): Promise<StepResult | undefined> => {
    try {
      return await steps.step(operation, {}, { resumed, ...(cluster && { cluster }) })
    } catch (error) {
      lastErrors.push(String(error))
      if (error instanceof CodedError && error.codes.length > 0) finalErrors.push(String(error))
      return undefined
    }
  }

  /** Runs steps until the operation is done, despite failures. Pauses after each failure. */
  const endure = async (operation: ActuatorMethod) => {
    let resumed = false
    for (let count = 0; count < 300; count++) {
      const result = await step(operation, resumed)
      if (result?.kind === 'done') return
      resumed = result !== undefined
      await clock.advance(result?.afterMs ?? 5_000)
    }
    throw new Error(`${operation} is not done after 300 steps: ${lastErrors.at(-1)}`)
  }
  return {
    aws,
    parts: parts(made),
    clock,
    before,
    contents,
    everything,
    endure,
    step,
    finalErrors,
    lastErrors,
    /** The writes since the log of calls was cleared. */
    writes: () =>
      aws.calls
        .all()
        .filter(call => !isRead(call))
        .map(({ action, input }) => `${action} ${JSON.stringify(input)}`),
    status: () => steps.status(),
    change: (next: Parameters<typeof steps.change>[0]) => steps.change(next),
    /** Replaces the object with one that has only the state, as in another seed. */
    moveToSeed: () => {
      const { state } = steps.status()
      steps = stepsOver(aws.requestHandler, clock, { ...parts(made), status: { state } as never })
    },
  }
}
