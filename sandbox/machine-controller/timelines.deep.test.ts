import { describe, expect, test } from 'vitest'
import { readStored } from '../../test/recorded/stored.ts'
import { lifeScenarios } from './testing/life-scenarios.ts'
import { openWorlds } from './testing/open-worlds.ts'
import type { Timeline } from './testing/read-timelines.ts'
import { refusedScenarios } from './testing/refused-scenarios.ts'

const open = openWorlds()

const scenarios = { ...lifeScenarios, ...refusedScenarios }

/** Machines that are created together are in random order. */
const sorted = (timeline: Timeline) => timeline.map(machine => machine.join('\n')).sort()

describe('the steps of machines', () => {
  test.each(Object.entries(scenarios))('%s', async (_, scenario) => {
    const world = await open(scenario)
    await scenario.run(world)
    expect(sorted(world.steps())).toEqual(sorted(scenario.steps))
  })
})

/** Returns true if all steps are in the other list in the same order. Truncated texts match as prefixes. */
const isWithin = (some: readonly string[], all: readonly string[]): boolean => {
  let at = 0
  for (const step of all) if (at < some.length && step.startsWith(some[at] ?? '')) at++
  return at === some.length
}

describe('recorded timelines', () => {
  const here = Object.values(scenarios).flatMap(({ steps }) => steps)

  test.each([
    ...['create', 'scale', 'rolling', 'noCapacity', 'orphan', 'wrongImage', 'throttle', 'dualStack', 'efa'],
    ...['dataVolumes', 'spotAndMore', 'drain', 'ipv6Only', 'twins', 'stoppedBehind', 'terminatedThenDelete'],
    ...['notOffered', 'injected', 'deleteFails', 'visible', 'lostAnswer', 'wrongParts', 'idle', 'many'],
    ...['terminatedBehind', 'terminatedBehindCcm', 'quota', 'neverJoins'],
  ])('%s: the sandbox has the recorded steps of each machine', name => {
    const recorded = readStored('machine-controller/timelines.txt') as Readonly<Record<string, Timeline>>
    const machines = recorded[name] ?? []
    expect(machines.length).toBeGreaterThan(0)
    expect(machines.filter(machine => !here.some(ours => isWithin(machine, ours)))).toEqual([])
  })
})
