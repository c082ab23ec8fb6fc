import { DescribeTagsCommand, EC2Client } from '@aws-sdk/client-ec2'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  accountContents,
  operator,
  withoutIds,
} from '../../functions/aws/infrastructure/testing/account-contents.ts'
import { type ActuatorMethod, stepsOver } from '../../functions/aws/infrastructure/testing/steps.ts'
import { failNatGateways } from '../../sandbox/providers/aws/simulator/aws.ts'
import { shuffledAws } from '../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import { virtualClock } from '../../shared/clock/clock.ts'
import type { StepResult } from '../../shared/lifecycle/lifecycle.ts'
import type { AwsRequestHandler } from '../../terraform-free-infra/aws/account/aws.ts'
import { type ShapeName, shapes } from './shapes.ts'

interface World {
  readonly shape: ShapeName
  readonly zones?: number
  /** The delay before AWS shows a created or changed resource, in milliseconds. */
  readonly visibleAfter?: number
}

const setUp = async ({ shape, zones = 1, visibleAfter = 0 }: World) => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const aws = shuffledAws({ clock, visibleAfter })
  const { given, parts, cluster } = { given: undefined, cluster: undefined, ...shapes[shape](zones) }
  const patient: AwsRequestHandler = {
    ...aws.requestHandler,
    handle: async (...call) => {
      await clock.advance(visibleAfter)
      return aws.requestHandler.handle(...call)
    },
  }
  const made = (await given?.(patient)) ?? new Map<string, string>()
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
  const steps = stepsOver(aws.requestHandler, clock, parts(made))

  /** Runs steps until the operation is done, despite failures. Pauses after each failure. */
  const endure = async (operation: ActuatorMethod) => {
    let resumed = false
    for (let count = 0; count < 300; count++) {
      const step = steps.step(operation, {}, { resumed, ...(cluster && { cluster }) })
      const result: StepResult | undefined = await step.catch(() => undefined)
      if (result?.kind === 'done') return
      resumed = result !== undefined
      await clock.advance(result?.afterMs ?? 5_000)
    }
    throw new Error(`${operation} is not done after 300 steps`)
  }
  return { aws, before, contents, everything, endure }
}

const quiet = async (world: World): Promise<readonly string[]> => {
  const { contents, endure } = await setUp(world)
  await endure('reconcile')
  return withoutIds(await contents())
}

const late: readonly World[] = (
  ['standard', 'gateway endpoint', 'file system', 'dual stack', 'existing VPC', 'own subnets'] as const
).flatMap(shape => [1, 3].map(zones => ({ shape, zones, visibleAfter: 3_000 })))

test.each(late)(
  'everything is created once and removed although AWS shows its resources late: $shape, zones: $zones',
  async world => {
    const whole = await quiet({ ...world, visibleAfter: 0 })
    const { before, contents, everything, endure } = await setUp(world)
    await endure('reconcile')
    expect(withoutIds(await contents())).toEqual(whole)
    await endure('remove')
    expect(await everything()).toEqual(before)
  },
)

test('nothing is created twice and everything is removed although AWS throttles reads and writes for a while', async () => {
  const world = { shape: 'file system', zones: 3 } as const
  const whole = await quiet(world)
  const { aws, before, contents, everything, endure } = await setUp(world)
  for (const operation of ['reconcile', 'remove'] as const) {
    for (const nth of [3, 17, 31, 52, 75, 99]) {
      aws.faults.add({ nth, lasts: 20_000, effect: { kind: 'throttle' } })
    }
    await endure(operation)
    aws.faults.clear()
    if (operation === 'reconcile') expect(withoutIds(await contents())).toEqual(whole)
    else expect(await everything()).toEqual(before)
  }
})

test('NAT gateways that fail during the wait are replaced, and everything is removed', async () => {
  const world = { shape: 'standard', zones: 3 } as const
  const whole = await quiet(world)
  const { aws, before, contents, everything, endure } = await setUp(world)
  const failure = { code: 'InternalError', message: 'Network interface has some internal error' }
  failNatGateways(aws.account(), 'eu-west-1', [failure, failure])
  await endure('reconcile')
  expect(withoutIds(await contents())).toEqual(whole)
  await endure('remove')
  expect(await everything()).toEqual(before)
})

const writes = ['Create*', 'Allocate*', 'Import*', 'Put*', 'Add*', 'Attach*', 'Associate*', 'Modify*']
const removals = ['Delete*', 'Release*', 'Remove*', 'Detach*', 'Revoke*', 'Authorize*']
/** Faults of some calls of an action, from the nth on. */
const faults = fc.array(
  fc.record({
    action: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...writes, ...removals) },
      { weight: 1, arbitrary: fc.constantFrom('Describe*', 'Get*') },
    ),
    nth: fc.integer({ min: 1, max: 10 }),
    times: fc.integer({ min: 1, max: 3 }),
    when: fc.constantFrom('before' as const, 'after' as const),
    effect: fc.constantFrom(
      { kind: 'drop' as const },
      { kind: 'drop' as const },
      { kind: 'throttle' as const },
      { kind: 'error' as const, code: 'InternalError', status: 500 },
    ),
  }),
  { minLength: 3, maxLength: 12 },
)

test('nothing is created twice and everything is removed, whichever calls fail and however', async () => {
  /** The resources of an undisturbed creation by shape. Each shape is created once. */
  const whole = new Map<ShapeName, Promise<readonly string[]>>()
  const wholeOf = (shape: ShapeName) => {
    const made = whole.get(shape) ?? quiet({ shape })
    whole.set(shape, made)
    return made
  }
  const shape = fc.constantFrom<ShapeName>('standard', 'file system', 'dual stack', 'own subnets')
  await fc.assert(
    fc.asyncProperty(
      shape,
      faults,
      faults,
      fc.constantFrom(0, 3_000),
      async (shape, making, removing, visibleAfter) => {
        const { aws, before, contents, everything, endure } = await setUp({ shape, visibleAfter })
        for (const fault of making) aws.faults.add(fault)
        await endure('reconcile')
        aws.faults.clear()
        // The next reconcile removes a resource that was created with a lost response, if nothing uses it.
        await endure('reconcile')
        expect(withoutIds(await contents())).toEqual(await wholeOf(shape))
        for (const fault of removing) aws.faults.add(fault)
        await endure('remove')
        aws.faults.clear()
        expect(await everything()).toEqual(before)
      },
    ),
    { numRuns: 40 },
  )
})
