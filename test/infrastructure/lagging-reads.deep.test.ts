import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withoutIds } from '../../functions/aws/infrastructure/testing/account-contents.ts'
import type { ObjectParts } from '../../functions/aws/infrastructure/testing/objects.ts'
import { runs } from '../cases/share.ts'
import { hostileWorld } from './hostile-world.ts'
import type { ShapeName } from './shapes.ts'

type World = Awaited<ReturnType<typeof hostileWorld>>

/** The shape's parts with gateway endpoints. */
const withEndpoints = ({ networks, vpc, ...parts }: ObjectParts): ObjectParts => {
  const gatewayEndpoints = ['s3', 'dynamodb']
  return {
    ...parts,
    networks: { ...networks, vpc: { ...(vpc ?? { cidr: '10.250.0.0/16' }), gatewayEndpoints } },
  }
}

/** Events in the life of a shoot, each within seconds after the success of the former. */
const deeds: Readonly<Record<string, (world: World) => Promise<void>>> = {
  'reconcile again': world => world.endure('reconcile'),
  'add endpoints': async world => {
    world.change(withEndpoints(world.parts))
    await world.endure('reconcile')
  },
  'remove endpoints': async world => {
    world.change(world.parts)
    await world.endure('reconcile')
  },
  'move to another seed': async world => {
    await world.endure('migrate')
    world.moveToSeed()
    await world.endure('restore')
  },
  'abandon a deletion': async world => {
    await world.step('remove', false)
    await world.step('remove', true)
    await world.endure('reconcile')
  },
}

const whole = new Map<ShapeName, Promise<readonly string[]>>()
const wholeOf = (shape: ShapeName) => {
  const made =
    whole.get(shape) ??
    hostileWorld({ shape }).then(async ({ contents, endure }) => {
      await endure('reconcile')
      return withoutIds(await contents())
    })
  whole.set(shape, made)
  return made
}

const pauses = fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 8, maxLength: 8 })

test('nothing is doubled or left although reads lag behind each success', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom<ShapeName>('standard', 'file system', 'dual stack', 'own subnets', 'existing VPC'),
      fc.record({ seed: fc.nat(), most: fc.constantFrom(5_000, 30_000, 90_000) }),
      fc.array(fc.constantFrom(...Object.keys(deeds)), { maxLength: 4 }),
      pauses,
      fc.constantFrom(0, 1),
      async (shape, lag, drawn, [pause = 0, ...others], lost) => {
        // Endpoints need route tables of their own.
        const chosen = drawn.filter(deed => shape !== 'own subnets' || !deed.includes('endpoints'))
        const world = await hostileWorld({ shape, lag, shuffleLists: lag.seed })
        const times = [pause, ...others]
        if (lost > 0)
          for (const action of ['Create*', 'Allocate*', 'Import*'])
            world.aws.faults.add({ action, nth: 1, times: 2, when: 'after', effect: { kind: 'drop' } })
        await world.endure('reconcile')
        for (const [index, deed] of chosen.entries()) {
          await world.clock.advance(times[index] ?? 0)
          await deeds[deed]?.(world)
        }
        if (chosen.findLast(deed => deed.includes('endpoints')) !== 'add endpoints') {
          await world.clock.advance(600_000)
          await world.endure('reconcile')
          expect(withoutIds(await world.contents())).toEqual(await wholeOf(shape))
        }
        await world.clock.advance(times.at(-1) ?? 0)
        await world.endure('remove')
        expect(await world.everything()).toEqual(world.before)
        expect(world.finalErrors).toEqual([])
      },
    ),
    { numRuns: runs(20) },
  )
})

test('an infrastructure that is deleted while its first creates are unanswered leaves nothing', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom<ShapeName>('standard', 'file system', 'dual stack', 'own subnets', 'existing VPC'),
      fc.record({ seed: fc.nat(), most: fc.constantFrom(5_000, 30_000, 90_000) }),
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 30 }),
      fc.integer({ min: 0, max: 5_000 }),
      async (shape, lag, steps, times, pause) => {
        const world = await hostileWorld({ shape, lag })
        for (const action of ['Create*', 'Allocate*', 'Import*', 'Put*'])
          world.aws.faults.add({ action, times, when: 'after', effect: { kind: 'drop' } })
        for (let count = 0; count < steps; count++) {
          await world.step('reconcile', count > 0)
          await world.clock.advance(pause)
        }
        world.aws.faults.clear()
        await world.endure('remove')
        expect(await world.everything()).toEqual(world.before)
      },
    ),
    {
      numRuns: runs(20),
      // The list shows the address once, and then no longer.
      examples: [['standard', { seed: 1_683_452_757, most: 90_000 }, 4, 1, 2_239]],
    },
  )
})
