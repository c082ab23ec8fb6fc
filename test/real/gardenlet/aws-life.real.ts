import { afterAll, beforeAll, expect, test } from 'vitest'
import { added } from '../../../sandbox/providers/aws/account-contents.ts'
import { functionSettings } from '../../../sandbox/providers/aws/demo/shoot-seeds.ts'
import { wholeAccount } from '../../../sandbox/providers/aws/demo/whole-account.ts'
import { landscape, seeds, wholeShoot } from '../../../sandbox/providers/aws/demo/whole-shoot.ts'
import { furnishedZone } from '../../../sandbox/providers/aws/furnished-zone.ts'
import {
  type Aws,
  addHostedZone,
  createAws,
  simulatedAws,
} from '../../../sandbox/providers/aws/simulator/aws.ts'
import { systemClock } from '../../../shared/clock/clock.ts'
import { describeWith } from '../with-part.ts'
import { type GardenletWorld, startGardenletWorld } from './world.ts'

describeWith('gardenlet', "a shoot on AWS, by gardenlet's own code,", programs => {
  let world: GardenletWorld
  let aws: Aws
  let before: Awaited<ReturnType<typeof wholeAccount>>
  beforeAll(async () => {
    aws = createAws({ clock: systemClock })
    addHostedZone(aws.account(), furnishedZone)
    before = await wholeAccount(aws)
    world = await startGardenletWorld({
      ...{ programs, landscape, seeds: [seeds.first], shoot: wholeShoot },
      clouds: { aws: simulatedAws(aws) },
      settings: functionSettings,
    })
    for (const seed of [seeds.first]) await world.ask('backups', seed)
  })
  afterAll(() => world?.close())

  const cloud = async () => added(before, await wholeAccount(aws))

  test('is created', async () => {
    const status = await world.reconcile(seeds.first)
    expect(status?.lastOperation).toMatchObject({ type: 'Create', state: 'Succeeded' })
    expect(await world.states(seeds.first)).toEqual({})
    expect(await cloud()).toBe('')
    expect(await world.care(seeds.first)).toEqual([])
  })

  test('is deleted', async () => {
    await world.delete()
    await world.reconcile(seeds.first)
    expect(await world.status()).toBeUndefined()
    expect(await cloud()).toBe('2 buckets')
  })
})
