import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openVersion, type PlanningVersion } from '../../../cli/upgrade/both-versions.ts'
import { createCloudCalls } from '../../../cli/upgrade/cloud-calls.ts'
import { compareVersions } from '../../../cli/upgrade/compare-versions.ts'
import { findVersion, ownVersion } from '../../../cli/upgrade/other-version.ts'
import { noProgress } from '../../../cli/upgrade/progress-file.ts'
import { wholeShoot } from '../../../sandbox/providers/aws/demo/whole-shoot.ts'
import { isRead } from '../../../sandbox/providers/aws/simulator/aws.ts'
import { findProviders } from '../../../sandbox/providers/find-providers.ts'
import { loadSimulatedCode } from '../../../sandbox/simulation/simulation.ts'
import { systemClock } from '../../../shared/clock/clock.ts'
import { createKubernetes } from '../../../shared/kubernetes/kubernetes.ts'
import { createHttpSender } from '../../../terraform-free-infra/cloud/http-sender.ts'
import { continueWorld } from '../continue-world.ts'
import { refusals, rolls, type SeededChange, writes } from './changes.ts'
import { copySources } from './copied-sources.ts'
import { saveWorld } from './saved-world.ts'
import { serveWorld } from './served-world.ts'

const file = join(tmpdir(), `trellis-world-${process.pid}`)
let served: Awaited<ReturnType<typeof serveWorld>>
let own: PlanningVersion

const options = (flag: string) => ({
  flag,
  clouds: { endpoint: served.endpoint },
  env: process.env,
  clock: systemClock,
  onOutput: () => {},
})

beforeAll(async () => {
  const code = await loadSimulatedCode()
  const world = await continueWorld(code, undefined, async one => {
    await one.gardenlet(async of => {
      await of.prepareSeed()
      await of.reconcile(wholeShoot)
    })
    await one.rest()
    return one.world.backUp()
  })
  await saveWorld(file, world)
  served = await serveWorld(world)
  own = await openVersion(ownVersion(), options('--from'))
}, 600_000)
afterAll(async () => {
  own.close()
  await served.close()
  await rm(file)
})

/** Returns each line of the announcement with its object. */
const announcedBy = async (folder: string): Promise<readonly string[]> => {
  const to = await openVersion(await findVersion(folder), options('--to'))
  try {
    const { objects, unread, unplanned } = await compareVersions({
      kubernetes: createKubernetes({ transport: served.server.transport, clock: systemClock }),
      versions: [own, to],
      calls: createCloudCalls({
        providers: await findProviders(),
        send: createHttpSender(),
        clock: systemClock,
        endpoint: served.endpoint,
        perSecond: 1000,
      }),
      progress: noProgress,
      env: {},
      clock: systemClock,
      signal: new AbortController().signal,
    })
    expect(unread).toEqual([])
    expect(unplanned).toEqual([])
    expect(objects).toHaveLength(11)
    return objects.flatMap(({ kind, name, differences = [], unknown }) => {
      expect(unknown).toBeUndefined()
      return differences.flatMap(({ effect, sentence, lines }) => {
        const head = `${kind} ${name}: ${effect}: ${sentence}`
        return lines.length === 0 ? [head] : lines.map(line => `${head}: ${line}`)
      })
    })
  } finally {
    to.close()
  }
}

const doneBy = async (folder: string): Promise<readonly string[]> => {
  const act = join(folder, 'test/upgrades/announced/act.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [act, file], { maxBuffer: 2 ** 26 })
  return JSON.parse(stdout)
}

/**
 * A change of another object renews: Secrets with a hash of their content as name, and the status that an
 * Infrastructure and a Worker have, which their plans do not contain.
 */
const consequence = /^(?:(?:create|delete) secrets \S+-[0-9a-f]{8}|status (?:Infrastructure|Worker) iris)$/

describe.each([
  { version: 'that writes', changes: writes },
  { version: 'that rolls nodes', changes: rolls },
  { version: 'with stricter rules', changes: refusals },
])('a version $version', ({ changes }) => {
  let announced: readonly string[]
  let done: readonly string[]
  beforeAll(async () => {
    const copy = copySources(changes)
    try {
      served.aws.calls.clear()
      announced = await announcedBy(copy.folder)
      expect(served.aws.calls.all().filter(call => !isRead(call))).toEqual([])
      done = (await doneBy(copy.folder)).filter(line => !consequence.test(line))
    } finally {
      copy.remove()
    }
  }, 600_000)

  test.each(changes)('does and announces: $title', ({ announced: text, done: effect }: SeededChange) => {
    expect(announced).toContainEqual(expect.stringMatching(text))
    expect(done).toContainEqual(expect.stringMatching(effect))
  })

  test('announces nothing else', () => {
    expect(announced.filter(line => !changes.some(one => one.announced.test(line)))).toEqual([])
  })

  test('does nothing else', () => {
    expect(done.filter(line => !changes.some(one => one.done.test(line)))).toEqual([])
  })
})
