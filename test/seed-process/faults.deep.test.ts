import { rm } from 'node:fs/promises'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type BridgeProcess, leaseTimes } from '../bridge/bridge-process.ts'
import {
  linesOf,
  pidsOf,
  program,
  programsWith,
  type SeedProcessWorld,
  startSeedProcessWorld,
  writePrograms,
} from './seed-process-world.ts'

const folder = await writePrograms(program)
afterAll(() => rm(folder, { recursive: true }))

let world: SeedProcessWorld
beforeEach(async () => {
  world = await startSeedProcessWorld(folder)
})
afterEach(() => world.close())

const slowCloud = (milliseconds: number, times = 1) =>
  world.aws.faults.add({
    service: 'route53',
    action: 'List*',
    effect: { kind: 'delay', milliseconds },
    times,
  })
const names = (count: number) => Array.from({ length: count }, (_, index) => `record-${index}`)
const createAll = (count: number) => Promise.all(names(count).map(world.create))
const isProcessing = async () => {
  const states = await Promise.all(names(5).map(world.stateOf))
  return states.includes('Processing')
}
const awake = (seed: BridgeProcess) => expect.poll(() => pidsOf(seed).length).toBeGreaterThan(0)
const killLast = (seed: BridgeProcess, signal: NodeJS.Signals) =>
  process.kill(pidsOf(seed).at(-1) ?? 0, signal)

/** Steps with a short claim, and one event at a time, so that others wait. */
const env = {
  ...{ TRELLIS_STEP_LIMIT_MS: '3000', TRELLIS_STEP_MARGIN_MS: '1000', TRELLIS_DRAIN_MS: '500' },
}
const oneByOne = programsWith({
  env,
  functions: [{ name: 'aws-dnsrecord', kind: 'DNSRecord', types: ['aws-route53'], concurrency: 1 }],
})
const election = {
  TRELLIS_LEADER_ELECTION: 'true',
  ...leaseTimes({ durationMs: 3_000, renewMs: 2_000, retryMs: 500 }),
}
const leads = (seed: BridgeProcess) => linesOf(seed, 'leadership changed').at(-1)?.leading === true

interface Fault {
  /** Completes "5 objects are reconciled although ...". */
  readonly title: string
  /** Prepares the cloud or the API server. */
  readonly prepare?: () => void
  readonly settings?: Readonly<Record<string, string>>
  readonly inflict: (seed: BridgeProcess) => Promise<unknown>
}

const faults: readonly Fault[] = [
  {
    title: 'the program is killed before its first claim',
    prepare: () => {
      // The first request for the object never returns, so nothing is claimed.
      world.server.faults.add({
        effect: { kind: 'hang' },
        matches: ({ path }) => /dnsrecords\/record-/.test(path),
      })
    },
    inflict: async seed => {
      await awake(seed)
      killLast(seed, 'SIGKILL')
    },
  },
  {
    title: 'the program is killed after a claim',
    prepare: () => slowCloud(60_000),
    inflict: async seed => {
      await expect.poll(isProcessing).toBe(true)
      killLast(seed, 'SIGKILL')
    },
  },
  {
    title: 'the program is killed four times',
    prepare: () => slowCloud(1_000, 40),
    inflict: async seed => {
      for (let times = 1; times <= 4; times++) {
        await expect.poll(() => pidsOf(seed).length).toBe(times)
        killLast(seed, 'SIGKILL')
      }
    },
  },
  {
    title: 'the program hangs',
    prepare: () => slowCloud(2_000),
    inflict: async seed => {
      await expect.poll(isProcessing).toBe(true)
      killLast(seed, 'SIGSTOP')
    },
  },
  {
    title: 'the seed process gets SIGTERM within a step and starts again',
    prepare: () => slowCloud(60_000),
    inflict: async seed => {
      await expect.poll(isProcessing).toBe(true)
      expect(await seed.end('SIGTERM')).toEqual([0, null])
      world.start({ TRELLIS_PROGRAMS: oneByOne })
    },
  },
  {
    title: 'the seed process is killed while events wait, and starts again',
    prepare: () => slowCloud(60_000),
    inflict: async seed => {
      await expect.poll(isProcessing).toBe(true)
      await seed.end('SIGKILL')
      world.start({ TRELLIS_PROGRAMS: oneByOne })
    },
  },
  {
    title: 'the leader freezes, a standby leads, and the first one returns',
    settings: election,
    prepare: () => slowCloud(2_000, 3),
    inflict: async seed => {
      await expect.poll(isProcessing).toBe(true)
      const standby = world.start({ ...election, TRELLIS_PROGRAMS: oneByOne })
      await standby.port
      seed.signal('SIGSTOP')
      await expect.poll(() => leads(standby)).toBe(true)
      seed.signal('SIGCONT')
      await expect.poll(() => leads(seed)).toBe(false)
    },
  },
  {
    title: 'the leader loses the Lease to a standby that dies',
    settings: election,
    prepare: () => slowCloud(2_000, 3),
    inflict: async seed => {
      await expect.poll(isProcessing).toBe(true)
      const standby = world.start({ ...election, TRELLIS_PROGRAMS: oneByOne })
      await standby.port
      seed.signal('SIGSTOP')
      await expect.poll(() => leads(standby)).toBe(true)
      await standby.end('SIGKILL')
      seed.signal('SIGCONT')
      await expect
        .poll(() => linesOf(seed, 'leadership changed').map(({ leading }) => leading))
        .toEqual([true, false, true])
    },
  },
]

describe('five objects are reconciled by one event at a time, although', () => {
  for (const { title, prepare, settings, inflict } of faults)
    test(title, async () => {
      prepare?.()
      const seed = world.start({ ...settings, TRELLIS_PROGRAMS: oneByOne })
      await seed.port
      await createAll(5)
      await inflict(seed)
      await Promise.all(names(5).map(world.succeeds))
    })
})

test('1,200 objects are reconciled, although a program has room for 1,000 events', async () => {
  const stop = slowCloud(4_000, 10_000)
  const seed = world.start()
  await seed.port
  await createAll(1_200)
  const metrics = `http://127.0.0.1:${await seed.port}/metrics`
  await expect
    .poll(async () => (await fetch(metrics)).text())
    .toMatch(/^trellis_bridge_retried_total\S* [1-9]/m)
  stop()
  // One after the other: polls for all of them would be most of the work.
  for (const name of names(1_200)) await world.succeeds(name)
  expect(linesOf(seed, 'event dropped')).toEqual([])
})
