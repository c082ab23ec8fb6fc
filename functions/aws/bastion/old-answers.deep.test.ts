import { describe, expect, test } from 'vitest'
import { startAccount, type TestAccount } from './testing/account.ts'
import { blocks, namespace } from './testing/objects.ts'
import { stepsOver } from './testing/steps.ts'

const groupName = `${namespace}-cli-abc-bsg`

const setUp = async (options: Parameters<typeof startAccount>[0]) => {
  const account = startAccount({ ec2: { durations: { scale: 1 } }, ...options })
  await account.makeNetwork()
  await account.clock.advance(600_000)
  const steps = stepsOver(account.aws.requestHandler, account.clock)
  return { ...account, ...steps }
}

const rangesOf = async ({ groupNamed }: TestAccount) =>
  ((await groupNamed(groupName))?.IpPermissions ?? [])
    .flatMap(({ IpRanges = [] }) => IpRanges.map(({ CidrIp }) => CidrIp))
    .sort()

const leavesNothing = async ({ instances, groupNamed }: TestAccount) => {
  expect(await instances()).toEqual([])
  expect(await groupNamed(groupName)).toBeUndefined()
  expect((await groupNamed(`${namespace}-nodes`))?.IpPermissions).toEqual([])
}

const seeds = Array.from({ length: 24 }, (_, index) => index)

describe('with answers of EC2 that are up to 90 s old', () => {
  test.each(seeds)('a bastion is created, changed, deleted and recreated at once: seed %i', async seed => {
    const pages = { seed, most: 2, repeated: 0.3, omitted: 0.3 }
    const world = await setUp({ lag: { seed, most: 90_000 }, shuffleLists: seed, pages })
    const { until, change, clock } = world
    const pause = () => clock.advance((seed % 6) * 1_000)
    await until('reconcile')
    expect(await world.instances()).toHaveLength(1)
    const [first] = await world.instances()
    expect(await rangesOf(world)).toEqual(['203.0.113.7/32'])
    for (const ranges of [['198.51.100.0/24'], ['203.0.113.7/32', '192.0.2.0/24'], ['198.51.100.0/24']]) {
      await pause()
      change({ spec: { ingress: blocks(...ranges) } })
      await until('reconcile')
      expect(await rangesOf(world)).toEqual(ranges.toSorted())
    }
    expect((await world.instances()).map(({ InstanceId }) => InstanceId)).toEqual([first?.InstanceId])
    await pause()
    await until('remove')
    await leavesNothing(world)
    await pause()
    const recreated = stepsOver(world.aws.requestHandler, clock, { metadata: { uid: 'another' } })
    await recreated.until('reconcile')
    expect(await world.instances()).toHaveLength(1)
    expect(await rangesOf(world)).toEqual(['203.0.113.7/32'])
    await pause()
    await recreated.until('remove')
    await leavesNothing(world)
  })
})
