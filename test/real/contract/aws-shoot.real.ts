import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ShootState } from '../../../sandbox/gardenlet/gardenlet.ts'
import { linesOf, wholeAccount } from '../../../sandbox/providers/aws/demo/whole-account.ts'
import { asleep, during, wholeShoot } from '../../../sandbox/providers/aws/demo/whole-shoot.ts'
import { gardenersDefinitions } from '../../contract/definitions.ts'
import { startWorld, type World } from '../../shoot/whole-shoot-world.ts'
import { definitions } from '../real-cluster.ts'
import { describeWith } from '../with-part.ts'

describeWith('modules', 'a shoot in AWS, on the CRDs of Gardener', ({ supported }) => {
  describe.each(supported.map(modules => [modules.gardener.version, modules] as const))(
    '%s',
    (_, modules) => {
      let world: World
      let before: readonly string[]
      let moving: ShootState
      beforeAll(async () => {
        world = await startWorld()
        before = linesOf(await wholeAccount(world.aws))
        for (const crd of await gardenersDefinitions(modules))
          for (const { kubernetes } of [world.first, world.second]) {
            const { name } = crd.metadata
            const { metadata } = (await kubernetes.get(definitions, { name })) ?? crd
            await kubernetes.replace(definitions, { ...crd, metadata })
          }
        await world.first.gardenlet.prepareSeed()
        await world.second.gardenlet.prepareSeed()
      })
      afterAll(() => world?.close())

      test('is created, hibernated and woken up', async () => {
        const { first } = world
        await first.gardenlet.reconcile(wholeShoot)
        await first.gardenlet.reconcile(asleep(wholeShoot))
        expect(first.nodes()).toEqual([])
        await first.gardenlet.reconcile(wholeShoot)
        expect(first.nodes().map(({ ready }) => ready)).toEqual(['True', 'True'])
      })

      test('is reconciled without a write to AWS', async () => {
        world.cloudWrites()
        await world.first.gardenlet.reconcile(wholeShoot)
        expect(world.cloudWrites()).toEqual({})
      })

      test('moves to another seed without a new machine', async () => {
        moving = await world.first.gardenlet.migrate(during(wholeShoot, 'Migrate'))
        await world.first.gardenlet.forget(wholeShoot)
        world.cloudWrites()
        await world.second.gardenlet.restore(during(wholeShoot, 'Restore'), moving)
        expect(world.cloudWrites()).toEqual({ ChangeResourceRecordSets: 3 })
      })

      test('is deleted and leaves nothing', async () => {
        await world.second.gardenlet.delete(during(wholeShoot, 'Delete'))
        for (const { gardenlet } of [world.first, world.second]) await gardenlet.removeSeed()
        expect(linesOf(await wholeAccount(world.aws))).toEqual(before)
      })
    },
  )
})
