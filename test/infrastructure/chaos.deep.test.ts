import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withoutIds } from '../../functions/aws/infrastructure/testing/account-contents.ts'
import { failNatGateways } from '../../sandbox/providers/aws/simulator/aws.ts'
import { runs } from '../cases/share.ts'
import { type HostileWorld, hostileWorld } from './hostile-world.ts'
import type { ShapeName } from './shapes.ts'

const quiet = async (world: HostileWorld): Promise<readonly string[]> => {
  const { contents, endure } = await hostileWorld(world)
  await endure('reconcile')
  return withoutIds(await contents())
}

const late: readonly HostileWorld[] = (
  ['standard', 'gateway endpoint', 'file system', 'dual stack', 'existing VPC', 'own subnets'] as const
).flatMap(shape => [1, 3].map(zones => ({ shape, zones, visibleAfter: 3_000 })))

test.each(late)(
  'everything is created once and removed although AWS shows its resources late: $shape, zones: $zones',
  async world => {
    const whole = await quiet({ ...world, visibleAfter: 0 })
    const { before, contents, everything, endure } = await hostileWorld(world)
    await endure('reconcile')
    expect(withoutIds(await contents())).toEqual(whole)
    await endure('remove')
    expect(await everything()).toEqual(before)
  },
)

test('nothing is created twice and everything is removed although AWS throttles reads and writes for a while', async () => {
  const world = { shape: 'file system', zones: 3 } as const
  const whole = await quiet(world)
  const { aws, before, contents, everything, endure } = await hostileWorld(world)
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
  const { aws, before, contents, everything, endure } = await hostileWorld(world)
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
        const { aws, before, contents, everything, endure } = await hostileWorld({ shape, visibleAfter })
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
    { numRuns: runs(40) },
  )
})
